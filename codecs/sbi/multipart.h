/*
 * multipart/related bodies, RFC 2387 and TS 29.500 6.1.2.4: a JSON part and the binary parts (N1
 * and N2 messages) to which its contentIds refer.
 */
#ifndef SPILLWAY_CODECS_SBI_MULTIPART_H
#define SPILLWAY_CODECS_SBI_MULTIPART_H

#include "codecs/finding.h"
#include "codecs/octets.h"
#include "codecs/text.h"

enum { MULTIPART_PARTS_MAX = 8 };

#define MULTIPART_NGAP	"application/vnd.3gpp.ngap"
#define MULTIPART_5GNAS "application/vnd.3gpp.5gnas"

struct multipart_part {
	struct octets content_type; /* with its parameters; empty: absent */
	struct octets content_id;   /* without angle brackets; empty: absent */
	struct octets body;
};

struct multipart {
	struct multipart_part parts[MULTIPART_PARTS_MAX];
	size_t count;
};

/* Whether a content-type is multipart/related. */
bool multipart_is(struct octets content_type);

/*
 * Views into body. The content-type field gives the boundary. FINDING_NONE, or the rule of a
 * finding whose offset is in the body; the parts before it are there.
 */
enum finding_rule multipart_read(struct multipart *multipart, struct octets content_type,
				 struct octets body, struct findings *findings);
/* The part that a contentId names; NULL: there is none. */
const struct multipart_part *multipart_find(const struct multipart *multipart,
					    struct octets content_id);

/*
 * Writes a body; a boundary that occurs in no part is for the caller to choose (letters and digits,
 * at most 70). The field value that belongs to it comes from multipart_content_type.
 */
void multipart_write(struct text *out, const struct multipart_part *parts, size_t count,
		     const char *boundary);
void multipart_content_type(struct text *out, const char *boundary);

#endif
