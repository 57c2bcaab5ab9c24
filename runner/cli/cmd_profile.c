/* profile check: what is wrong with a profile, or what the suite understood of it. */
#include "runner/cli/commands.h"

#include <stdio.h>

#include "reports/printable.h"

enum { PROFILE_TEXT_MAX = 65536 };

int command_profile_check(struct invocation *invocation)
{
	const struct settings *settings = &invocation->settings;
	static char buf[PROFILE_TEXT_MAX];
	struct profile *profile;
	struct text text;

	text_init(&text, buf, sizeof(buf));
	if (settings->list_ics) {
		profile_list_ics(&text);
		fputs(buf, stdout);
		return output_done(invocation, EXIT_PASSED);
	}
	if (settings->operands.count == 0)
		return usage_error(invocation, "FILE is missing");
	profile = profile_read(settings->operands.words[0], &text);
	if (profile == NULL) {
		print_lines(buf, "", stderr);
		return EXIT_USAGE;
	}
	text_init(&text, buf, sizeof(buf));
	profile_summary(profile, &text);
	profile_free(profile);
	fputs(buf, stdout);
	return output_done(invocation, EXIT_PASSED);
}
