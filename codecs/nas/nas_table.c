/*
 * The tables of nas_message.def, nas_ie.def and nas_type.def as constants, and look-up in them.
 */
#include "codecs/nas/nas.h"

/* Octets of an IE that are not its value. */
enum {
	OVERHEAD_V_LOW = 0,
	OVERHEAD_V_HIGH = 0,
	OVERHEAD_V = 0,
	OVERHEAD_LV = 1,
	OVERHEAD_LV_E = 2,
	OVERHEAD_TV_HALF = 0, /* the value is the low half of the IEI's octet */
	OVERHEAD_TV = 1,
	OVERHEAD_TLV = 2,
	OVERHEAD_TLV_E = 3,
};

#define PRESENCE_M NAS_MANDATORY
#define PRESENCE_C NAS_CONDITIONAL
#define PRESENCE_O NAS_OPTIONAL

/* The indices of each message's first row and of the row after its last one. */
enum {
#define MESSAGE(message, type, sender, clause, name) \
	FIRST_##message, BEFORE_##message = FIRST_##message - 1,
#define IE(message, ie, iei, format, presence, min, max) ROW_##message##_##ie,
#define END(message)					 END_##message, AFTER_##message = END_##message - 1,
#include "codecs/nas/nas_message.def"
#undef MESSAGE
#undef IE
#undef END
};

static const struct nas_row rows[] = {
#define MESSAGE(message, type, sender, clause, name)
#define IE(message, ie, iei, format, presence, min, max) \
	{ NAS_IE_##ie,                                   \
	  iei,                                           \
	  NAS_FORMAT_##format,                           \
	  PRESENCE_##presence,                           \
	  (min)-OVERHEAD_##format,                       \
	  (max)-OVERHEAD_##format },
#define END(message)
#include "codecs/nas/nas_message.def"
#undef MESSAGE
#undef IE
#undef END
};

/* The imperative part: the rows without an IEI. */
#define MESSAGE(message, type, sender, clause, name)	 enum { IMPERATIVE_##message = 0
#define IE(message, ie, iei, format, presence, min, max) +((iei) == 0 ? 1 : 0)
#define END(message) \
	}            \
	;
#include "codecs/nas/nas_message.def"
#undef MESSAGE
#undef IE
#undef END

#define MESSAGE(message, type, sender, clause, name) \
	static const uint8_t by_ie_##message[NAS_IE_COUNT] = {
#define IE(message, ie, iei, format, presence, min, max) \
	[NAS_IE_##ie] = 1 + ROW_##message##_##ie - FIRST_##message,
#define END(message) \
	}            \
	;
#include "codecs/nas/nas_message.def"
#undef MESSAGE
#undef IE
#undef END

/* The rows without an IEI go behind the 256 entries that are looked at. */
#define MESSAGE(message, type, sender, clause, name) \
	static const uint8_t by_iei_##message[256 + 16] = {
#define IE(message, ie, iei, format, presence, min, max)                 \
	[(iei) ? (iei) : 256 + ROW_##message##_##ie - FIRST_##message] = \
		1 + ROW_##message##_##ie - FIRST_##message,
#define END(message) \
	}            \
	;
#include "codecs/nas/nas_message.def"
#undef MESSAGE
#undef IE
#undef END

static const struct nas_message_info infos[] = {
#define MESSAGE(message, octet, from, reference, text)         \
	{ .epd = (octet) < 0x80 ? NAS_EPD_5GMM : NAS_EPD_5GSM, \
	  .type = (octet),                                     \
	  .sender = NAS_SENT_BY_##from,                        \
	  .mandatory = IMPERATIVE_##message,                   \
	  .count = END_##message - FIRST_##message,            \
	  .rows = rows + FIRST_##message,                      \
	  .by_ie = by_ie_##message,                            \
	  .by_iei = by_iei_##message,                          \
	  .name = (text),                                      \
	  .clause = (reference) },
#define IE(message, ie, iei, format, presence, min, max)
#define END(message)
#include "codecs/nas/nas_message.def"
#undef MESSAGE
#undef IE
#undef END
};

enum {
#define MESSAGE(message, type, sender, clause, name) INDEX_##message,
#define IE(message, ie, iei, format, presence, min, max)
#define END(message)
#include "codecs/nas/nas_message.def"
#undef MESSAGE
#undef IE
#undef END
};

/* Position in infos plus 1 by message type; the types of the two protocols do not overlap. */
static const uint8_t by_type[256] = {
#define MESSAGE(message, type, sender, clause, name) [type] = 1 + INDEX_##message,
#define IE(message, ie, iei, format, presence, min, max)
#define END(message)
#include "codecs/nas/nas_message.def"
#undef MESSAGE
#undef IE
#undef END
};

static const struct {
	const char *name;
	enum nas_type type;
} ies[NAS_IE_COUNT] = {
#define NAS_IE(ie, text, value_type) [NAS_IE_##ie] = { (text), NAS_TYPE_##value_type },
#include "codecs/nas/nas_ie.def"
#undef NAS_IE
};

static const struct {
	const char *name;
	const char *clause;
} types[NAS_TYPE_COUNT] = {
#define NAS_TYPE(type, text, reference, codec) [NAS_TYPE_##type] = { (text), (reference) },
#include "codecs/nas/nas_type.def"
#undef NAS_TYPE
};

static const char *const formats[] = {
	[NAS_FORMAT_RAW] = "raw",	 [NAS_FORMAT_V_LOW] = "V (1/2)",
	[NAS_FORMAT_V_HIGH] = "V (1/2)", [NAS_FORMAT_V] = "V",
	[NAS_FORMAT_LV] = "LV",		 [NAS_FORMAT_LV_E] = "LV-E",
	[NAS_FORMAT_TV_HALF] = "TV (1)", [NAS_FORMAT_TV] = "TV",
	[NAS_FORMAT_TLV] = "TLV",	 [NAS_FORMAT_TLV_E] = "TLV-E",
};

const struct nas_message_info *nas_message_info(uint8_t epd, uint8_t type)
{
	const struct nas_message_info *info;

	if (!by_type[type])
		return NULL;
	info = &infos[by_type[type] - 1];
	return info->epd == epd ? info : NULL;
}

const struct nas_message_info *nas_message_info_at(size_t i)
{
	return i < sizeof(infos) / sizeof(infos[0]) ? &infos[i] : NULL;
}

const struct nas_row *nas_row(const struct nas_message_info *info, enum nas_ie ie)
{
	if (!info || (unsigned int)ie >= NAS_IE_COUNT || !info->by_ie[ie])
		return NULL;
	return &info->rows[info->by_ie[ie] - 1];
}

const char *nas_message_name(uint8_t type)
{
	return by_type[type] ? infos[by_type[type] - 1].name : "unknown";
}

const char *nas_ie_name(enum nas_ie ie)
{
	return ie > NAS_IE_NONE && ie < NAS_IE_COUNT ? ies[ie].name : "unknown";
}

enum nas_type nas_ie_type(enum nas_ie ie)
{
	return ie > NAS_IE_NONE && ie < NAS_IE_COUNT ? ies[ie].type : NAS_TYPE_OCTETS;
}

const char *nas_type_name(enum nas_type type)
{
	return type < NAS_TYPE_COUNT ? types[type].name : "unknown";
}

const char *nas_type_clause(enum nas_type type)
{
	return type < NAS_TYPE_COUNT ? types[type].clause : "unknown";
}

const char *nas_format_name(enum nas_format format)
{
	return format <= NAS_FORMAT_TLV_E ? formats[format] : "unknown";
}
