#include "runner/case/profile_values.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/net/transport.h"

#define AT(member) .offset = offsetof(struct profile, member)

#define MINUTE 60.0
#define HOUR   3600.0

/* --- ixit ---------------------------------------------------------------------------------------
 */

static void take_t3346_min(struct reader *r, const struct node *value, const struct key *key,
			   void *to)
{
	r->t3346_min = value;
	take_duration(r, value, key, to);
}

static void take_t3346_max(struct reader *r, const struct node *value, const struct key *key,
			   void *to)
{
	r->t3346_max = value;
	take_duration(r, value, key, to);
}

/* GPRS timer 2, TS 24.008 10.5.7.4: at most 31 decihours. */
static const struct key t3346_table[] = {
	KEY("min", take_t3346_min, AT(t3346_min), .min = 2, .max = 186 * MINUTE,
	    .text = "the shortest"),
	KEY("max", take_t3346_max, AT(t3346_max), .min = 2, .max = 186 * MINUTE,
	    .text = "the longest"),
};
static const struct keys t3346_keys = KEYS(t3346_table);

static void take_toggles(struct reader *r, const struct node *value, const struct key *key,
			 void *to)
{
	char literal[32];
	const char *slash;
	unsigned long n;
	uint64_t window;
	char *end;

	(void)key;
	(void)to;
	if (!reader_scalar(r, value, "changes/time"))
		return;
	slash = strchr(value->scalar, '/');
	n = strtoul(value->scalar, &end, 10);
	/* "2/m" is two a minute, "3/10s" three in ten seconds */
	snprintf(literal, sizeof(literal), "%s%.20s",
		 slash && slash[1] >= '0' && slash[1] <= '9' ? "" : "1", slash ? slash + 1 : "");
	if (!slash || end != slash || end == value->scalar || value->scalar[0] == '-' || n == 0 ||
	    n > 1000000 || !profile_duration(literal, &window) || window == 0) {
		reader_complain(r, value, "changes/time expected (2/m, 3/10s), not \"%.60s\"",
				value->scalar);
		return;
	}
	r->profile->max_toggles = (uint32_t)n;
	r->profile->max_toggles_window = window;
}

static void take_method(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	static const char *const methods[] = { "GET",	 "POST", "PUT",	    "PATCH",
					       "DELETE", "HEAD", "OPTIONS", NULL };
	const struct key word = { .name = key->name, .words = methods };
	unsigned int n = 0;

	take_word(r, value, &word, &n);
	strcpy(to, methods[n]);
}

static void take_path(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	char **path = to;

	take_string(r, value, key, path);
	if (*path && (*path)[0] != '/')
		reader_complain(r, value, "a path with / at its beginning expected, not \"%.60s\"",
				*path);
}

static const struct key operation_table[] = {
	KEY("method", take_method, .offset = offsetof(struct profile_operation, method),
	    .text = "of the request", .required = true),
	KEY("path", take_path, .offset = offsetof(struct profile_operation, path),
	    .text = "below the apiRoot", .required = true),
	KEY("expect", take_u16, .offset = offsetof(struct profile_operation, expect), .min = 100,
	    .max = 599, .text = "the status of success"),
	KEY("body", take_string, .offset = offsetof(struct profile_operation, body),
	    .text = "JSON; {callback} stands for a URI of the tester"),
};
static const struct keys operation_keys = KEYS(operation_table);

static void take_operations(struct reader *r, const struct node *value, const struct key *key,
			    void *to)
{
	struct profile *p = r->profile;

	(void)key;
	(void)to;
	if (!reader_list(r, value, "operations"))
		return;
	for (const struct node *e = value->first; e; e = e->next) {
		if (p->operation_count == PROFILE_LIST_MAX) {
			reader_complain(r, e, "more than %d operations", PROFILE_LIST_MAX);
			return;
		}
		p->operations[p->operation_count].expect = 200;
		reader_map(r, e, &operation_keys, &p->operations[p->operation_count++]);
	}
}

static const struct key level_table[] = {
	KEY("from", take_u32, .offset = offsetof(struct load_level, from), .max = 150,
	    .required = true, .text = "per cent of load from which this holds"),
	KEY("action", take_u8, .offset = offsetof(struct load_level, action), .max = 3,
	    .required = true, .text = "the overload action of NGAP, 0 to 3"),
	KEY("tlr", take_u8, .offset = offsetof(struct load_level, tlr), .min = 1, .max = 99,
	    .text = "the traffic load reduction, per cent"),
	KEY("nas-congestion", take_flag, .offset = offsetof(struct load_level, nas_congestion),
	    .text = "whether NAS congestion control is active"),
};
static const struct keys level_keys = KEYS(level_table);

static void take_levels(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct profile *p = r->profile;

	(void)key;
	(void)to;
	if (!reader_list(r, value, "load levels"))
		return;
	for (const struct node *e = value->first; e; e = e->next) {
		struct load_level *level = &p->load_levels[p->load_level_count];

		if (p->load_level_count == PROFILE_LIST_MAX) {
			reader_complain(r, e, "more than %d load levels", PROFILE_LIST_MAX);
			return;
		}
		reader_map(r, e, &level_keys, level);
		if (p->load_level_count && level->from <= level[-1].from)
			reader_complain(r, e, "load levels have to rise: %u is not above %u",
					level->from, level[-1].from);
		p->load_level_count++;
	}
}

static const struct key desync_table[] = {
	KEY("share", take_double, AT(desync_share), .min = 0.01, .max = 1,
	    .text = "how much of the widest spread is enough"),
	KEY("values", take_u32, AT(desync_values), .min = 1, .max = 1000,
	    .text = "how many values are drawn"),
	KEY("bin", take_double, AT(desync_bin), .min = 0.001, .max = 1,
	    .text = "width of a bin of the histogram, as a share"),
};
static const struct keys desync_keys = KEYS(desync_table);

static const struct key ixit_table[] = {
	KEY("t3346", take_map, .map = &t3346_keys, .text = "bounds of T3346 that the IUT uses"),
	/* GPRS timer 3, TS 24.008 10.5.7.4a: at most 31 times 320 hours */
	KEY("t3512", take_duration, AT(t3512), .min = 2, .max = 9920 * HOUR,
	    .text = "the periodic registration timer"),
	KEY("mobile-reachable", take_duration, AT(mobile_reachable), .min = 1, .max = 20000 * HOUR,
	    .text = "the mobile reachable timer"),
	KEY("implicit-deregistration", take_duration, AT(implicit_deregistration), .min = 1,
	    .max = 20000 * HOUR, .text = "the implicit de-registration timer"),
	KEY("response-time", take_duration, AT(response_time), .min = 0.01, .max = 10 * MINUTE,
	    .text = "the longest time until an answer"),
	KEY("connect-time", take_duration, AT(connect_time), .min = 0.1, .max = HOUR,
	    .text = "within this time an IUT that connects to the tester has done so"),
	KEY("max-toggles", take_toggles,
	    .text = "how often overload may begin and end: N/m or N/h"),
	KEY("operations", take_operations, .text = "what any request is, for a producer",
	    .map = &operation_keys, .is_list = true),
	KEY("load-levels", take_levels, .text = "what the IUT does from which load on",
	    .map = &level_keys, .is_list = true),
	KEY("desync", take_map, .map = &desync_keys, .text = "how timer values are spread"),
};
const struct keys profile_ixit_keys = KEYS(ixit_table);

/* --- policy -------------------------------------------------------------------------------------
 */

static void take_should(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	static const char *const words[] = { "warn", "fail", NULL };
	const struct key word = { .name = key->name, .words = words };
	unsigned int n = 0;

	take_word(r, value, &word, &n);
	*(bool *)to = n == 1;
}

static const struct key policy_table[] = {
	KEY("should", take_should, AT(should_fails),
	    .text = "what a violated should is: warn or fail"),
	KEY("false-alarm", take_double, AT(false_alarm), .min = 1e-15, .max = 0.01,
	    .text = "the share of false alarms of a statistical verdict (1e-9)"),
	KEY("max-duration", take_duration, AT(max_duration), .min = 1, .max = 1000 * HOUR,
	    .text = "the longest time of a run"),
};
const struct keys profile_policy_keys = KEYS(policy_table);

/* --- control ------------------------------------------------------------------------------------
 */

static void take_command(struct reader *r, const struct node *value, const struct key *key,
			 void *to)
{
	char ***command = to;
	size_t n = 0;

	if (!reader_list(r, value, "the program and its arguments"))
		return;
	if (value->count == 0) {
		reader_complain(r, value, "a program expected, not an empty list");
		return;
	}
	*command = calloc(value->count + 1, sizeof(**command));
	if (!*command) {
		reader_complain(r, value, "out of memory");
		return;
	}
	for (const struct node *e = value->first; e; e = e->next) {
		char *word = NULL;

		take_string(r, e, key, &word);
		if (word)
			(*command)[n++] = word;
	}
}

static void take_control_timeout(struct reader *r, const struct node *value, const struct key *key,
				 void *to)
{
	r->control_timeout = value;
	take_duration(r, value, key, to);
}

static void take_control_url(struct reader *r, const struct node *value, const struct key *key,
			     void *to)
{
	char **url = to;

	take_string(r, value, key, url);
	if (*url && strncmp(*url, "http://", 7) != 0 && strncmp(*url, "https://", 8) != 0)
		reader_complain(r, value, "a URL with http:// or https:// expected, not \"%.60s\"",
				*url);
}

static void take_control_kind(struct reader *r, const struct node *value, const struct key *key,
			      void *to)
{
	/* in the order of enum control_kind from CONTROL_BUILTIN on */
	static const char *const kinds[] = { "builtin", "exec", "http", "manual", NULL };
	const struct key word = { .name = key->name, .words = kinds };
	unsigned int n = 0;

	take_word(r, value, &word, &n);
	*(enum control_kind *)to = (enum control_kind)(CONTROL_BUILTIN + n);
}

static const struct key control_table[] = {
	KEY("kind", take_control_kind, AT(control), .required = true,
	    .text = "builtin, exec, http or manual"),
	KEY("command", take_command, AT(control_command),
	    .text = "of exec: the program and its arguments, to which the action is added"),
	KEY("url", take_control_url, AT(control_url),
	    .text = "of http: where the action is posted"),
	KEY("timeout", take_control_timeout, AT(control_timeout), .min = 0.1, .max = 24 * HOUR,
	    .text = "the longest time of an action"),
};
const struct keys profile_control_keys = KEYS(control_table);

void take_control(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct profile *p = r->profile;

	(void)key;
	(void)to;
	reader_map(r, value, &profile_control_keys, p);
	if (p->control == CONTROL_EXEC && !p->control_command)
		reader_complain(r, value, "kind exec needs a command");
	if (p->control == CONTROL_HTTP && !p->control_url)
		reader_complain(r, value, "kind http needs a url");
	if (p->control != CONTROL_EXEC && p->control_command)
		reader_complain(r, value, "a command is for kind exec only");
	if (p->control != CONTROL_HTTP && p->control_url)
		reader_complain(r, value, "a url is for kind http only");
	/* a person needs longer than a program */
	if (p->control == CONTROL_MANUAL && !r->control_timeout)
		p->control_timeout = 600 * US_PER_S;
}

/* --- between values -----------------------------------------------------------------------------
 */

static void need(struct reader *r, const struct node *root, bool there, const char *what)
{
	if (!there)
		reader_complain(r, root, "the role %s needs %s", role_name(r->profile->role), what);
}

static void not_mixed(struct reader *r, const struct node *where,
		      const struct net_address *addresses, size_t count,
		      const struct net_address *like)
{
	for (size_t i = 0; i < count; i++) {
		if (addresses[i].sa.sa_family == like->sa.sa_family)
			continue;
		reader_complain(r, where, "IPv4 and IPv6 addresses are mixed");
		return;
	}
}

static void check_n4(struct reader *r, const struct node *root)
{
	struct profile *p = r->profile;

	need(r, root, p->has_iut_n4, "iut.n4.address");
	need(r, root, p->n4_count > 0, "tester.n4.addresses");
	if (!p->has_iut_n4 || !p->n4_count)
		return;
	not_mixed(r, r->n4_addresses, p->n4, p->n4_count, &p->iut_n4);
	not_mixed(r, r->n4_f_seid, p->iut_n4_f_seid, p->iut_n4_f_seid_count, &p->iut_n4);
	for (size_t i = 0; i < p->n4_count; i++)
		if (net_address_same_ip(&p->n4[i], &p->iut_n4))
			reader_complain(r, r->n4_addresses,
					"the address of the IUT is among those of the tester");
}

/* Whoever claims access tokens says how they are signed: by our NRF, or by the one that is tested.
 */
static void check_oauth2(struct reader *r, const struct node *root)
{
	struct profile *p = r->profile;
	const struct profile_oauth2 *ours = &p->sbi_oauth2, *theirs = &p->iut_sbi_oauth2;

	if (role_on_sbi(p->role) && p->ics[ICS_OAUTH2] && p->role == ROLE_NRF)
		need(r, root, theirs->key || theirs->secret, "iut.sbi.oauth2 (oauth2 is claimed)");
	if (role_on_sbi(p->role) && p->ics[ICS_OAUTH2] && p->role != ROLE_NRF)
		need(r, root, ours->key || ours->secret, "tester.sbi.oauth2 (oauth2 is claimed)");
	if (p->role == ROLE_AMF && ours->on && p->has_sbi_nrf)
		reader_complain(r, root,
				"tester.sbi.oauth2 is for the NRF that the tester plays, and "
				"tester.sbi.nrf is another one");
}

/* An AMF's peers are played at one address; where nobody plays the NRF, there has to be one. */
static void check_sbi_roles(struct reader *r, const struct node *root)
{
	struct profile *p = r->profile;

	if (!p->sbi_role_count)
		return;
	need(r, root, p->has_sbi, "tester.sbi.address");
	if (p->iut_sbi_uri && net_address_same_ip(&p->sbi, &p->iut_sbi))
		reader_complain(r, root, "tester.sbi.address is that of the IUT");
	for (size_t i = 0; i < p->sbi_role_count; i++) {
		if (strcmp(p->sbi_roles[i], "nrf") == 0)
			return;
	}
	need(r, root, p->has_sbi_nrf, "tester.sbi.nrf (or the role nrf)");
}

static void check_sbi(struct reader *r, const struct node *root)
{
	struct profile *p = r->profile;

	need(r, root, p->iut_sbi_uri != NULL || p->role == ROLE_NF_CLIENT, "iut.sbi.uri");
	need(r, root, p->has_sbi || p->role == ROLE_NRF, "tester.sbi.address");
	need(r, root, p->sbi_address_count > 0, "tester.sbi.addresses");
	if (p->role == ROLE_NF_SERVER)
		need(r, root, p->operation_count > 0, "ixit.operations");
	for (size_t i = 0; i < p->sbi_address_count; i++) {
		if (p->has_sbi && net_address_same_ip(&p->sbi_addresses[i], &p->sbi))
			reader_complain(r, r->sbi_addresses,
					"tester.sbi.address is among tester.sbi.addresses");
		if (p->iut_sbi_uri && net_address_equal(&p->sbi_addresses[i], &p->iut_sbi))
			reader_complain(r, r->sbi_addresses,
					"the address of the IUT is among those of the tester");
	}
	if (p->has_sbi && p->iut_sbi_uri && net_address_equal(&p->sbi, &p->iut_sbi))
		reader_complain(r, root, "tester.sbi.address is that of the IUT");
}

void profile_check(struct reader *r, const struct node *root)
{
	struct profile *p = r->profile;
	bool n2 = p->role == ROLE_AMF;

	if (p->t3346_min > p->t3346_max)
		reader_complain(r, r->t3346_min ? r->t3346_min : r->t3346_max,
				"the minimum of t3346 is above its maximum");
	/* What the tester plays towards the IUT has to have a place. */
	if (n2) {
		need(r, root, p->iut_n2.sa.sa_family != 0, "iut.n2.address");
		need(r, root, p->n2.address_count > 0, "tester.n2.addresses");
		need(r, root, p->subscribers.count > 0, "subscribers");
		need(r, root, p->slice_count > 0, "slices");
	}
	if (p->role == ROLE_AMF || p->role == ROLE_UE || p->role == ROLE_RAN)
		need(r, root, p->plmn.digits[0] != '\0', "network.plmn");
	if (p->role == ROLE_UE || p->role == ROLE_RAN)
		need(r, root, p->amf_count > 0, "tester.amfs");
	if (p->role == ROLE_UE)
		need(r, root, p->subscribers.count > 0, "subscribers");
	if (role_on_n4(p->role))
		check_n4(r, root);
	if (role_on_sbi(p->role))
		check_sbi(r, root);
	check_oauth2(r, root);
	if (p->role == ROLE_AMF)
		check_sbi_roles(r, root);
	not_mixed(r, r->n2_addresses, p->n2.addresses, p->n2.address_count, p->n2.addresses);
	/* The tester speaks what the IUT speaks, unless it is told otherwise. */
	if (!r->n2_transport)
		p->n2.transport = p->iut_transport;
}

struct profile *profile_read(const char *path, struct text *errors)
{
	struct reader r = { .path = path, .errors = errors };
	size_t said = errors->len;
	struct node *root;
	uint64_t digest;

	root = tree_read(path, &digest, errors);
	if (!root)
		return NULL;
	r.profile = calloc(1, sizeof(*r.profile));
	/* A key that stood twice was said already and left the tree. */
	r.bad = errors->len > said;
	if (r.profile) {
		profile_defaults(r.profile);
		r.profile->digest = digest;
		r.profile->file = strdup(path);
		reader_map(&r, root, &profile_keys, r.profile);
		if (!r.bad)
			profile_check(&r, root);
		r.profile->live = r.profile->control != CONTROL_BUILTIN;
	}
	if (!r.profile || !r.profile->file)
		reader_complain(&r, root, "out of memory");
	tree_free(root);
	if (!r.bad)
		return r.profile;
	profile_free(r.profile);
	return NULL;
}
