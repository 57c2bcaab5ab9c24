#include "runner/cli/iut_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int unknown_name(const struct invocation *invocation, const char *option, const char *name,
			const struct iut_fault *list, size_t count)
{
	const char *names[NAMES_MAX], *nearest;
	size_t n = 0;

	for (size_t i = 0; i < count && n < NAMES_MAX; i++)
		names[n++] = list[i].name;
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
			return unknown_name(invocation, "fault", names->words[i], ops->faults,
					    ops->fault_count);
	}
	names = &invocation->settings.with_variants;
	for (size_t i = 0; i < names->count; i++) {
		if (!iut_set_add_variant(variants, ops, names->words[i]))
			return unknown_name(invocation, "variant", names->words[i], ops->variants,
					    ops->variant_count);
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

int choose_address(const struct invocation *invocation, struct profile *profile)
{
	const char *word = invocation->settings.address;
	char ip[64];
	const char *colon, *close;
	unsigned long port = NGAP_PORT;
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
		if (net_address_parse(&profile->iut_n2, ip, (uint16_t)port) == 0)
			return 0;
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
