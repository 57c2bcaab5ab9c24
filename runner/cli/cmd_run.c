/* run: runs a selection and tells people how it goes; the work itself is the supervisor's. */
#include "runner/cli/commands.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runner/cli/iut_choice.h"
#include "runner/cli/live_iut.h"
#include "runner/cli/screen.h"
#include "runner/net/link.h"

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

static void catch_signals(void)
{
	/* A second one kills. */
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* run-DATE-TIME, with a number where that is taken. */
static bool default_out(char *path, size_t size)
{
	char stamp[32];
	time_t now = time(NULL);
	struct tm local;

	if (localtime_r(&now, &local) == NULL ||
	    strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &local) == 0)
		return false;
	snprintf(path, size, "run-%s", stamp);
	for (unsigned int i = 2; access(path, F_OK) == 0 && i < 1000; i++)
		snprintf(path, size, "run-%s-%u", stamp, i);
	return true;
}

static int check_options(const struct invocation *invocation)
{
	const struct settings *settings = &invocation->settings;

	if (settings->live && settings->virtual_time)
		return usage_error(invocation, "--live and --virtual exclude each other");
	if (settings->out != NULL && settings->resume != NULL)
		return usage_error(invocation, "--out and --resume exclude each other: a resumed "
					       "run goes on in its own record");
	return 0;
}

/* What only makes sense once it is known whether the run is live. */
static int check_live(const struct invocation *invocation, const struct profile *profile)
{
	const struct settings *settings = &invocation->settings;

	if (profile->live && settings->jobs > 1)
		return usage_error(invocation, "--jobs: live runs against one IUT are serial");
	if (profile->live && settings->profile != NULL &&
	    (settings->faults.count > 0 || settings->with_variants.count > 0))
		return usage_error(invocation, "--fault and --variant are for the reference IUT, "
					       "not for the IUT of a profile");
	if (!profile->live && settings->transport != TRANSPORT_BY_PROFILE)
		return usage_error(invocation, "--transport is for live runs");
	return 0;
}

/* As --version has it, in one line. */
static const char *back_ends(void)
{
	static char buf[512];
	char lines[500];
	struct text text;
	size_t first;

	text_init(&text, lines, sizeof(lines));
	net_back_ends(&text);
	text_printf(&text, "jansson %s", jansson_version_str());
	first = strcspn(lines, "\n");
	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "%.*s; %s", (int)first, lines, lines + first + (lines[first] != '\0'));
	return buf;
}

/* The options that change what a case sees and that the run does not know of. */
static const char *repeat_words(const struct settings *settings)
{
	static const char *const transports[] = {
		[TRANSPORT_AUTO] = "auto",
		[TRANSPORT_KERNEL] = "kernel",
		[TRANSPORT_USRSCTP] = "usrsctp",
		[TRANSPORT_USRSCTP_UDP] = "usrsctp-udp",
	};
	static char buf[3072];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	if (settings->transport != TRANSPORT_BY_PROFILE)
		text_printf(&text, " --transport %s", transports[settings->transport]);
	for (size_t i = 0; i < settings->faults.count; i++)
		text_printf(&text, " --fault %s", settings->faults.words[i]);
	for (size_t i = 0; i < settings->with_variants.count; i++)
		text_printf(&text, " --variant %s", settings->with_variants.words[i]);
	return text.len > 0 ? buf + 1 : NULL;
}

static void fill_options(const struct invocation *invocation, struct run_options *options)
{
	static const enum record_level levels[] = {
		[LOG_WORD_ERROR] = RECORD_ERROR,
		[LOG_WORD_WARN] = RECORD_WARN,
		[LOG_WORD_INFO] = RECORD_INFO,
		[LOG_WORD_DEBUG] = RECORD_DEBUG,
	};
	const struct settings *settings = &invocation->settings;

	options->globs = settings->operands.words;
	options->glob_count = settings->operands.count;
	options->seed_given = option_given(invocation->command, settings, "seed");
	options->seed = options->seed_given ? settings->seed : 1;
	options->jobs = (unsigned int)settings->jobs;
	options->shard = (unsigned int)settings->shard.index;
	options->shards = (unsigned int)settings->shard.count;
	options->repeat = (unsigned int)settings->repeat;
	options->until_fail = settings->until_fail;
	options->max_duration = settings->max_duration;
	options->baseline = settings->baseline;
	options->resume = settings->resume;
	options->steps = settings->verbose;
	options->log_level =
		settings->log_level == 0 ? RECORD_INFO : levels[settings->log_level - 1];
	options->should = settings->should == SHOULD_FAIL   ? RUN_SHOULD_FAIL
			  : settings->should == SHOULD_WARN ? RUN_SHOULD_WARN
							    : RUN_SHOULD_POLICY;
	options->evidence_failed_only = settings->evidence == EVIDENCE_FAILED;
	options->version = invocation->registry->version;
	options->commit = invocation->registry->commit;
	options->back_ends = back_ends();
	options->program = "spillway";
	options->repeat_words = repeat_words(settings);
	options->interrupted = &interrupted;
}

static int take_shard(const struct invocation *invocation, struct run_options *options)
{
	char buf[256];
	struct text why;
	int error = 0;

	if (options->shards > 0)
		return 0;
	text_init(&why, buf, sizeof(buf));
	if (!run_shard_environment(&options->shard, &options->shards, &error, &why))
		return 0;
	if (error != 0)
		return usage_error(invocation, "%s", buf);
	if (options->shards > 1)
		command_error(invocation, 0, "part %u of %u, as the environment says",
			      options->shard, options->shards);
	return 0;
}

struct live_run {
	const struct invocation *invocation;
	struct screen screen;
	struct live_iut iut;
	/* by role, of the IUTs that were started; the first is the command's */
	struct profile *profiles[ROLE_NRF + 1];
};

static void on_progress(void *arg, const struct run_progress *progress)
{
	struct live_run *live = arg;

	screen_progress(&live->screen, progress);
}

static struct profile *live_profile(const struct invocation *invocation, enum role role)
{
	struct profile *profile = profile_builtin(role);

	if (profile == NULL)
		return NULL;
	profile->live = true;
	profile->n2.transport = chosen_transport(&invocation->settings, profile->n2.transport);
	return profile;
}

/* One after the other: each role's process ends when a case is about another role. */
static int start_iut(struct live_run *live, enum role role, struct text *why)
{
	const struct iut_ops *ops = run_iut(&live->invocation->registry->world, role);
	int rc;

	live_iut_stop(&live->iut);
	if (ops == NULL) {
		text_printf(why, "this version has no reference IUT of role '%s'", role_name(role));
		return -ENOENT;
	}
	if (live->profiles[role] == NULL)
		live->profiles[role] = live_profile(live->invocation, role);
	if (live->profiles[role] == NULL) {
		text_puts(why, "out of memory");
		return -ENOMEM;
	}
	rc = live_iut_start(&live->iut, live->invocation, ops, live->profiles[role], why);
	if (rc != 0)
		live_iut_stop(&live->iut);
	return rc;
}

static int ensure_iut(void *arg, enum role role, const struct profile **profile, struct text *why)
{
	struct live_run *live = arg;
	int rc;

	if (live->iut.profile != NULL && live->iut.profile->role == role)
		rc = live_iut_ensure(&live->iut, why);
	else
		rc = start_iut(live, role, why);
	*profile = live->profiles[role];
	return rc;
}

static int run_selected(struct invocation *invocation, const struct run_selection *selection,
			bool own_iut, struct profile *profile, struct run_options *options)
{
	static struct live_run live;
	struct run_counts counts = { 0 };
	char buf[1024];
	struct text why;
	int status;

	text_init(&why, buf, sizeof(buf));
	live.invocation = invocation;
	live.iut.output = -1;
	live.profiles[profile->role] = profile;
	if (own_iut) {
		options->ensure_iut = ensure_iut;
		if (start_iut(&live, profile->role, &why) != 0)
			return command_error(invocation, EXIT_RIG, "%s", buf);
	}
	screen_open(&live.screen, selection, profile, options->resume != NULL,
		    invocation->settings.colour);
	options->progress = on_progress;
	options->arg = &live;
	catch_signals();
	status = run(&invocation->registry->world, options, &counts, &why);
	live_iut_stop(&live.iut);
	for (size_t role = 0; role <= ROLE_NRF; role++) {
		if (live.profiles[role] != profile)
			profile_free(live.profiles[role]);
	}
	if (status != EXIT_USAGE)
		screen_end(&live.screen, &counts);
	screen_close(&live.screen);
	if (why.len > 0)
		command_error(invocation, status, "%s", buf);
	return output_done(invocation, status);
}

/* Live or virtual, and by which IUT; *own_iut: the run starts it itself. */
static int choose_mode(const struct invocation *invocation, struct profile *profile,
		       struct run_options *options, bool *own_iut)
{
	const struct settings *settings = &invocation->settings;
	const struct iut_ops *ops = run_iut(&invocation->registry->world, profile->role);
	int status;

	if (settings->live)
		profile->live = true;
	if (settings->virtual_time || (settings->profile == NULL && !settings->live)) {
		profile->live = false;
		profile->control = CONTROL_BUILTIN;
	}
	status = check_live(invocation, profile);
	if (status != 0)
		return status;
	if (settings->profile == NULL || !profile->live) {
		if (ops == NULL)
			return usage_error(invocation,
					   "this version has no reference IUT of role '%s'",
					   role_name(profile->role));
		status = choose_faults(invocation, ops, &options->faults, &options->variants);
		if (status != 0)
			return status;
		/* Then they are words of its command line. */
		if (profile->live) {
			options->faults = options->variants = (struct iut_set){ 0 };
			*own_iut = true;
		}
	}
	if (profile->live)
		profile->n2.transport = chosen_transport(settings, profile->n2.transport);
	return 0;
}

/*
 * The cases, and the profile that the run begins with. Without a file each role has its own
 * reference IUT; --fault and --variant then say whose cases are meant.
 */
static int choose_cases(const struct invocation *invocation, struct run_selection *selection,
			struct profile **profile, bool *one_role)
{
	const struct settings *settings = &invocation->settings;
	const struct iut_ops *faulty = NULL;
	const char *role = NULL;
	char buf[512];
	struct text why;
	int status = 0;

	if (settings->profile != NULL)
		status = choose_profile(invocation, NULL, profile);
	else
		status = choose_iut_by_faults(invocation, &faulty);
	if (status != 0)
		return status;
	if (*profile != NULL)
		role = role_name((*profile)->role);
	else if (faulty != NULL)
		role = faulty->role;
	*one_role = role != NULL;
	text_init(&why, buf, sizeof(buf));
	if (select_cases(invocation->registry, &settings->operands, role, selection, &why) != 0)
		return command_error(invocation, EXIT_USAGE, "%s", buf);
	if (*profile == NULL)
		status = choose_profile(invocation, role_name(selection->items[0].test->role),
					profile);
	return status;
}

int command_run(struct invocation *invocation)
{
	const struct settings *settings = &invocation->settings;
	struct run_options options = { 0 };
	struct run_selection selection = { 0 };
	struct profile *profile = NULL;
	bool own_iut = false;
	char out[64];
	int status = check_options(invocation);

	if (status == 0) {
		fill_options(invocation, &options);
		status = take_shard(invocation, &options);
	}
	if (status == 0)
		status = choose_cases(invocation, &selection, &profile, &options.one_role);
	if (status == 0)
		status = choose_mode(invocation, profile, &options, &own_iut);
	options.profile = profile;
	options.out = settings->out;
	if (options.out == NULL && options.resume == NULL && default_out(out, sizeof(out)))
		options.out = out;
	if (status == 0)
		status = run_selected(invocation, &selection, own_iut, profile, &options);
	run_selection_clear(&selection);
	profile_free(profile);
	return status;
}
