/*
 * What no record, log or report may show of HTTP messages: access tokens, client credentials and
 * the keys of authentication vectors (TS 29.503, TS 29.509). Their octets become 'x', so that
 * lengths stay.
 */
#ifndef SPILLWAY_RUNNER_NET_HTTP_SECRETS_H
#define SPILLWAY_RUNNER_NET_HTTP_SECRETS_H

#include <stdbool.h>

#include "codecs/octets.h"

/* Names are in lower case, as HTTP/2 has them. */
bool http_is_secret_field(struct octets name);
/* The value of such a field but for its scheme: "Bearer xxxx". */
void http_blot_value(uint8_t *value, size_t len);
/* The members of a JSON body, or the parameters of a form, that are secrets. Any octets may come.
 */
void http_blot_body(uint8_t *body, size_t len);

#endif
