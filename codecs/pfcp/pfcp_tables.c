/*
 * The .def files as tables: what there is, what it is called, and which scope has which IE. Both
 * tables are indexed by type; a type that the standard does not have has no name.
 */
#include "codecs/pfcp/pfcp.h"

enum {
	M = PFCP_MANDATORY,
	C = PFCP_CONDITIONAL,
	CO = PFCP_CONDITIONAL_OPTIONAL,
	O = PFCP_OPTIONAL,
	ONE = 0,
	LIST = 1,
	REQUEST = PFCP_REQUEST,
	RESPONSE = PFCP_RESPONSE,
	CP = PFCP_SENT_BY_CP,
	UP = PFCP_SENT_BY_UP,
	BOTH = PFCP_SENT_BY_BOTH,
	FIRST_SESSION_MESSAGE = 50,
};

/* clang-format off */
/* Each array ends in a row of zeros, so that none is empty. */
#define SCOPE_MESSAGE(message) static const struct pfcp_member message_##message[] = {
#define SCOPE_GROUP(ie) static const struct pfcp_member group_##ie[] = {
#define MEMBER(scope, ie, presence_, number) { PFCP_IE_##ie, presence_, number },
#define END(scope) { 0, 0, 0 } };
#include "codecs/pfcp/pfcp_members.def"
#undef SCOPE_MESSAGE
#undef SCOPE_GROUP
#undef MEMBER
#undef END
/* clang-format on */

#define ROWS(array)	 (array), sizeof(array) / sizeof((array)[0]) - 1
#define ROWS_GROUPED(ie) ROWS(group_##ie)
#define ROWS_OCTETS(ie)	 NULL, 0
#define ROWS_TEXT(ie)	 NULL, 0
#define ROWS_NAME(ie)	 NULL, 0
#define ROWS_U8(ie)	 NULL, 0
#define ROWS_U16(ie)	 NULL, 0
#define ROWS_U32(ie)	 NULL, 0
#define ROWS_U64(ie)	 NULL, 0
#define ROWS_NUMBER(ie)	 NULL, 0
#define ROWS_SECONDS(ie) NULL, 0
#define ROWS_TIME(ie)	 NULL, 0
#define ROWS_FLAGS(ie)	 NULL, 0
#define ROWS_FIELDS(ie)	 NULL, 0
#define ROWS_CAUSE(ie)	 NULL, 0
#define ROWS_NODE_ID(ie) NULL, 0
#define ROWS_FQ_CSID(ie) NULL, 0
#define ROWS_TIMER(ie)	 NULL, 0
#define ROWS_METRIC(ie)	 NULL, 0
#define ROWS_IE_TYPE(ie) NULL, 0

#define PUT(name_, clause_, members_, count_, ...)                                            \
	{                                                                                     \
		.name = (name_), .clause = (clause_), .members = members_, .count = (count_), \
		__VA_ARGS__                                                                   \
	}
#define PUT_ROWS(name_, clause_, rows, ...) PUT(name_, clause_, rows, __VA_ARGS__)

static const struct pfcp_message_info messages[] = {
#define MESSAGE(message, type_, kind_, sender_, clause_, name_)                      \
	[type_] = PUT_ROWS(name_, clause_, ROWS(message_##message), .type = (type_), \
			   .kind = (kind_), .sender = (sender_),                     \
			   .node = (type_) < FIRST_SESSION_MESSAGE),
#include "codecs/pfcp/pfcp_messages.def"
#undef MESSAGE
};

static const struct pfcp_ie_info ies[] = {
#define IE(ie, type_, form_, min_, release_, clause_, name_)                  \
	[type_] = PUT_ROWS(name_, clause_, ROWS_##form_(ie), .type = (type_), \
			   .form = PFCP_FORM_##form_, .min = (min_), .release = (release_)),
#include "codecs/pfcp/pfcp_ies.def"
#undef IE
};

enum {
	MESSAGES = sizeof(messages) / sizeof(messages[0]),
	IES = sizeof(ies) / sizeof(ies[0]),
};

const struct pfcp_message_info *pfcp_message_info(uint8_t type)
{
	return type < MESSAGES && messages[type].name ? &messages[type] : NULL;
}

const struct pfcp_ie_info *pfcp_ie_info(uint16_t type)
{
	return type < IES && ies[type].name ? &ies[type] : NULL;
}

const struct pfcp_message_info *pfcp_message_info_at(size_t i)
{
	for (size_t type = 0; type < MESSAGES; type++)
		if (messages[type].name && i-- == 0)
			return &messages[type];
	return NULL;
}

const struct pfcp_ie_info *pfcp_ie_info_at(size_t i)
{
	for (size_t type = 0; type < IES; type++)
		if (ies[type].name && i-- == 0)
			return &ies[type];
	return NULL;
}

static const struct pfcp_member *member_of(const struct pfcp_member *members, size_t count,
					   uint16_t type)
{
	for (size_t i = 0; i < count; i++)
		if (members[i].type == type)
			return &members[i];
	return NULL;
}

const struct pfcp_member *pfcp_message_member(uint8_t message_type, uint16_t type)
{
	const struct pfcp_message_info *info = pfcp_message_info(message_type);

	return info ? member_of(info->members, info->count, type) : NULL;
}

const struct pfcp_member *pfcp_group_member(uint16_t group_type, uint16_t type)
{
	const struct pfcp_ie_info *info = pfcp_ie_info(group_type);

	return info ? member_of(info->members, info->count, type) : NULL;
}

const char *pfcp_message_name(uint8_t type)
{
	const struct pfcp_message_info *info = pfcp_message_info(type);

	return info ? info->name : "unknown";
}

const char *pfcp_ie_name(uint16_t type)
{
	const struct pfcp_ie_info *info = pfcp_ie_info(type);

	return info ? info->name : "unknown";
}

int pfcp_response_type(uint8_t request_type)
{
	const struct pfcp_message_info *info = pfcp_message_info(request_type);

	/* the response to every request is the next number */
	return info && info->kind == PFCP_REQUEST ? request_type + 1 : -1;
}
