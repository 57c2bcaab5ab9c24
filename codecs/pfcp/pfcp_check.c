/*
 * TS 29.244 7.6 as a pass over the tree of IEs. Each scope is looked at by the table of its
 * members; what the receiver has to do follows from the kind of message, the kind of error and the
 * presence that the IE counts with.
 */
#include "codecs/pfcp/pfcp_check.h"

#include "codecs/pfcp/pfcp_codec.h"
#include "codecs/pfcp/pfcp_fields.h"
#include "codecs/pfcp/pfcp_value.h"

enum { METRIC_MAX = 100, HEADER_NODE = 8, HEADER_SESSION = 16 };

struct check {
	const struct pfcp_message *msg;
	const struct pfcp_message_info *info;
	struct findings *findings;
	struct pfcp_verdict verdict;
	bool heartbeat; /* a request that has no response with a cause */
	bool null_is_fine;
};

/* A message or a grouped IE. */
struct scope {
	const struct pfcp_ie_list *ies;
	const struct pfcp_member *members;
	size_t count;
	const struct pfcp_ie *group; /* NULL for the message */
	enum pfcp_presence presence; /* that the group counts with */
};

enum error {
	ERROR_MISSING,
	ERROR_LENGTH,	 /* 7.6.7 */
	ERROR_INCORRECT, /* 7.6.8 */
	ERROR_IGNORED,	 /* 7.6.9, 7.6.10 */
	ERROR_NONE,
};

/* The presence that a member counts with, by that of its group (7.2.3.2). */
static enum pfcp_presence effective(const struct scope *scope, enum pfcp_presence own)
{
	if (!scope->group || scope->presence == PFCP_MANDATORY)
		return own;
	if (scope->presence == PFCP_CONDITIONAL)
		return own <= PFCP_CONDITIONAL ? PFCP_CONDITIONAL : PFCP_OPTIONAL;
	if (scope->presence == PFCP_CONDITIONAL_OPTIONAL)
		return own <= PFCP_CONDITIONAL ? PFCP_CONDITIONAL_OPTIONAL : PFCP_OPTIONAL;
	return PFCP_OPTIONAL;
}

static uint8_t cause_of(enum error error, enum pfcp_presence presence)
{
	if (error == ERROR_MISSING)
		return presence == PFCP_MANDATORY ? PFCP_CAUSE_MANDATORY_IE_MISSING
						  : PFCP_CAUSE_CONDITIONAL_IE_MISSING;
	if (error == ERROR_LENGTH)
		return PFCP_CAUSE_INVALID_LENGTH;
	return PFCP_CAUSE_MANDATORY_IE_INCORRECT;
}

static enum pfcp_reaction reaction_to(const struct check *c, enum error error,
				      enum pfcp_presence presence)
{
	if (error == ERROR_NONE)
		return PFCP_REACTION_NONE;
	if (error == ERROR_IGNORED)
		return PFCP_REACTION_IGNORE_IE;
	if (c->info->kind == PFCP_REQUEST && error == ERROR_LENGTH)
		return c->heartbeat ? PFCP_REACTION_DISCARD : PFCP_REACTION_REJECT;
	if (presence > PFCP_CONDITIONAL)
		return PFCP_REACTION_IGNORE_IE;
	if (c->info->kind == PFCP_RESPONSE)
		return PFCP_REACTION_NOTIFY;
	return c->heartbeat ? PFCP_REACTION_DISCARD : PFCP_REACTION_REJECT;
}

static void add(struct check *c, enum finding_rule rule, int32_t ie, uint32_t offset,
		const char *field, enum pfcp_reaction reaction, uint8_t cause)
{
	finding_add(c->findings, (struct finding){ .rule = rule,
						   .bit = offset * 8,
						   .ie = ie,
						   .reaction = (uint8_t)reaction,
						   .field = field });
	if (reaction <= c->verdict.reaction)
		return;
	c->verdict.reaction = reaction;
	c->verdict.cause = reaction == PFCP_REACTION_REJECT ? cause : 0;
	c->verdict.offending_ie = reaction == PFCP_REACTION_REJECT ? ie : -1;
}

static void report(struct check *c, const struct pfcp_ie *ie, enum finding_rule rule,
		   enum error error, enum pfcp_presence presence, const char *field)
{
	add(c, rule, ie->type, ie->offset, field, reaction_to(c, error, presence),
	    cause_of(error, presence));
}

/* Bits of which one has to be set, in octet 5. */
static bool is_empty_report(const struct pfcp_ie *ie)
{
	return (ie->type == PFCP_IE_REPORT_TYPE || ie->type == PFCP_IE_NODE_REPORT_TYPE) &&
	       ie->value.data[0] == 0;
}

/* Only the CP function asks the UP function to choose an address. */
static bool is_choice_of_up(const struct check *c, const struct pfcp_ie *ie)
{
	static const struct {
		uint16_t type;
		enum pfcp_flag flag;
	} choices[] = {
		{ PFCP_IE_F_TEID, PFCP_F_TEID_CH },
		{ PFCP_IE_UE_IP_ADDRESS, PFCP_UE_IP_ADDRESS_CHV4 },
		{ PFCP_IE_UE_IP_ADDRESS, PFCP_UE_IP_ADDRESS_CHV6 },
		{ PFCP_IE_LOCAL_INGRESS_TUNNEL, PFCP_LOCAL_INGRESS_TUNNEL_CH },
	};

	if (c->info->sender != PFCP_SENT_BY_UP)
		return false;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		if (choices[i].type == ie->type && pfcp_flag(ie->value, choices[i].flag))
			return true;
	return false;
}

static enum finding_rule check_fq_csid(struct octets value)
{
	size_t address = value.data[0] >> 4 == 1 ? 16 : 4;
	size_t csids = 2 * (size_t)(value.data[0] & 0x0f);

	if (value.data[0] >> 4 > 2)
		return FINDING_RESERVED;
	return value.len < 1 + address + csids ? FINDING_LENGTH : FINDING_NONE;
}

/* What is wrong with a value that has at least its least length; field names the part. */
static enum finding_rule check_value(const struct check *c, const struct pfcp_ie *ie,
				     const struct pfcp_ie_info *info, const char **field)
{
	struct pfcp_f_teid f_teid;
	struct pfcp_node_id id;
	enum finding_rule rule;

	switch (info->form) {
	case PFCP_FORM_FIELDS:
		rule = pfcp_fields_walk(ie->type, ie->value, NULL, NULL, field);
		if (rule != FINDING_NONE)
			return rule;
		if (ie->type == PFCP_IE_F_TEID &&
		    pfcp_f_teid_decode(&f_teid, ie->value) != FINDING_NONE)
			return FINDING_SYNTAX;
		return is_choice_of_up(c, ie) ? FINDING_RANGE : FINDING_NONE;
	case PFCP_FORM_FLAGS:
		return is_empty_report(ie) ? FINDING_RANGE : FINDING_NONE;
	case PFCP_FORM_CAUSE:
		return ie->value.data[0] == PFCP_CAUSE_RESERVED ? FINDING_RESERVED : FINDING_NONE;
	case PFCP_FORM_NODE_ID:
		rule = pfcp_node_id_decode(&id, ie->value);
		/* a spare type is no error of the sender, only of no use */
		return rule == FINDING_RESERVED ? FINDING_NONE : rule;
	case PFCP_FORM_FQ_CSID:
		return check_fq_csid(ie->value);
	case PFCP_FORM_NUMBER:
		return ie->value.len < 1 || ie->value.len > 2 ? FINDING_LENGTH : FINDING_NONE;
	default:
		return FINDING_NONE;
	}
}

static void check_scope(struct check *c, const struct scope *scope);

static void check_ie(struct check *c, const struct scope *scope, const struct pfcp_ie *ie,
		     enum pfcp_presence own)
{
	const struct pfcp_ie_info *info = pfcp_ie_info(ie->type);
	enum pfcp_presence presence = effective(scope, own);
	const char *field = info->name;
	enum finding_rule rule;

	if (ie->length_lies) {
		report(c, ie, FINDING_LENGTH, ERROR_LENGTH, presence, info->name);
		return;
	}
	if (info->form == PFCP_FORM_GROUPED) {
		struct scope inner = { .ies = &ie->ies,
				       .members = info->members,
				       .count = info->count,
				       .group = ie,
				       .presence = presence };

		if (!ie->grouped)
			report(c, ie, FINDING_TOO_DEEP, ERROR_INCORRECT, presence, info->name);
		else if (ie->ies.first || presence == PFCP_MANDATORY || !c->null_is_fine)
			check_scope(c, &inner);
		return;
	}
	if (ie->value.len == 0 && own != PFCP_MANDATORY && c->null_is_fine)
		return;
	if (ie->value.len < info->min || (info->form == PFCP_FORM_FLAGS && ie->value.len == 0)) {
		report(c, ie, FINDING_LENGTH, ERROR_INCORRECT, presence, info->name);
		return;
	}
	if (info->form == PFCP_FORM_METRIC && ie->value.data[0] > METRIC_MAX) {
		/* counts as 0 (8.2.34) */
		report(c, ie, FINDING_RANGE, ERROR_NONE, presence, info->name);
		return;
	}
	rule = check_value(c, ie, info, &field);
	if (rule != FINDING_NONE)
		report(c, ie, rule, ERROR_INCORRECT, presence, field);
}

/* Octets that are no IE, or a vendor's IE without its enterprise id. */
static void check_bare(struct check *c, const struct scope *scope, const struct pfcp_ie *ie)
{
	enum pfcp_presence presence = scope->group ? scope->presence : PFCP_OPTIONAL;

	if (ie->type >= PFCP_IE_VENDOR)
		report(c, ie, FINDING_LENGTH, ERROR_INCORRECT, PFCP_OPTIONAL, "Enterprise ID");
	else
		add(c, FINDING_TRUNCATED, scope->group ? scope->group->type : -1, ie->offset,
		    "Type", reaction_to(c, ERROR_LENGTH, presence), PFCP_CAUSE_INVALID_LENGTH);
}

static void check_missing(struct check *c, const struct scope *scope, uint64_t seen)
{
	uint32_t offset = scope->group	     ? scope->group->offset
			  : c->msg->has_seid ? HEADER_SESSION
					     : HEADER_NODE;

	for (size_t i = 0; i < scope->count; i++) {
		const struct pfcp_member *member = &scope->members[i];
		enum pfcp_presence presence = effective(scope, member->presence);

		if (member->presence != PFCP_MANDATORY || seen >> i & 1)
			continue;
		add(c, FINDING_MISSING, member->type, offset, pfcp_ie_name(member->type),
		    reaction_to(c, ERROR_MISSING, presence), cause_of(ERROR_MISSING, presence));
	}
}

static void check_scope(struct check *c, const struct scope *scope)
{
	uint64_t seen = 0;

	for (const struct pfcp_ie *ie = scope->ies->first; ie; ie = ie->next) {
		const struct pfcp_member *member = NULL;
		size_t row = 0;

		if (ie->bare) {
			check_bare(c, scope, ie);
			continue;
		}
		if (ie->type >= PFCP_IE_VENDOR) {
			if (ie->length_lies)
				report(c, ie, FINDING_LENGTH, ERROR_LENGTH, PFCP_OPTIONAL,
				       "vendor's IE");
			continue;
		}
		while (row < scope->count && scope->members[row].type != ie->type)
			row++;
		if (row < scope->count)
			member = &scope->members[row];
		if (!member) {
			enum error error = ie->length_lies ? ERROR_LENGTH : ERROR_IGNORED;

			report(c, ie, FINDING_UNKNOWN_IE, error, PFCP_OPTIONAL,
			       pfcp_ie_name(ie->type));
			continue;
		}
		if (seen >> row & 1 && !member->repeated) {
			report(c, ie, FINDING_DUPLICATE, ERROR_IGNORED, PFCP_OPTIONAL,
			       pfcp_ie_name(ie->type));
			continue;
		}
		seen |= UINT64_C(1) << row;
		check_ie(c, scope, ie, member->presence);
	}
	if (scope->group || c->info->kind == PFCP_REQUEST || pfcp_cause(c->msg) < 0 ||
	    pfcp_cause_accepts(pfcp_cause(c->msg)))
		check_missing(c, scope, seen);
}

/* IEs that a message announces by a bit of another of its IEs. */
static const struct {
	uint8_t message;
	uint16_t by;
	enum pfcp_flag flag;
	uint16_t wanted;
} announced[] = {
#define REPORT(flag, ie)                                                                   \
	{                                                                                  \
		PFCP_SESSION_REPORT_REQUEST, PFCP_IE_REPORT_TYPE, PFCP_REPORT_TYPE_##flag, \
			PFCP_IE_##ie                                                       \
	}
#define NODE_REPORT(flag, ie)                                                                     \
	{                                                                                         \
		PFCP_NODE_REPORT_REQUEST, PFCP_IE_NODE_REPORT_TYPE, PFCP_NODE_REPORT_TYPE_##flag, \
			PFCP_IE_##ie                                                              \
	}
	REPORT(DLDR, DOWNLINK_DATA_REPORT),
	REPORT(USAR, USAGE_REPORT_SESSION_REPORT_REQUEST),
	REPORT(ERIR, ERROR_INDICATION_REPORT),
	REPORT(TMIR, TSC_MANAGEMENT_INFORMATION_SESSION_REPORT_REQUEST),
	REPORT(SESR, SESSION_REPORT),
	NODE_REPORT(UPFR, USER_PLANE_PATH_FAILURE_REPORT),
	NODE_REPORT(UPRR, USER_PLANE_PATH_RECOVERY_REPORT),
	NODE_REPORT(CKDR, CLOCK_DRIFT_REPORT),
	NODE_REPORT(GPQR, GTP_U_PATH_QOS_REPORT),
	NODE_REPORT(PURR, PEER_UP_RESTART_REPORT),
	NODE_REPORT(VSR, VENDOR_SPECIFIC_NODE_REPORT_TYPE),
	NODE_REPORT(N6DR, N6_DELAY_MEASUREMENT_REPORT),
#undef REPORT
#undef NODE_REPORT
};

static void want(struct check *c, uint16_t type)
{
	if (pfcp_find(&c->msg->ies, type))
		return;
	add(c, FINDING_MISSING, type, c->msg->has_seid ? HEADER_SESSION : HEADER_NODE,
	    pfcp_ie_name(type), reaction_to(c, ERROR_MISSING, PFCP_CONDITIONAL),
	    PFCP_CAUSE_CONDITIONAL_IE_MISSING);
}

static void check_conditions(struct check *c)
{
	for (size_t i = 0; i < sizeof(announced) / sizeof(announced[0]); i++)
		if (announced[i].message == c->msg->type &&
		    pfcp_get_flag(&c->msg->ies, announced[i].by, announced[i].flag))
			want(c, announced[i].wanted);
	if (c->msg->type == PFCP_SESSION_ESTABLISHMENT_RESPONSE &&
	    pfcp_cause(c->msg) == PFCP_CAUSE_REQUEST_ACCEPTED)
		want(c, PFCP_IE_F_SEID);
}

static void check_header(struct check *c)
{
	const struct pfcp_message *msg = c->msg;

	if (msg->length_lies || msg->trailing.len)
		add(c, FINDING_LENGTH, -1, 2, "Message Length",
		    reaction_to(c, ERROR_LENGTH, PFCP_MANDATORY), PFCP_CAUSE_INVALID_LENGTH);
	if (!msg->has_seid && !c->info->node)
		add(c, FINDING_SYNTAX, -1, 0, "S", PFCP_REACTION_DISCARD, 0);
	/* the standard has no rule for flags that do not belong into a node message's header */
	if (msg->has_seid && c->info->node)
		add(c, FINDING_SYNTAX, -1, 0, "S", PFCP_REACTION_NONE, 0);
}

struct pfcp_verdict pfcp_check(const struct pfcp_message *msg, struct findings *findings)
{
	struct check c = { .msg = msg,
			   .info = pfcp_message_info(msg->type),
			   .findings = findings,
			   .verdict = { PFCP_REACTION_NONE, 0, -1 },
			   .heartbeat = msg->type == PFCP_HEARTBEAT_REQUEST,
			   .null_is_fine = msg->type == PFCP_SESSION_MODIFICATION_REQUEST ||
					   msg->type == PFCP_ASSOCIATION_UPDATE_REQUEST };
	struct scope scope = { .ies = &msg->ies };

	if (!c.info) {
		add(&c, FINDING_UNKNOWN_MESSAGE, -1, 1, "Message Type", PFCP_REACTION_DISCARD, 0);
		return c.verdict;
	}
	check_header(&c);
	scope.members = c.info->members;
	scope.count = c.info->count;
	check_scope(&c, &scope);
	check_conditions(&c);
	return c.verdict;
}

struct pfcp_verdict pfcp_check_refused(enum finding_rule rule)
{
	return (struct pfcp_verdict){ .reaction = rule == FINDING_NONE ? PFCP_REACTION_NONE
						  : rule == FINDING_NOT_COMPREHENDED
							  ? PFCP_REACTION_VERSION_NOT_SUPPORTED
							  : PFCP_REACTION_DISCARD,
				      .offending_ie = -1 };
}

const char *pfcp_reaction_name(enum pfcp_reaction reaction)
{
	switch (reaction) {
	case PFCP_REACTION_NONE:
		return "none";
	case PFCP_REACTION_IGNORE_IE:
		return "ignore IE";
	case PFCP_REACTION_NOTIFY:
		return "notify";
	case PFCP_REACTION_REJECT:
		return "reject";
	case PFCP_REACTION_DISCARD:
		return "discard";
	case PFCP_REACTION_VERSION_NOT_SUPPORTED:
		return "version not supported";
	}
	return "unknown";
}
