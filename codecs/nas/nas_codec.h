/*
 * What the files of the NAS codec share: how a type of IE value is checked and printed.
 */
#ifndef SPILLWAY_CODECS_NAS_NAS_CODEC_H
#define SPILLWAY_CODECS_NAS_NAS_CODEC_H

#include "codecs/nas/nas.h"

/* Messages in messages (N1 SM in a NAS transport in a NAS message container) that we look into. */
#define NAS_DEPTH_MAX 3

/* A pass of checks over a message; see nas_check. */
struct nas_checker {
	const struct nas_msg *msg;
	struct findings *findings;
	enum finding_rule first; /* rule of the first finding */
	bool stop;		 /* strict mode: nothing more is looked at after the first */
	unsigned int depth;
	uint32_t origin; /* bit offset of the message in the outermost input */
	/* of the value being checked */
	int32_t iei;
	uint32_t value_bit;
	enum nas_reaction reaction;
};

/* Records a finding at a bit of the value being checked. A reserved coding needs no reaction. */
void nas_fault(struct nas_checker *checker, enum finding_rule rule, uint32_t bit,
	       const char *field);

/* Runs all checks; checker->msg is set. */
void nas_check_message(struct nas_checker *checker);

/* The text of a print in the making. */
struct nas_printer {
	struct text *text;
	const struct nas_msg *msg; /* the one being printed */
	struct arena *arena;	   /* for messages in messages; may be NULL */
	enum { NAS_TREE, NAS_FLAT, NAS_LINE } form;
	unsigned int depth;  /* messages in messages */
	unsigned int indent; /* groups that are open */
	char path[256];	     /* of the open groups, for the flat form */
	size_t path_len;
};

/* One field. In a line only what stands directly in the message is printed. */
__attribute__((format(printf, 3, 4))) void nas_field(struct nas_printer *printer, const char *name,
						     const char *format, ...);
void nas_field_octets(struct nas_printer *printer, const char *name, struct octets value);

/* Fields that belong together. Returns what nas_group_end needs. */
size_t nas_group(struct nas_printer *printer, const char *name);
void nas_group_end(struct nas_printer *printer, size_t mark);

void nas_print_message(struct nas_printer *printer, const struct nas_msg *msg);

/*
 * The codecs that nas_type.def names. The lengths that nas_message.def prescribes hold when check
 * is called, except that a value may be longer. print takes any octets.
 */
#define NAS_CODEC(codec)                                                                           \
	void nas_check_##codec(struct nas_checker *checker, struct octets value,                   \
			       enum nas_type type);                                                \
	void nas_print_##codec(struct nas_printer *printer, const char *name, struct octets value, \
			       enum nas_type type)

NAS_CODEC(octets);
NAS_CODEC(spare);
NAS_CODEC(fields);
NAS_CODEC(timer_2);
NAS_CODEC(timer_3);
NAS_CODEC(identity);
NAS_CODEC(plmn);
NAS_CODEC(plmn_list);
NAS_CODEC(tai);
NAS_CODEC(tai_list);
NAS_CODEC(snssai);
NAS_CODEC(nssai);
NAS_CODEC(mapped_nssai);
NAS_CODEC(rejected_nssai);
NAS_CODEC(mm_cause);
NAS_CODEC(sm_cause);
NAS_CODEC(psi);
NAS_CODEC(psi_cause);
NAS_CODEC(dnn);
NAS_CODEC(network_name);
NAS_CODEC(ue_security);
NAS_CODEC(unavailability);
NAS_CODEC(eap);
NAS_CODEC(ambr);
NAS_CODEC(pdu_address);
NAS_CODEC(payload);
NAS_CODEC(nas_message);

struct nas_codec {
	void (*check)(struct nas_checker *checker, struct octets value, enum nas_type type);
	void (*print)(struct nas_printer *printer, const char *name, struct octets value,
		      enum nas_type type);
};

/* Never NULL. */
const struct nas_codec *nas_codec_of(enum nas_type type);

/* The name of a value among count names; NULL for none. */
static inline const char *nas_name_of(const char *const *names, size_t count, unsigned int value)
{
	return value < count ? names[value] : NULL;
}

#endif
