#include "runner/cli/commands.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reports/printable.h"
#include "runner/net/link.h"

#define PLACE(member) .place = offsetof(struct settings, member)
#define COUNT(array)  (sizeof(array) / sizeof((array)[0]))

static const char *const log_levels[] = { "error", "warn", "info", "debug", NULL };
static const char *const should_words[] = { "warn", "fail", NULL };
static const char *const colour_words[] = { "auto", "always", "never", NULL };
static const char *const evidence_words[] = { "all", "failed", NULL };
static const char *const formats[] = { "junit", "tap", "json", "html", "text", "markdown", NULL };
static const char *const diff_formats[] = { "text", "html", "json", NULL };
static const char *const transports[] = { "auto", "kernel", "usrsctp", "usrsctp-udp", NULL };

#define OPTION_COLOUR                                                                    \
	{                                                                                \
		.name = "color", .kind = OPTION_WORD, .value = "WHEN", PLACE(colour),    \
		.words = colour_words,                                                   \
		.text = "colours (default auto: on a terminal, unless NO_COLOR is set)", \
	}
#define OPTION_JSON(what)                                         \
	{                                                         \
		.name = "json", .kind = OPTION_FLAG, PLACE(json), \
		.text = "prints one JSON object " what            \
	}
#define OPTION_PROFILE                                                                     \
	{                                                                                  \
		.name = "profile", .kind = OPTION_TEXT, .value = "FILE", PLACE(profile),   \
		.text = "the IUT's profile; without it the embedded reference IUT is used" \
	}
#define OPTION_JOBS                                                                                \
	{                                                                                          \
		.name = "jobs", .letter = 'j', .kind = OPTION_NUMBER, .value = "N", PLACE(jobs),   \
		.min = 1, .max = 1024,                                                             \
		.text = "cases that run at the same time (default: one for each processor; live: " \
			"always 1)"                                                                \
	}
#define OPTION_SEED                                                                               \
	{                                                                                         \
		.name = "seed", .kind = OPTION_NUMBER, .value = "N", PLACE(seed), .min = 0,       \
		.max = UINT64_MAX, .text = "what all random numbers are derived from (default 1)" \
	}
#define OPTION_CONTROL(what)                                                               \
	{                                                                                  \
		.name = "control", .kind = OPTION_TEXT, .value = "SOCKET", PLACE(control), \
		.text = what                                                               \
	}

static const struct option list_options[] = { OPTION_JSON("on standard output") };
static const struct option show_options[] = { OPTION_COLOUR };

static const struct option explain_options[] = { OPTION_JSON("on standard output") };

static const struct option run_options[] = {
	OPTION_PROFILE,
	OPTION_SEED,
	OPTION_JOBS,
	{ .name = "shard",
	  .kind = OPTION_SHARD,
	  .value = "I/N",
	  PLACE(shard),
	  .text = "runs the I-th of N parts of the selected cases" },
	{ .name = "max-duration",
	  .kind = OPTION_DURATION,
	  .value = "D",
	  PLACE(max_duration),
	  .text = "the time of the whole run: live cases that need more of the IUT are left out, "
		  "and what has not begun or ended by then is not run" },
	{ .name = "repeat",
	  .kind = OPTION_NUMBER,
	  .value = "N",
	  PLACE(repeat),
	  .min = 1,
	  .max = 1000000,
	  .text = "runs the selection N times, with N seeds from --seed on" },
	{ .name = "until-fail",
	  .kind = OPTION_FLAG,
	  PLACE(until_fail),
	  .text = "repeats until a case neither passes nor is not applicable (at most --repeat "
		  "times, where given)" },
	{ .name = "baseline",
	  .kind = OPTION_TEXT,
	  .value = "FILE",
	  PLACE(baseline),
	  .text = "verdicts that are expected other than pass: a line 'ID VERDICT reason...' a "
		  "case" },
	{ .name = "out",
	  .letter = 'o',
	  .kind = OPTION_TEXT,
	  .value = "DIR",
	  PLACE(out),
	  .text = "where the run record is written (default: run-DATE-TIME)" },
	{ .name = "resume",
	  .kind = OPTION_TEXT,
	  .value = "DIR",
	  PLACE(resume),
	  .text = "completes the run record DIR: its finished cases are kept" },
	{ .name = "log",
	  .kind = OPTION_WORD,
	  .value = "LEVEL",
	  PLACE(log_level),
	  .words = log_levels,
	  .text = "what the logs of the cases hold (default info)" },
	{ .name = "verbose",
	  .letter = 'v',
	  .kind = OPTION_FLAG,
	  PLACE(verbose),
	  .text = "prints each message, control action and timer on standard error when it "
		  "happens" },
	OPTION_COLOUR,
	{ .name = "live",
	  .kind = OPTION_FLAG,
	  PLACE(live),
	  .text = "real time and real sockets; without a profile 'spillway iut' is started on "
		  "loopback" },
	{ .name = "virtual",
	  .kind = OPTION_FLAG,
	  PLACE(virtual_time),
	  .text = "virtual time with the embedded reference IUT (the default without a profile)" },
	{ .name = "transport",
	  .kind = OPTION_WORD,
	  .value = "T",
	  PLACE(transport),
	  .words = transports,
	  .text = "SCTP of a live run, instead of the profile's" },
	{ .name = "should",
	  .kind = OPTION_WORD,
	  .value = "WORD",
	  PLACE(should),
	  .words = should_words,
	  .text = "what a violated 'should' is; fail is for CI gates (default: the profile's, else "
		  "warn)" },
	{ .name = "evidence",
	  .kind = OPTION_WORD,
	  .value = "WORD",
	  PLACE(evidence),
	  .words = evidence_words,
	  .text = "which cases keep log, events and capture (default all)" },
	{ .name = "fault",
	  .kind = OPTION_TEXTS,
	  .value = "NAME",
	  PLACE(faults),
	  .text = "gives the reference IUT of its role this fault, and runs cases of that role "
		  "only; "
		  "may be repeated" },
	{ .name = "variant",
	  .kind = OPTION_TEXTS,
	  .value = "NAME",
	  PLACE(with_variants),
	  .text = "gives the reference IUT of its role this variant, and runs cases of that role "
		  "only; may be repeated" },
};

static const struct option faults_options[] = {
	{ .name = "role",
	  .kind = OPTION_TEXT,
	  .value = "ROLE",
	  PLACE(role),
	  .text = "only the reference IUT of this role" },
	OPTION_JSON("on standard output"),
	{ .name = "matrix",
	  .kind = OPTION_FLAG,
	  PLACE(matrix),
	  .text = "every case against every fault, not only against the faults that name it" },
	OPTION_SEED,
	{ .name = "seeds",
	  .kind = OPTION_NUMBER,
	  .value = "N",
	  PLACE(seeds),
	  .min = 1,
	  .max = 1000000,
	  .text = "runs the correct IUT with N seeds (default 1)" },
	{ .name = "variants",
	  .kind = OPTION_FLAG,
	  PLACE(variants),
	  .text = "runs the correct IUT in each of its variants too" },
	OPTION_JOBS,
};

static const struct option iut_options[] = {
	OPTION_PROFILE,
	OPTION_CONTROL("the Unix socket on which it takes control actions (default "
		       "$SPILLWAY_CONTROL, else spillway-ROLE.sock in $XDG_RUNTIME_DIR or /tmp)"),
	{ .name = "fault",
	  .kind = OPTION_TEXTS,
	  .value = "NAME",
	  PLACE(faults),
	  .text = "has this fault; may be repeated" },
	{ .name = "variant",
	  .kind = OPTION_TEXTS,
	  .value = "NAME",
	  PLACE(with_variants),
	  .text = "behaves in this variant; may be repeated" },
	{ .name = "list-faults",
	  .kind = OPTION_FLAG,
	  PLACE(list_faults),
	  .text = "prints the faults and ends" },
	{ .name = "list-variants",
	  .kind = OPTION_FLAG,
	  PLACE(list_variants),
	  .text = "prints the variants and ends" },
	{ .name = "address",
	  .kind = OPTION_TEXT,
	  .value = "IP[:PORT]",
	  PLACE(address),
	  .text = "its own address, instead of the profile's iut address; without a profile the "
		  "addresses of its peers follow it on loopback" },
	{ .name = "transport",
	  .kind = OPTION_WORD,
	  .value = "T",
	  PLACE(transport),
	  .words = transports,
	  .text = "its SCTP, instead of the profile's" },
	{ .name = "udp-port",
	  .kind = OPTION_NUMBER,
	  .value = "N",
	  PLACE(udp_port),
	  .min = 1,
	  .max = 65535,
	  .text = "its UDP port for usrsctp-udp (default 9899)" },
	OPTION_SEED,
};

static const struct option ctl_options[] = {
	OPTION_CONTROL("the socket of 'spillway iut' (default $SPILLWAY_CONTROL)"),
};

static const struct option report_options[] = {
	{ .name = "format",
	  .letter = 'f',
	  .kind = OPTION_WORD,
	  .value = "F",
	  PLACE(format),
	  .words = formats,
	  .text = "what is made of the run record" },
	{ .name = "output",
	  .letter = 'o',
	  .kind = OPTION_TEXT,
	  .value = "FILE",
	  PLACE(out),
	  .text = "writes to FILE instead of standard output" },
};

static const struct option merge_options[] = {
	{ .name = "output",
	  .letter = 'o',
	  .kind = OPTION_TEXT,
	  .value = "DIR",
	  PLACE(out),
	  .text = "the run record to make; must not exist" },
};

static const struct option diff_options[] = {
	{ .name = "format",
	  .letter = 'f',
	  .kind = OPTION_WORD,
	  .value = "F",
	  PLACE(format),
	  .words = diff_formats,
	  .text = "how the comparison is written (default text)" },
	{ .name = "output",
	  .letter = 'o',
	  .kind = OPTION_TEXT,
	  .value = "FILE",
	  PLACE(out),
	  .text = "writes to FILE instead of standard output" },
	{ .name = "noise",
	  .kind = OPTION_DURATION,
	  .value = "D",
	  PLACE(noise),
	  .text = "times that differ by less are the same (default 200ms, in virtual time 5ms, or "
		  "50ms where the seeds differ)" },
};

static const struct option baseline_options[] = {
	{ .name = "baseline",
	  .kind = OPTION_TEXT,
	  .value = "FILE",
	  PLACE(baseline),
	  .text = "the baseline so far: its reasons and comments are kept" },
	{ .name = "output",
	  .letter = 'o',
	  .kind = OPTION_TEXT,
	  .value = "FILE",
	  PLACE(out),
	  .text = "writes to FILE instead of standard output; it may be the one of --baseline" },
};

static const struct option profile_check_options[] = {
	{ .name = "list-ics",
	  .kind = OPTION_FLAG,
	  PLACE(list_ics),
	  .text = "prints the names that 'ics' may hold and ends" },
};

#define GLOB_NOTE                                                                                 \
	"GLOB matches case ids ('TP/N1/*'), suite names ('n1-congestion'), clauses "              \
	"('clause:24.501/5.3.9*'), requirements ('req:N1-A-0?') or faults ('fault:NAME'); quote " \
	"it for the shell. Without GLOB every case is meant."

static const struct command commands[] = {
	{ .name = "list",
	  .operands = "[GLOB...]",
	  .summary =
		  "Lists the cases: id, role, strength, clause, time of the IUT, purpose, needs.",
	  .notes = GLOB_NOTE,
	  .options = list_options,
	  .option_count = COUNT(list_options),
	  .max_operands = WORD_LIST_MAX,
	  .operand_name = "GLOB",
	  .run = command_list },
	{ .name = "explain",
	  .operands = "ID",
	  .summary = "Explains a case: purpose, clause, requirement, stimulus, expectation, the "
		     "faults that it catches, how to repeat it.",
	  .options = explain_options,
	  .option_count = COUNT(explain_options),
	  .min_operands = 1,
	  .max_operands = 1,
	  .operand_name = "the case ID",
	  .run = command_explain },
	{ .name = "run",
	  .operands = "[GLOB...]",
	  .summary = "Runs cases and writes a run record.",
	  .notes = GLOB_NOTE
	  "\n\nWithout --shard the environment of an array job or a test runner splits the run: "
	  "TEST_SHARD_INDEX and TEST_TOTAL_SHARDS, GTEST_SHARD_INDEX and GTEST_TOTAL_SHARDS, "
	  "SLURM_ARRAY_TASK_ID with SLURM_ARRAY_TASK_MIN and SLURM_ARRAY_TASK_COUNT, "
	  "CI_NODE_INDEX and CI_NODE_TOTAL, or JOB_COMPLETION_INDEX (Kubernetes) with "
	  "SPILLWAY_SHARDS.\n\n"
	  "Exit status: 0 every case passed, was not applicable or failed as the baseline expects; "
	  "1 at least one fail, or an expected failure passed; 2 no fail, but an inconc, or cases "
	  "that were not run: --max-duration, SIGINT or SIGTERM ended the run before them; 3 an "
	  "error: the rig broke, or the IUT could not be put back after the last case; 4 usage or "
	  "profile error, or nothing selected. 3 goes before 1, 1 before 2.\n\n"
	  "SIGINT and SIGTERM end the case that runs, put the IUT back and close the record; "
	  "--resume goes on. A second signal ends the program at once.",
	  .options = run_options,
	  .option_count = COUNT(run_options),
	  .max_operands = WORD_LIST_MAX,
	  .operand_name = "GLOB",
	  .run = command_run },
	{ .name = "faults",
	  .operands = "[GLOB...]",
	  .summary = "Runs the cases against the faults of the embedded reference IUT, and against "
		     "the correct one: the kill matrix.",
	  .notes = GLOB_NOTE
	  "\n\nA case catches a fault when its verdict is fail; a violated 'should' counts "
	  "(--should fail). Exit status: 0 without survivor and alarm, 1 otherwise, 3 where the "
	  "rig broke, 4 for a usage error.",
	  .options = faults_options,
	  .option_count = COUNT(faults_options),
	  .max_operands = WORD_LIST_MAX,
	  .operand_name = "GLOB",
	  .run = command_faults },
	{ .name = "iut",
	  .operands = "ROLE",
	  .summary = "A reference IUT as a process of its own, on real sockets.",
	  .notes = "It prints a line that begins with 'ready' once it listens, and ends on SIGTERM "
		   "or SIGINT. 'spillway ctl' moves it.",
	  .options = iut_options,
	  .option_count = COUNT(iut_options),
	  .min_operands = 1,
	  .max_operands = 1,
	  .operand_name = "ROLE",
	  .run = command_iut },
	{ .name = "ctl",
	  .operands = "ACTION [KEY=VALUE...]",
	  .summary = "Has a 'spillway iut' carry out one control action.",
	  .notes = "For a profile: control: { kind: exec, command: [spillway, ctl, --control, "
		   "SOCKET] }.\nExit status: 0 done, 3 not supported, any other: failed. The last "
		   "line of standard output is the answer's JSON object, if there is one.",
	  .options = ctl_options,
	  .option_count = COUNT(ctl_options),
	  .min_operands = 1,
	  .max_operands = WORD_LIST_MAX,
	  .operand_name = "ACTION",
	  .operands_end_options = true,
	  .run = command_ctl },
	{ .name = "report",
	  .operands = "DIR",
	  .summary = "Makes a report of a run record.",
	  .notes =
		  "Cases that were selected and not run stand in every report: an error of the "
		  "type not-run in JUnit, not ok in TAP. Exit status: 0 the report is written and "
		  "the record is whole, whatever the verdicts; 2 the report is written, but the "
		  "record is incomplete (killed, cut short, a part was not merged); 3 it cannot be "
		  "written; 4 usage error, or no run record.",
	  .options = report_options,
	  .option_count = COUNT(report_options),
	  .min_operands = 1,
	  .max_operands = 1,
	  .operand_name = "the run record DIR",
	  .run = command_report },
	{ .name = "show",
	  .operands = "DIR [GLOB...]",
	  .summary = "Shows cases of a run record, with every message.",
	  .notes = "Without GLOB every case of the record. Exit status: 0 shown; 4 usage error, no "
		   "run record, or no such case in it.",
	  .options = show_options,
	  .option_count = COUNT(show_options),
	  .min_operands = 1,
	  .max_operands = WORD_LIST_MAX,
	  .operand_name = "the run record DIR",
	  .run = command_show },
	{ .name = "merge",
	  .operands = "DIR...",
	  .summary = "Joins the run records of a split run.",
	  .notes = "All of them have to be of one profile, mode and --should. Exit status: 0 the "
		   "merged record is whole; 2 it is written, but a part is missing or incomplete; "
		   "3 it cannot be written; 4 usage error, or no parts of one run.",
	  .options = merge_options,
	  .option_count = COUNT(merge_options),
	  .min_operands = 1,
	  .max_operands = WORD_LIST_MAX,
	  .operand_name = "a run record DIR",
	  .run = command_merge },
	{ .name = "diff",
	  .operands = "BEFORE AFTER",
	  .summary = "Compares two run records, as of two builds of an IUT.",
	  .notes =
		  "Compared are verdicts, reasons, warnings, the time of the IUT, and what the IUT "
		  "sent: its messages by receiving element and type, their fields, how many there "
		  "were and how long they took. What varies by nature (random numbers, MACs, "
		  "sequence numbers, identifiers, dates, keys) is left out; the end of the "
		  "comparison says what was. What a record lacks is named, and so are different "
		  "seeds, profiles and versions.\n\n"
		  "A value that the IUT chooses by chance is only told from one that changed where "
		  "a "
		  "run has several of it: run both builds with --repeat.\n\n"
		  "Exit status: 0 nothing changed; 1 a verdict got worse; 2 none got worse, but "
		  "something else changed, a case is in one record alone, messages could not be "
		  "compared or a record is incomplete; 3 the comparison cannot be written; 4 usage "
		  "error, or no run record. 3 goes before 1, 1 before 2.",
	  .options = diff_options,
	  .option_count = COUNT(diff_options),
	  .min_operands = 2,
	  .max_operands = 2,
	  .operand_name = "a run record DIR",
	  .run = command_diff },
	{ .name = "baseline",
	  .operands = "DIR",
	  .summary = "Makes the baseline of a run record, or brings one up to date.",
	  .notes = "An entry whose case still ends as it says keeps its reason. One whose case "
		   "passes "
		   "now, or is no case any more, is stale: it is left out, and named. A failure "
		   "that "
		   "has no entry, or one for another verdict, gets the reason UNEXPLAINED, which "
		   "'run --baseline' refuses until somebody has written one. Cases that were not "
		   "run "
		   "or are not applicable keep their entries. What a person has to look at goes to "
		   "standard error.\n\n"
		   "Exit status: 0 every entry has a reason; 1 entries are unexplained; 2 none is, "
		   "but "
		   "the record is incomplete; 3 the baseline cannot be written; 4 usage error, an "
		   "old "
		   "baseline that cannot be read, or no run record. 3 goes before 1, 1 before 2.",
	  .options = baseline_options,
	  .option_count = COUNT(baseline_options),
	  .min_operands = 1,
	  .max_operands = 1,
	  .operand_name = "the run record DIR",
	  .run = command_baseline },
	{ .name = "profile check",
	  .operands = "FILE",
	  .summary = "Checks a profile; errors carry line and column.",
	  .options = profile_check_options,
	  .option_count = COUNT(profile_check_options),
	  .max_operands = 1,
	  .operand_name = "FILE",
	  .run = command_profile_check },
};

const struct command *cli_command(size_t n)
{
	return n < COUNT(commands) ? &commands[n] : NULL;
}

static void print_message(const struct invocation *invocation, const char *format, va_list args)
{
	char buf[8192];

	if (invocation->command != NULL)
		fprintf(stderr, "spillway %s: ", invocation->command->name);
	else
		fputs("spillway: ", stderr);
	/* A record, a profile or an adapter may have a word in it. */
	vsnprintf(buf, sizeof(buf), format, args);
	print_lines(buf[0] == '\0' ? "\n" : buf, "", stderr);
}

int usage_error(const struct invocation *invocation, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(invocation, format, args);
	va_end(args);
	fprintf(stderr, "'spillway %s%s--help' shows the usage.\n",
		invocation->command == NULL ? "" : invocation->command->name,
		invocation->command == NULL ? "" : " ");
	return EXIT_USAGE;
}

int command_error(const struct invocation *invocation, int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(invocation, format, args);
	va_end(args);
	return status;
}

/*
 * Whoever read the output may go (`| head -1`): that is no fault of the rig. What was written is
 * lost with its errno, so the pipe itself is asked.
 */
static bool reader_is_gone(void)
{
	struct pollfd poll_out = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&poll_out, 1, 0) == 1 && (poll_out.revents & POLLERR) != 0;
}

int output_done(const struct invocation *invocation, int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno == EPIPE || reader_is_gone())
		return status;
	return command_error(invocation, EXIT_RIG, "standard output: %s", strerror(errno));
}

int output_write(const struct invocation *invocation, output_fn *print, const void *what)
{
	const char *path = invocation->settings.out;
	FILE *out = path == NULL ? stdout : fopen(path, "we");
	bool broken;
	int rc;

	if (out == NULL)
		return command_error(invocation, EXIT_USAGE, "%s: %s", path, strerror(errno));
	rc = print(what, out);
	if (path == NULL)
		return rc != 0 ? command_error(invocation, EXIT_RIG, "%s", strerror(-rc))
			       : output_done(invocation, EXIT_PASSED);
	broken = ferror(out) != 0;
	if (fclose(out) != 0 || broken)
		return command_error(invocation, EXIT_RIG, "%s: %s", path, strerror(errno));
	if (rc != 0)
		return command_error(invocation, EXIT_RIG, "%s: %s", path, strerror(-rc));
	return EXIT_PASSED;
}

const char *strength_name(enum strength strength)
{
	switch (strength) {
	case SHALL:
		return "shall";
	case SHOULD:
		return "should";
	case MAY:
		return "may";
	}
	return "?";
}

void duration_print(uint64_t us, struct text *out)
{
	static const struct {
		const char *unit;
		uint64_t ms;
	} units[] = { { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 } };
	uint64_t ms = us / 1000 + (us % 1000 != 0);

	for (size_t i = 0; i < COUNT(units); i++) {
		if (ms % units[i].ms == 0 && (ms > 0 || units[i].ms == 1000)) {
			text_printf(out, "%llu%s", (unsigned long long)(ms / units[i].ms),
				    units[i].unit);
			return;
		}
	}
}

static int main_help(const struct invocation *invocation)
{
	printf("usage: spillway COMMAND [OPTION...] [ARGUMENT...]\n\n"
	       "Conformance tests for 5G overload control.\n\nCommands:\n");
	for (size_t i = 0; i < COUNT(commands); i++)
		printf("  %-14s %s\n", commands[i].name, commands[i].summary);
	printf("\n  spillway COMMAND --help   options of a command\n"
	       "  spillway --version        version, commit, and what it can use here\n");
	return output_done(invocation, EXIT_PASSED);
}

/* What it is, what it was built from, and what it can use on this machine. */
static int version(const struct invocation *invocation)
{
	const struct registry *registry = invocation->registry;
	char buf[512];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	net_back_ends(&text);
	printf("spillway %s (commit %s, %s)\n%sjansson %s\n", registry->version,
	       registry->commit ? registry->commit : "unknown",
	       registry->build ? registry->build : "unknown", buf, jansson_version_str());
	return output_done(invocation, EXIT_PASSED);
}

static int command_help(const struct invocation *invocation)
{
	char buf[16384];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	options_help(invocation->command, &text);
	fputs(buf, stdout);
	return output_done(invocation, EXIT_PASSED);
}

/* Finds the command of argv; *first gets the index of its first argument. */
static const struct command *find_command(int argc, char *argv[], int *first)
{
	for (size_t i = 0; i < COUNT(commands); i++) {
		const char *name = commands[i].name;
		const char *blank = strchr(name, ' ');
		size_t len = blank == NULL ? strlen(name) : (size_t)(blank - name);

		if (strlen(argv[1]) != len || memcmp(argv[1], name, len) != 0)
			continue;
		if (blank != NULL && argc >= 3 && strcmp(argv[2], "--help") == 0) {
			*first = 2;
			return &commands[i];
		}
		if (blank != NULL && (argc < 3 || strcmp(argv[2], blank + 1) != 0))
			continue;
		*first = blank == NULL ? 2 : 3;
		return &commands[i];
	}
	return NULL;
}

static int unknown_command(const struct invocation *invocation, int argc, char *argv[])
{
	static const char *const global[] = { "--help", "--version" };
	const char *names[COUNT(commands) + COUNT(global)];
	const char *nearest;
	size_t count = 0;

	if (strcmp(argv[1], "profile") == 0)
		return usage_error(invocation, "profile: %s%s%s; there is 'spillway profile check'",
				   argc > 2 ? "unknown command '" : "a command is missing",
				   argc > 2 ? argv[2] : "", argc > 2 ? "'" : "");
	for (size_t i = 0; i < COUNT(commands); i++)
		names[count++] = commands[i].name;
	for (size_t i = 0; i < COUNT(global); i++)
		names[count++] = global[i];
	nearest = nearest_word(argv[1], names, count);
	if (nearest != NULL)
		return usage_error(invocation, "unknown command '%s' (did you mean '%s'?)", argv[1],
				   nearest);
	return usage_error(invocation, "unknown command '%s'", argv[1]);
}

int cli_main(const struct registry *registry, int argc, char *argv[])
{
	static struct invocation invocation;
	char buf[1024];
	struct text why;
	int first = 0;

	signal(SIGPIPE, SIG_IGN);
	invocation = (struct invocation){ .registry = registry, .program = argv[0] };
	if (argc < 2)
		return usage_error(&invocation, "a command is missing");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return main_help(&invocation);
	if (strcmp(argv[1], "--version") == 0)
		return version(&invocation);
	invocation.command = find_command(argc, argv, &first);
	if (invocation.command == NULL)
		return unknown_command(&invocation, argc, argv);
	text_init(&why, buf, sizeof(buf));
	if (options_parse(invocation.command, argc, argv, first, &invocation.settings, &why) != 0)
		return usage_error(&invocation, "%s", buf);
	if (invocation.settings.help)
		return command_help(&invocation);
	return invocation.command->run(&invocation);
}
