/* What the tester's producers say of their load and overload. */
#include "runner/emulation/sbi_load.h"

#include <inttypes.h>
#include <stdio.h>

#include "runner/emulation/sbi_private.h"

/* --- scopes -------------------------------------------------------------------------------------
 */

static struct sbi_scope scope_of(enum sbi_scope_kind kind, const char *id)
{
	return (struct sbi_scope){ .kind = kind, .id = sbi_octets(id) };
}

struct sbi_scope sbi_scope_instance(const struct sbi_peer *peer)
{
	return scope_of(SBI_SCOPE_NF_INSTANCE, peer->id);
}

struct sbi_scope sbi_scope_set(const struct sbi_peer *peer)
{
	return scope_of(SBI_SCOPE_NF_SET, peer->set_id);
}

struct sbi_scope sbi_scope_service(const struct sbi_peer *peer)
{
	struct sbi_scope scope = scope_of(SBI_SCOPE_NF_SERVICE_INSTANCE, peer->service_instance);

	scope.nf_inst = sbi_octets(peer->id);
	return scope;
}

struct sbi_scope sbi_scope_service_set(const struct sbi_peer *peer)
{
	return scope_of(SBI_SCOPE_NF_SERVICE_SET, peer->service_set);
}

struct sbi_scope sbi_scope_consumer(const struct sbi_peer *peer)
{
	return scope_of(SBI_SCOPE_NFC_INSTANCE, peer->id);
}

static char *keep_text(struct tc *t, const char *text)
{
	char *copy = tc_alloc(t, strlen(text) + 1);

	return strcpy(copy, text);
}

struct sbi_scope sbi_scope_dnns(const struct sbi_peer *peer, const struct slice *slice,
				const char *dnns)
{
	struct tc *t = peer->sbi->t;
	struct octets *snssai = tc_alloc(t, sizeof(*snssai));
	struct octets *items = tc_alloc(t, SBI_DNNS_MAX * sizeof(*items));
	struct sbi_scope scope = sbi_scope_instance(peer);
	const char *at = keep_text(t, dnns);
	char buf[80];
	size_t count = 0;

	if (slice->has_sd)
		snprintf(buf, sizeof(buf),
			 "%%7B%%22sst%%22%%3A%u%%2C%%22sd%%22%%3A%%22%06X%%22%%7D", slice->sst,
			 slice->sd);
	else
		snprintf(buf, sizeof(buf), "%%7B%%22sst%%22%%3A%u%%7D", slice->sst);
	*snssai = sbi_octets(keep_text(t, buf));
	while (*at && count < SBI_DNNS_MAX) {
		size_t len = strcspn(at, ",");

		items[count++] = OCTETS((const uint8_t *)at, len);
		at += len + (at[len] != '\0');
	}
	scope.snssais = (struct sbi_values){ snssai, 1 };
	scope.dnns = (struct sbi_values){ items, count };
	return scope;
}

struct sbi_scope sbi_scope_callback(struct tc *t, const char *uri)
{
	struct octets *item = tc_alloc(t, sizeof(*item));

	*item = sbi_octets(keep_text(t, uri));
	return (struct sbi_scope){ .kind = SBI_SCOPE_CALLBACK_URI, .callback_uris = { item, 1 } };
}

/* --- what every answer has ----------------------------------------------------------------------
 */

static size_t add_lines(struct http_header *fields, size_t count, const char *name,
			const struct sbi_lines *lines)
{
	for (size_t i = 0; i < lines->count && count < SBI_SAID_MAX; i++)
		fields[count++] =
			(struct http_header){ HTTP_TEXT(name), HTTP_TEXT(lines->lines[i]) };
	return count;
}

void sbi_set_fields(struct sbi_peer *peer)
{
	struct http_header fields[SBI_SAID_MAX];
	size_t count = add_lines(fields, 0, "3gpp-sbi-oci", &peer->oci);

	count = add_lines(fields, count, "3gpp-sbi-lci", &peer->lci);
	if (peer->server)
		sbi_server_fields(peer->server, fields, count);
}

static int64_t timestamp_of(struct sbi_peer *peer, struct sbi_lines *lines,
			    const struct sbi_say *say)
{
	int64_t now = sbi_now(peer->sbi->t);

	if (say->timestamp)
		return say->timestamp - 1;
	if (say->later)
		return now + say->later;
	/* Two changes within a second are to be told apart. */
	if (now <= lines->timestamp)
		now = lines->timestamp + 1;
	lines->timestamp = now;
	return now;
}

static struct sbi_load load_of(struct sbi_peer *peer, struct sbi_lines *lines,
			       const struct sbi_say *say)
{
	return (struct sbi_load){
		.has = SBI_HAS_TIMESTAMP | SBI_HAS_VALIDITY | SBI_HAS_METRIC | SBI_HAS_SCOPE,
		.timestamp = timestamp_of(peer, lines, say),
		.validity = say->validity ? say->validity : 60,
		.metric = (uint16_t)say->metric,
		.scope = say->scope.kind == SBI_SCOPE_NONE ? sbi_scope_instance(peer) : say->scope,
	};
}

static void say_more(struct sbi_peer *peer, struct sbi_lines *lines, const struct sbi_say *say,
		     void (*print)(struct text *out, const struct sbi_load *load))
{
	struct tc *t = peer->sbi->t;
	bool joins = lines->count > 0 && !say->own_line;
	struct sbi_load load = load_of(peer, lines, say);
	struct text text;
	size_t used;
	char *line;

	if (!joins) {
		if (lines->count == SBI_SAID_MAX)
			tc_error(t, "%s: more than %d lines", peer->name, SBI_SAID_MAX);
		lines->lines[lines->count++] = tc_alloc(t, SBI_LINE_MAX);
	}
	line = lines->lines[lines->count - 1];
	used = strlen(line);
	text_init(&text, line + used, SBI_LINE_MAX - used);
	if (joins)
		text_puts(&text, ", ");
	if (say->text)
		text_puts(&text, say->text);
	else
		print(&text, &load);
	if (text.truncated)
		tc_error(t, "%s: a header field that is too long", peer->name);
	sbi_set_fields(peer);
}

void sbi_oci_more_with(struct sbi_peer *peer, const struct sbi_say *say)
{
	say_more(peer, &peer->oci, say, sbi_oci_print);
}

void sbi_oci_with(struct sbi_peer *peer, const struct sbi_say *say)
{
	peer->oci.count = 0;
	sbi_oci_more_with(peer, say);
}

void sbi_no_oci(struct sbi_peer *peer)
{
	peer->oci.count = 0;
	sbi_set_fields(peer);
}

void sbi_lci_with(struct sbi_peer *peer, const struct sbi_say *say)
{
	peer->lci.count = 0;
	say_more(peer, &peer->lci, say, sbi_lci_print);
}

void sbi_no_lci(struct sbi_peer *peer)
{
	peer->lci.count = 0;
	sbi_set_fields(peer);
}

int64_t sbi_oci_timestamp(const struct sbi_peer *peer)
{
	return peer->oci.timestamp;
}

struct sbi_load sbi_oci_value(struct sbi_peer *peer, const struct sbi_say *say)
{
	return load_of(peer, &peer->oci, say);
}

unsigned int sbi_tell(struct sbi_peer *peer)
{
	struct tc *t = peer->sbi->t;
	const char *uri = sbi_peer_callback(peer);
	struct sbi_ask ask = {
		.method = "POST",
		.uri = uri,
		.body = "{\"statusInfo\":{\"resourceStatus\":\"UPDATED\"}}",
		.fields = { { "3gpp-sbi-callback", "Nsmf_PDUSession_smContextStatusNotify" } },
	};
	size_t field = 1;

	if (!uri[0])
		tc_inconc(
			t,
			"%s: no request of the IUT had a URI for notifications: it cannot be told "
			"anything",
			peer->name);
	for (size_t i = 0; i < peer->oci.count && field < 4; i++)
		ask.fields[field++] = (struct sbi_field){ "3gpp-sbi-oci", peer->oci.lines[i] };
	for (size_t i = 0; i < peer->lci.count && field < 6; i++)
		ask.fields[field++] = (struct sbi_field){ "3gpp-sbi-lci", peer->lci.lines[i] };
	return sbi_finish(sbi_ask_with(peer, &ask))->status;
}

/* --- counting -----------------------------------------------------------------------------------
 */

struct sbi_count sbi_count_start(struct tc *t)
{
	return (struct sbi_count){ .t = t, .from = loop_now(t->loop), .to = LOOP_NEVER };
}

void sbi_count_stop(struct sbi_count *count)
{
	count->to = loop_now(count->t->loop);
}

static bool contains(struct octets octets, const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i + len <= octets.len; i++)
		if (memcmp(octets.data + i, text, len) == 0)
			return true;
	return false;
}

static bool matches(const struct sbi_received *r, const struct sbi_which *which)
{
	int priority = sbi_priority_of(r->message);

	return (!which->method || sbi_octets_are(r->method, which->method)) &&
	       sbi_octets_begin(r->path, which->path) &&
	       (!which->priority || priority == which->priority - 1) &&
	       (!which->no_priority || priority < 0) &&
	       (!which->status || r->status == which->status) &&
	       (!which->body || contains(r->message->body, which->body)) &&
	       r->t_us >= which->after && (!which->before || r->t_us < which->before);
}

static uint64_t look(const struct sbi_count *count, const struct sbi_which *which, uint64_t *last)
{
	struct sbi *sbi = sbi_of_case(count->t);
	uint64_t n = 0;

	for (struct sbi_peer *peer = sbi->peers; peer; peer = peer->next) {
		if (!peer->server || (which->at && which->at != peer))
			continue;
		for (size_t i = sbi_server_received_count(peer->server); i > 0; i--) {
			const struct sbi_received *r = sbi_server_received(peer->server, i - 1);

			if (!r || r->t_us < count->from)
				break;
			if (r->t_us > count->to || !r->message || !matches(r, which) ||
			    (r->passed_on && !which->at))
				continue;
			n++;
			if (*last == LOOP_NEVER || r->t_us > *last)
				*last = r->t_us;
		}
	}
	return n;
}

uint64_t sbi_counted_with(const struct sbi_count *count, const struct sbi_which *which)
{
	uint64_t last = LOOP_NEVER;

	return look(count, which, &last);
}

uint64_t sbi_last_counted(const struct sbi_count *count, const struct sbi_which *which)
{
	uint64_t last = LOOP_NEVER;

	look(count, which, &last);
	return last;
}
