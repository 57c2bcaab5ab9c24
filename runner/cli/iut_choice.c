#include "runner/cli/iut_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/pfcp/pfcp.h"
#include "reports/printable.h"

enum { PROFILE_ERRORS_MAX = 65536, NAMES_MAX = IUT_SET_WORDS * 64 };

/* A role of the standards' world, whether or not this program has an IUT for it. */
static bool role_parse(const char *word, enum role *role)
{
	for (int i = ROLE_AMF; i <= ROLE_NRF; i++) {
		if (strcmp(role_name((enum role)i), word) == 0) {
			*role = (enum role)i;
			return true;
		}
	}
	return false;
}

int choose_iut(const struct invocation *invocation, const char *role, const struct iut_ops **ops)
{
	const struct run_world *world = &invocation->registry->world;
	const char *names[NAMES_MAX], *nearest;
	size_t count = 0;
	enum role known;

	*ops = registry_iut(invocation->registry, role);
	if (*ops != NULL)
		return 0;
	if (role_parse(role, &known))
		return usage_error(invocation, "this version has no reference IUT of role '%s'",
				   role);
	for (size_t i = 0; i < world->iut_count && count < NAMES_MAX; i++)
		names[count++] = world->iuts[i]->role;
	nearest = nearest_word(role, names, count);
	if (nearest == NULL && count == 1)
		nearest = names[0];
	if (nearest != NULL)
		return usage_error(invocation, "unknown role '%s' (did you mean '%s'?)", role,
				   nearest);
	return usage_error(invocation, "unknown role '%s'", role);
}

/* A fault or variant of a reference IUT. */
struct behaviour {
	const char *option; /* "fault", "variant" */
	const char *name;
};

static const struct iut_fault *list_of(const struct iut_ops *ops, const char *option, size_t *count)
{
	bool fault = strcmp(option, "fault") == 0;

	*count = fault ? ops->fault_count : ops->variant_count;
	return fault ? ops->faults : ops->variants;
}

/* The reference IUT that has it, or NULL. */
static const struct iut_ops *owner(const struct run_world *world, struct behaviour behaviour)
{
	for (size_t i = 0; i < world->iut_count; i++) {
		size_t count;
		const struct iut_fault *list = list_of(world->iuts[i], behaviour.option, &count);

		for (size_t n = 0; n < count; n++) {
			if (strcmp(list[n].name, behaviour.name) == 0)
				return world->iuts[i];
		}
	}
	return NULL;
}

/* Neither the IUT of this role (NULL: nor any other) has it. */
static int unknown_name(const struct invocation *invocation, struct behaviour behaviour,
			const struct iut_ops *only)
{
	const struct run_world *world = &invocation->registry->world;
	const struct iut_ops *other = owner(world, behaviour);
	const char *option = behaviour.option, *name = behaviour.name;
	const char *names[NAMES_MAX], *nearest;
	size_t n = 0;

	if (only != NULL && other != NULL)
		return usage_error(invocation,
				   "--%s: '%s' is a %s of the reference IUT of role '%s', not '%s'",
				   option, name, option, other->role, only->role);
	for (size_t i = 0; i < world->iut_count; i++) {
		size_t count;
		const struct iut_fault *list = list_of(world->iuts[i], option, &count);

		if (only != NULL && world->iuts[i] != only)
			continue;
		for (size_t k = 0; k < count && n < NAMES_MAX; k++)
			names[n++] = list[k].name;
	}
	nearest = nearest_word(name, names, n);
	if (nearest != NULL)
		return usage_error(invocation, "--%s: unknown name '%s' (did you mean '%s'?)",
				   option, name, nearest);
	return usage_error(invocation,
			   "--%s: unknown name '%s'; 'spillway iut ROLE --list-%ss' "
			   "prints them",
			   option, name, option);
}

int choose_faults(const struct invocation *invocation, const struct iut_ops *ops,
		  struct iut_set *faults, struct iut_set *variants)
{
	const struct word_list *names = &invocation->settings.faults;

	for (size_t i = 0; i < names->count; i++) {
		if (!iut_set_add_fault(faults, ops, names->words[i]))
			return unknown_name(invocation,
					    (struct behaviour){ "fault", names->words[i] }, ops);
	}
	names = &invocation->settings.with_variants;
	for (size_t i = 0; i < names->count; i++) {
		if (!iut_set_add_variant(variants, ops, names->words[i]))
			return unknown_name(invocation,
					    (struct behaviour){ "variant", names->words[i] }, ops);
	}
	return 0;
}

int choose_iut_by_faults(const struct invocation *invocation, const struct iut_ops **ops)
{
	const struct settings *settings = &invocation->settings;
	const struct run_world *world = &invocation->registry->world;
	size_t faults = settings->faults.count, count = faults + settings->with_variants.count;
	struct behaviour first = { 0 };

	*ops = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct behaviour behaviour =
			i < faults
				? (struct behaviour){ "fault", settings->faults.words[i] }
				: (struct behaviour){ "variant",
						      settings->with_variants.words[i - faults] };
		const struct iut_ops *its = owner(world, behaviour);

		if (its == NULL)
			return unknown_name(invocation, behaviour, NULL);
		if (*ops != NULL && its != *ops)
			return usage_error(
				invocation,
				"--%s %s is of role '%s', --%s %s of role '%s': faults and "
				"variants of a run belong to one role",
				first.option, first.name, (*ops)->role, behaviour.option,
				behaviour.name, its->role);
		if (*ops == NULL)
			first = behaviour;
		*ops = its;
	}
	return 0;
}

int choose_profile(const struct invocation *invocation, const char *role, struct profile **profile)
{
	static char buf[PROFILE_ERRORS_MAX];
	const char *path = invocation->settings.profile;
	enum role number = ROLE_AMF;
	struct text errors;

	if (path == NULL) {
		if (role != NULL)
			role_parse(role, &number);
		*profile = profile_builtin(number);
		return *profile != NULL ? 0 : command_error(invocation, EXIT_RIG, "out of memory");
	}
	text_init(&errors, buf, sizeof(buf));
	*profile = profile_read(path, &errors);
	if (*profile == NULL) {
		print_lines(buf, "", stderr);
		return EXIT_USAGE;
	}
	if (role != NULL && strcmp(role_name((*profile)->role), role) != 0) {
		const char *other = role_name((*profile)->role);

		profile_free(*profile);
		*profile = NULL;
		return usage_error(invocation, "%s is the profile of an IUT of role '%s', not '%s'",
				   path, other, role);
	}
	return 0;
}

static void move(struct net_address *address, uint32_t network)
{
	uint32_t ip;

	if (address->sa.sa_family != AF_INET)
		return;
	ip = ntohl(address->v4.sin_addr.s_addr);
	if (ip >> 24 == 127)
		address->v4.sin_addr.s_addr = htonl((network & ~UINT32_C(0xff)) | (ip & 0xff));
}

/* The URI says what the address says. */
static bool write_uri(struct profile *profile)
{
	char uri[128];
	struct text text;

	text_init(&text, uri, sizeof(uri));
	text_puts(&text, profile->iut_sbi_https ? "https://" : "http://");
	net_address_print(&profile->iut_sbi, &text);
	return profile_set_iut_sbi(profile, uri);
}

void move_on_loopback(struct profile *profile, const struct net_address *network)
{
	uint32_t ip;

	if (network->sa.sa_family != AF_INET)
		return;
	ip = ntohl(network->v4.sin_addr.s_addr);
	if (ip >> 24 != 127)
		return;
	move(&profile->iut_n2, ip);
	for (size_t i = 0; i < profile->n2.address_count; i++)
		move(&profile->n2.addresses[i], ip);
	move(&profile->n3iwf, ip);
	for (size_t i = 0; i < profile->amf_count; i++) {
		struct profile_amf *amf = &profile->amfs[i];

		move(&amf->address, ip);
		for (size_t tnl = 0; tnl < PROFILE_LIST_MAX; tnl++)
			move(&amf->tnl_addresses[tnl], ip);
	}
	move(&profile->iut_n4, ip);
	for (size_t i = 0; i < profile->iut_n4_f_seid_count; i++)
		move(&profile->iut_n4_f_seid[i], ip);
	for (size_t i = 0; i < profile->n4_count; i++)
		move(&profile->n4[i], ip);
	move(&profile->sbi, ip);
	for (size_t i = 0; i < profile->sbi_address_count; i++)
		move(&profile->sbi_addresses[i], ip);
	if (profile->iut_sbi_uri != NULL) {
		move(&profile->iut_sbi, ip);
		write_uri(profile);
	}
}

struct net_address *iut_address(struct profile *profile)
{
	if (role_on_sbi(profile->role))
		return &profile->iut_sbi;
	return role_on_n4(profile->role) ? &profile->iut_n4 : &profile->iut_n2;
}

static bool set_iut_address(struct profile *profile, const struct net_address *address)
{
	*iut_address(profile) = *address;
	return !role_on_sbi(profile->role) || write_uri(profile);
}

static uint16_t default_port(const struct profile *profile)
{
	if (role_on_sbi(profile->role))
		return profile->sbi_port;
	return role_on_n4(profile->role) ? PFCP_PORT : NGAP_PORT;
}

int choose_address(const struct invocation *invocation, struct profile *profile)
{
	const char *word = invocation->settings.address;
	char ip[64];
	const char *colon, *close;
	struct net_address address;
	unsigned long port = default_port(profile);
	size_t len;
	char *end;

	if (word == NULL)
		return 0;
	/* IPv6 with a port is [IP]:PORT. */
	close = word[0] == '[' ? strchr(word, ']') : NULL;
	colon = close != NULL ? (close[1] == ':' ? close + 1 : NULL) : strchr(word, ':');
	if (close == NULL && colon != NULL && strchr(colon + 1, ':') != NULL)
		colon = NULL;
	if (close != NULL)
		len = (size_t)(close - word - 1);
	else
		len = colon == NULL ? strlen(word) : (size_t)(colon - word);
	if (colon != NULL) {
		port = strtoul(colon + 1, &end, 10);
		if (colon[1] < '0' || colon[1] > '9' || *end != '\0' || port < 1 || port > 65535)
			return usage_error(invocation,
					   "--address: '%s' has no port from 1 to 65535", word);
	}
	if (len < sizeof(ip)) {
		memcpy(ip, close != NULL ? word + 1 : word, len);
		ip[len] = '\0';
		if (net_address_parse(&address, ip, (uint16_t)port) == 0) {
			if (!set_iut_address(profile, &address))
				return command_error(invocation, EXIT_RIG, "out of memory");
			if (invocation->settings.profile == NULL)
				move_on_loopback(profile, &address);
			return 0;
		}
	}
	return usage_error(invocation, "--address: '%s' is not IP, IP:PORT or [IPv6]:PORT", word);
}

enum net_transport chosen_transport(const struct settings *settings, enum net_transport otherwise)
{
	switch (settings->transport) {
	case TRANSPORT_AUTO:
		return NET_AUTO;
	case TRANSPORT_KERNEL:
		return NET_KERNEL;
	case TRANSPORT_USRSCTP:
		return NET_USRSCTP;
	case TRANSPORT_USRSCTP_UDP:
		return NET_USRSCTP_UDP;
	default:
		return otherwise;
	}
}
