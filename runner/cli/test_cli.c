/* The command line as scripts see it: what it prints where, and with which exit status. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 24, OUTPUT_MAX = 262144 };

static char root[64];
static char out[OUTPUT_MAX], err[OUTPUT_MAX];

static void slurp(const char *name, char *to)
{
	FILE *file = fopen(name, "r");
	size_t n;

	ck_assert_ptr_nonnull(file);
	n = fread(to, 1, OUTPUT_MAX - 1, file);
	to[n] = '\0';
	fclose(file);
}

/* Takes a command line apart at its blanks; a '*' or other mark of the shell means itself. */
static void exec_words(const char *line)
{
	static char copy[1024];
	char *argv[ARGUMENTS_MAX] = { (char *)(uintptr_t) "spillway" };
	char *rest = copy;
	size_t n = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word; (word = strsep(&rest, " ")) != NULL && n < ARGUMENTS_MAX - 1;) {
		if (*word != '\0')
			argv[n++] = word;
	}
	execv(DEMO_PROGRAM, argv);
	_exit(99);
}

/* Runs the program in the test's folder; its exit status, output in out and err. */
static int spillway(const char *line)
{
	int status;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		int o = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
		int e = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);

		dup2(o, STDOUT_FILENO);
		dup2(e, STDERR_FILENO);
		exec_words(line);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	slurp("stdout", out);
	slurp("stderr", err);
	ck_assert_msg(WIFEXITED(status), "'%s' died of signal %d: %s", line, WTERMSIG(status), err);
	return WEXITSTATUS(status);
}

static unsigned short columns = 60;

/* The same on a terminal; everything goes to out. */
static int spillway_on_terminal(const char *line, const char *no_color)
{
	struct winsize size = { .ws_row = 24, .ws_col = columns };
	size_t len = 0;
	int master, status;
	pid_t pid = forkpty(&master, NULL, NULL, &size);

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		setenv("TERM", "xterm", 1);
		if (no_color != NULL)
			setenv("NO_COLOR", no_color, 1);
		exec_words(line);
	}
	for (;;) {
		ssize_t n = read(master, out + len, OUTPUT_MAX - 1 - len);

		if (n <= 0)
			break;
		len += (size_t)n;
	}
	out[len] = '\0';
	close(master);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void contains(const char *where, const char *what)
{
	ck_assert_msg(strstr(where, what) != NULL, "'%s' is not in:\n%s", what, where);
}

static void lacks(const char *where, const char *what)
{
	ck_assert_msg(strstr(where, what) == NULL, "'%s' is in:\n%s", what, where);
}

static void setup(void)
{
	static const char *const unset[] = { "NO_COLOR",
					     "SPILLWAY_CONTROL",
					     "TEST_SHARD_INDEX",
					     "GTEST_SHARD_INDEX",
					     "SLURM_ARRAY_TASK_ID",
					     "CI_NODE_INDEX",
					     "JOB_COMPLETION_INDEX" };

	for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
		unsetenv(unset[i]);
	strcpy(root, "/tmp/spillway-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	ck_assert_int_eq(chdir(root), 0);
}

static void teardown(void)
{
	char command[128];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(usage_errors_say_what_was_meant)
{
	static const struct {
		const char *line, *part, *other;
	} table[] = {
		{ "", "a command is missing", "--help" },
		{ "rnu", "unknown command 'rnu'", "did you mean 'run'?" },
		{ "profile", "a command is missing", "profile check" },
		{ "profile chekc", "'chekc'", "profile check" },
		{ "run --profil x", "'--profil'", "'--profile'" },
		{ "run --should fial", "warn, fail", "did you mean 'fail'?" },
		{ "run demoo", "nothing selected: no case matches 'demoo'",
		  "did you mean 'demo'?" },
		{ "run demo TP/DEMO/EXAC/01", "'TP/DEMO/EXAC/01'", "'TP/DEMO/EXACT/01'" },
		{ "run req:D-1", "'req:D-1'", "'req:D-01'" },
		{ "run fault:demo-of-by-one", "'fault:demo-of-by-one'", "'fault:demo-off-by-one'" },
		{ "run clause:99.999*", "'clause:99.999*'", "nothing selected" },
		{ "run clause:23.501/10.3.6", "'clause:23.501/10.3.6'", "nothing selected" },
		{ "list reqq:D-01", "'reqq:D-01'", "'req:'" },
		{ "explain nothing-like-it", "no case matches", "spillway list" },
		{ "explain demo", "2 cases", "spillway list" },
		{ "explain", "the case ID is missing", "explain ID" },
		{ "run --live --virtual", "--live", "--virtual" },
		{ "run --live --jobs 2", "--jobs", "serial" },
		{ "run --out a --resume b", "--out", "--resume" },
		{ "run --transport kernel", "--transport", "live" },
		{ "run --fault demo-offbyone", "'demo-offbyone'", "'demo-off-by-one'" },
		{ "run --variant demo-quite", "'demo-quite'", "'demo-quiet'" },
		{ "run demo --fault far-off-by-one", "no case for an IUT of role 'ran'",
		  "those that match are for role 'amf'" },
		{ "run --fault demo-soft --fault far-off-by-one",
		  "--fault demo-soft is of role "
		  "'amf'",
		  "--fault far-off-by-one of role 'ran'" },
		{ "run --variant demo-quiet --fault far-off-by-one",
		  "--fault far-off-by-one is of role 'ran'", "--variant demo-quiet of role 'amf'" },
		{ "iut amf --fault far-off-by-one", "role 'ran', not 'amf'", "--fault" },
		{ "run --profile missing.yaml", "missing.yaml", "" },
		{ "run --baseline missing.txt", "missing.txt", "" },
		{ "run --resume missing", "missing", "" },
		{ "iut", "ROLE is missing", "iut" },
		{ "iut amg", "unknown role 'amg'", "'amf'" },
		{ "iut up", "no reference IUT", "'up'" },
		{ "iut amf --address 1.2.3", "--address", "'1.2.3'" },
		{ "iut amf --address 127.0.0.1:0", "--address", "port" },
		{ "ctl", "ACTION is missing", "ctl" },
		{ "ctl load percent=1", "--control", "$SPILLWAY_CONTROL" },
		{ "ctl --control x load percent", "key=value", "" },
		{ "report", "DIR is missing", "report" },
		{ "report missing --format tap", "missing", "No such file" },
		{ "report missing", "--format is missing", "junit" },
		{ "report . --format htm", "htm", "did you mean 'html'?" },
		{ "report . --format jnuit", "'jnuit'", "did you mean 'junit'?" },
		{ "report . --format tap", "no run record", "" },
		{ "show", "DIR is missing", "show" },
		{ "show .", "no run record", "" },
		{ "merge a", "-o DIR is missing", "merge" },
		{ "merge missing -o b", "missing", "" },
		{ "profile check", "FILE is missing", "" },
		{ "profile check missing.yaml", "missing.yaml", "" },
		{ "faults --role amg", "unknown role", "'amf'" },
		{ "faults nothing", "no case matches 'nothing'", "" },
		{ "list --jsn", "'--jsn'", "'--json'" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int status = spillway(table[i].line);

		ck_assert_msg(status == 4, "'%s' ends with %d: %s", table[i].line, status, err);
		ck_assert_msg(out[0] == '\0', "'%s' prints %s", table[i].line, out);
		contains(err, table[i].part);
		contains(err, table[i].other);
	}
}
END_TEST

START_TEST(every_command_has_help)
{
	static const char *const commands[][2] = {
		{ "list", "--json" },
		{ "explain", "--json" },
		{ "run", "--until-fail" },
		{ "faults", "--matrix" },
		{ "iut", "--list-faults" },
		{ "ctl", "--control SOCKET" },
		{ "report", "--format" },
		{ "merge", "--output" },
		{ "diff", "--noise" },
		{ "baseline", "--baseline" },
		{ "profile check", "--list-ics" },
	};
	char line[64];

	ck_assert_int_eq(spillway("--help"), 0);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		contains(out, commands[i][0]);
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		snprintf(line, sizeof(line), "%s --help", commands[i][0]);
		ck_assert_int_eq(spillway(line), 0);
		contains(out, commands[i][1]);
		contains(out, "usage: spillway ");
	}
	ck_assert_int_eq(spillway("--version"), 0);
	ck_assert_ptr_eq(strstr(out, "spillway 0.0.0-test (commit unknown, unknown)\nSCTP: "), out);
}
END_TEST

static json_t *one_object(void)
{
	json_error_t error;
	json_t *json = json_loads(out, 0, &error);

	ck_assert_msg(json != NULL, "%s in %s", error.text, out);
	ck_assert_ptr_eq(strchr(out, '\n') + 1, out + strlen(out));
	return json;
}

static const char *word(const json_t *json, const char *member)
{
	const char *value = json_string_value(json_object_get(json, member));

	ck_assert_msg(value != NULL, "no %s", member);
	return value;
}

START_TEST(list_and_explain_tell_what_the_cases_are)
{
	json_t *json, *first;

	ck_assert_int_eq(spillway("list demo --json"), 0);
	json = one_object();
	ck_assert_uint_eq(json_array_size(json_object_get(json, "cases")), 2);
	first = json_array_get(json_object_get(json, "cases"), 0);
	ck_assert_str_eq(word(first, "id"), "TP/DEMO/EXACT/01");
	ck_assert_str_eq(word(first, "role"), "amf");
	ck_assert_str_eq(word(first, "strength"), "shall");
	ck_assert_str_eq(word(first, "clause"), "24.501 5.3.9 a");
	first = json_array_get(json_object_get(json, "not_tested"), 0);
	ck_assert_str_eq(word(first, "requirement"), "D-04");
	ck_assert_str_eq(word(first, "reason"), "nothing on the wire shows it");
	json_decref(json);

	ck_assert_int_eq(spillway("list"), 0);
	contains(out, "TP/DEMO/VERDICT/CRASH");
	contains(out, "not tested by demo:");
	ck_assert_int_eq(spillway("list TP/DEMO/VERDICT/*"), 0);
	lacks(out, "TP/DEMO/EXACT/01");
	lacks(out, "not tested");

	ck_assert_int_eq(spillway("explain TP/DEMO/EXACT/01 --json"), 0);
	json = one_object();
	ck_assert_str_eq(word(json, "stimulus"), "One control action.");
	ck_assert_str_eq(word(json, "expectation"), "What it says.");
	ck_assert_str_eq(word(json, "repeat"), "spillway run TP/DEMO/EXACT/01 --seed 1");
	first = json_array_get(json_object_get(json, "faults"), 0);
	ck_assert_str_eq(word(first, "name"), "demo-off-by-one");
	json_decref(json);
	ck_assert_int_eq(spillway("explain TP/DEMO/EXACT/01"), 0);
	contains(out, "catches      demo-off-by-one: the figure is one too high");
}
END_TEST

START_TEST(the_exit_status_is_the_worst_verdict)
{
	static const struct {
		const char *cases;
		int status;
		const char *sums;
	} table[] = {
		{ "TP/DEMO/EXACT/01", 0, "1 pass, 0 fail" },
		{ "TP/DEMO/VERDICT/NA", 0, "1 na" },
		{ "TP/DEMO/VERDICT/WARN", 0, "1 pass" },
		{ "TP/DEMO/VERDICT/WARN --should fail", 1, "1 fail" },
		{ "TP/DEMO/VERDICT/FAIL", 1, "1 fail" },
		{ "TP/DEMO/VERDICT/INCONC", 2, "1 inconc" },
		{ "TP/DEMO/VERDICT/ERROR", 3, "1 error" },
		{ "TP/DEMO/VERDICT/CRASH", 3, "1 error" },
		{ "TP/DEMO/VERDICT/FAIL TP/DEMO/VERDICT/INCONC", 1, "1 fail, 1 inconc" },
		{ "TP/DEMO/VERDICT/ERROR TP/DEMO/VERDICT/FAIL", 3, "1 fail, 0 inconc, 1 error" },
		{ "demo --fault demo-off-by-one", 1, "1 pass, 1 fail" },
		{ "demo --fault demo-soft", 0, "2 pass" },
		{ "demo --fault demo-soft --should fail", 1, "1 pass, 1 fail" },
		{ "fault:demo-off-by-one", 0, "1 case: 1 pass" },
		{ "req:D-0[12]", 0, "2 cases: 2 pass" },
		{ "clause:24.501/5.3.9* --shard 1/5", 0, "2 cases: 2 pass" },
		{ "clause:23.501/5.19.*", 0, "1 case: 1 pass" },
		{ "clause:38.413/9.2.6.14", 0, "1 case: 1 pass" },
		{ "clause:38.413/10.3.6", 0, "1 case: 1 pass" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char line[256];
		int status;

		snprintf(line, sizeof(line), "run %s --out r%zu", table[i].cases, i);
		status = spillway(line);
		ck_assert_msg(status == table[i].status, "'%s' ends with %d:\n%s%s", line, status,
			      out, err);
		contains(out, table[i].sums);
	}
}
END_TEST

static void in_order(const char *first, const char *second)
{
	contains(out, first);
	contains(strstr(out, first), second);
}

START_TEST(a_run_says_what_failed_and_warnings_last)
{
	const char *last;

	ck_assert_int_eq(spillway("run demo demo-verdicts --out r --jobs 2"), 3);
	contains(out, "pass    TP/DEMO/EXACT/01\n");
	contains(out, "fail    TP/DEMO/VERDICT/FAIL  the figure is wrong\n");
	contains(out, "    percent      50        51 *\n");
	contains(out, "clause       24.501 5.3.9 a\n");
	contains(out, "repeat       spillway run TP/DEMO/VERDICT/FAIL --seed 1\n");
	contains(out, "record: r\n");
	for (const char *p = out; *p != '\0'; p++)
		ck_assert_msg(*p == '\n' || (unsigned char)*p >= 0x20, "octet %02x is printed", *p);
	lacks(out, "\xe2\x80\xae");
	lacks(err, "\x1b");
	last = strstr(out, "warnings: ");
	ck_assert_ptr_nonnull(last);
	ck_assert_str_eq(last, "warnings: 1\n");
	/* The list is in the suites' order, whatever ended first. */
	in_order("TP/DEMO/EXACT/01", "TP/DEMO/SHOULD/01");
	in_order("TP/DEMO/SHOULD/01", "TP/DEMO/VERDICT/FAIL");
	in_order("TP/DEMO/VERDICT/FAIL", "TP/DEMO/VERDICT/NA");
}
END_TEST

START_TEST(only_a_terminal_gets_colours_and_progress)
{
	ck_assert_int_eq(spillway_on_terminal("run demo --out a", NULL), 0);
	contains(out, "\x1b[32mpass");
	contains(out, "\r\x1b[K");
	ck_assert_int_eq(spillway_on_terminal("run demo --out b", "1"), 0);
	lacks(out, "\x1b[32m");
	ck_assert_int_eq(spillway_on_terminal("run demo --out c", ""), 0);
	contains(out, "\x1b[32m");
	ck_assert_int_eq(spillway_on_terminal("run demo --out d --color never", NULL), 0);
	lacks(out, "\x1b[32m");
	ck_assert_int_eq(spillway("run demo --out e --color always"), 0);
	contains(out, "\x1b[32mpass");
	ck_assert_int_eq(spillway("show e TP/DEMO/EXACT/01"), 0);
	lacks(out, "\x1b[32m");
}
END_TEST

/* Each line of progress fits, so that the next one takes its place; it names counts and the case.
 */
START_TEST(the_line_of_progress_fits_the_terminal)
{
	static const unsigned short widths[] = { 40, 60, 80 };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		char name[64];
		size_t lines = 0;

		columns = widths[i];
		snprintf(name, sizeof(name), "run demo demo-verdicts --out w%u", widths[i]);
		ck_assert_int_eq(spillway_on_terminal(name, "1"), 3);
		for (char *at = out; (at = strstr(at, "[")) != NULL; at++) {
			unsigned int done, all;

			if (sscanf(at, "[%u/%u]", &done, &all) != 2)
				continue;
			ck_assert_uint_le(strcspn(at, "\r\n"), widths[i]);
			lines++;
		}
		ck_assert_uint_gt(lines, 0);
	}
	contains(out, " pass");
	columns = 60;
}
END_TEST

START_TEST(each_step_is_told_when_asked_for)
{
	ck_assert_int_eq(spillway("run demo --out a"), 0);
	ck_assert_str_eq(err, "");
	ck_assert_int_eq(spillway("run demo --out b -v --jobs 1"), 0);
	contains(err, "TP/DEMO/EXACT/01      0.");
	contains(err, "control  load percent=");
	for (const char *p = err; *p != '\0'; p++)
		ck_assert_msg(*p == '\n' || (unsigned char)*p >= 0x20, "octet %02x is printed", *p);
}
END_TEST

START_TEST(reports_come_from_the_record)
{
	static const char *const formats[] = { "junit", "tap", "json", "html", "text", "markdown" };
	char line[128];
	json_t *json;

	ck_assert_int_eq(spillway("run --out r"), 3);
	for (size_t i = 0; i < 6; i++) {
		snprintf(line, sizeof(line), "report r --format %s -o report.%s", formats[i],
			 formats[i]);
		ck_assert_int_eq(spillway(line), 0);
		ck_assert_str_eq(out, "");
		snprintf(line, sizeof(line), "report r --format %s", formats[i]);
		ck_assert_int_eq(spillway(line), 0);
		snprintf(line, sizeof(line), "report.%s", formats[i]);
		slurp(line, err);
		ck_assert_str_eq(out, err);
	}
	ck_assert_int_eq(system("xmllint --noout report.junit"), 0);
	ck_assert_int_eq(spillway("report r --format json"), 0);
	json = one_object();
	ck_assert_uint_eq(json_array_size(json_object_get(json, "cases")), 10);
	json_decref(json);
	ck_assert_int_eq(spillway("show r TP/DEMO/EXACT/01"), 0);
	contains(out, "TP/DEMO/EXACT/01");
	contains(out, "messages");
	lacks(out, "TP/DEMO/SHOULD/01");
	ck_assert_int_eq(spillway("show r TP/DEMO/EXACT/02"), 4);
	contains(err, "did you mean 'TP/DEMO/EXACT/01'?");
	ck_assert_int_eq(spillway("report r --format tap -o /nonexistent/x"), 4);
	ck_assert_int_eq(spillway("report r --format tap -o /dev/full"), 3);
	contains(err, "No space left");
}
END_TEST

START_TEST(shards_join_to_the_whole)
{
	json_t *json;

	setenv("TEST_SHARD_INDEX", "0", 1);
	setenv("TEST_TOTAL_SHARDS", "2", 1);
	ck_assert_int_eq(spillway("run --out a"), 3);
	contains(err, "part 1 of 2");
	unsetenv("TEST_SHARD_INDEX");
	unsetenv("TEST_TOTAL_SHARDS");
	ck_assert_int_ne(spillway("run --out b --shard 2/2"), 4);
	ck_assert_msg(spillway("merge a b -o m") == 0, "%s", err);
	ck_assert_int_eq(spillway("report m --format text"), 0);
	contains(out, ", spillway reference ran\n");
	ck_assert_int_eq(spillway("report m --format json"), 0);
	json = one_object();
	ck_assert_uint_eq(json_array_size(json_object_get(json, "cases")), 10);
	ck_assert_int_eq(
		json_integer_value(json_object_get(
			json_object_get(json_object_get(json, "run"), "counts"), "finished")),
		10);
	json_decref(json);
	ck_assert_int_eq(spillway("merge a b -o m"), 4);
}
END_TEST

START_TEST(an_incomplete_record_is_told)
{
	ck_assert_int_eq(spillway("run demo --out a --shard 1/2"), 0);
	ck_assert_int_eq(spillway("report a --format text"), 0);
	lacks(out, "incomplete");
	ck_assert_int_eq(spillway("merge a -o m"), 2);
	contains(err, "part 2 of 2: this part was not merged");
	ck_assert_int_eq(spillway("report m --format junit"), 2);
	contains(out, "errors=\"1\"");
	/* As kill -9 leaves it. */
	ck_assert_int_eq(spillway("run demo --out r --jobs 1"), 0);
	ck_assert_int_eq(system("sed -i 's/\"ended\": .*/\"ended\": null,/' r/run.json && "
				"sed -i 2d r/results.jsonl"),
			 0);
	ck_assert_int_eq(spillway("report r --format text"), 2);
	ck_assert_ptr_eq(strstr(out, "incomplete: 1 of 2 cases are finished; "), out);
	contains(err, "r: incomplete: 1 of 2");
	ck_assert_int_eq(spillway("run --resume r"), 0);
	ck_assert_int_eq(spillway("report r --format text"), 0);
}
END_TEST

/* With a pipe as standard output that nobody reads; its exit status, or 1000 + a signal. */
static int spillway_unread(const char *line)
{
	int ends[2], status;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		int e = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);

		dup2(ends[1], STDOUT_FILENO);
		dup2(e, STDERR_FILENO);
		exec_words(line);
	}
	close(ends[1]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	slurp("stderr", err);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

START_TEST(a_reader_that_goes_changes_nothing)
{
	ck_assert_int_eq(spillway_unread("run demo --out a"), 0);
	lacks(err, "standard output");
	ck_assert_int_eq(spillway_unread("run TP/DEMO/VERDICT/FAIL --out b"), 1);
	ck_assert_int_eq(spillway_unread("list"), 0);
	ck_assert_int_eq(spillway_unread("faults demo"), 1);
	ck_assert_int_eq(spillway_unread("report a --format json"), 0);
	ck_assert_str_eq(err, "");
}
END_TEST

START_TEST(faults_finds_survivors_and_alarms)
{
	static char first[OUTPUT_MAX];
	json_t *json, *iut;

	ck_assert_int_eq(spillway("faults TP/DEMO/EXACT/01 --seeds 3"), 0);
	contains(out, "caught    demo-off-by-one (D-01)");
	contains(out, "1 of 3 faults, 0 survivors; correct IUT with 3 seeds: 0 alarms; 4 runs");
	ck_assert_int_eq(spillway("faults demo --jobs 1"), 1);
	contains(out, "caught    demo-soft");
	contains(out, "SURVIVED  demo-missed");
	contains(out, "by TP/DEMO/SHOULD/01: pass");
	strcpy(first, out);
	ck_assert_int_eq(spillway("faults demo --jobs 2"), 1);
	ck_assert_str_eq(out, first);

	ck_assert_int_eq(spillway("faults TP/DEMO/EXACT/01 --variants"), 1);
	contains(out, "ALARM     TP/DEMO/EXACT/01: fail with seed 1, variant demo-loud: the load");
	contains(out, "--variant demo-loud");
	lacks(out, "demo-quiet");
	ck_assert_int_eq(spillway("faults TP/DEMO/VERDICT/CRASH --seeds 5 --seed 7"), 1);
	contains(out, "ALARM     TP/DEMO/VERDICT/CRASH: error with seed 7 and 4 more: ");
	contains(out, "correct IUT with 5 seeds: 5 alarms; 5 runs");
	contains(out, "faults that name none of these cases: demo-off-by-one, demo-soft, ");

	ck_assert_int_eq(spillway("faults demo --matrix --json"), 1);
	json = one_object();
	iut = json_array_get(json_object_get(json, "iuts"), 0);
	ck_assert_str_eq(word(iut, "role"), "amf");
	ck_assert_uint_eq(json_array_size(json_object_get(iut, "faults")), 3);
	ck_assert_int_eq(json_integer_value(json_object_get(iut, "runs")), 8);
	ck_assert_uint_eq(json_array_size(json_object_get(iut, "survivors")), 1);
	ck_assert_str_eq(
		word(json_object_get(json_array_get(json_object_get(iut, "faults"), 0), "verdicts"),
		     "TP/DEMO/SHOULD/01"),
		"pass");
	json_decref(json);
}
END_TEST

START_TEST(a_baseline_expects_failures)
{
	FILE *file = fopen("baseline", "w");

	fputs("# known\nTP/DEMO/VERDICT/FAIL fail ticket 5\n", file);
	fclose(file);
	ck_assert_int_eq(spillway("run TP/DEMO/VERDICT/FAIL --baseline baseline --out a"), 0);
	contains(out, "1 failed as the baseline expects");
	file = fopen("baseline", "w");
	fputs("TP/DEMO/EXACT/01 fail ticket 6\n", file);
	fclose(file);
	ck_assert_int_eq(spillway("run TP/DEMO/EXACT/01 --baseline baseline --out b"), 1);
	contains(out, "1 passed against the baseline");
	ck_assert_int_eq(spillway("report b --format junit"), 0);
	contains(out, "failures=\"1\"");
	ck_assert_int_eq(spillway("report a --format junit"), 0);
	contains(out, "skipped=\"1\"");
}
END_TEST

START_TEST(a_diff_says_what_changed)
{
	json_t *object;

	ck_assert_int_eq(spillway("run TP/DEMO/EXACT/01 TP/DEMO/VERDICT/FAIL --out a"), 1);
	ck_assert_int_eq(spillway("run TP/DEMO/EXACT/01 TP/DEMO/VERDICT/FAIL --out b"), 1);
	ck_assert_int_eq(spillway("diff a b"), 0);
	contains(out, "0 worse, 0 better");
	ck_assert_int_eq(spillway("run TP/DEMO/EXACT/01 --fault demo-off-by-one --out c"), 1);
	ck_assert_int_eq(spillway("diff a c"), 1);
	contains(out, "only before\n  fail    TP/DEMO/VERDICT/FAIL");
	contains(out, "TP/DEMO/EXACT/01  pass -> fail");
	ck_assert_int_eq(spillway("diff c a --format json -o d.json"), 2);
	object = json_load_file("d.json", JSON_REJECT_DUPLICATES, NULL);
	ck_assert_int_eq(
		json_integer_value(json_object_get(json_object_get(object, "counts"), "better")),
		1);
	json_decref(object);
	ck_assert_int_eq(spillway("diff a c --format html"), 1);
	contains(out, "<!DOCTYPE html>");
	ck_assert_int_eq(spillway("diff a nowhere"), 4);
	contains(err, "nowhere");
	ck_assert_int_eq(spillway("diff a"), 4);
	ck_assert_int_eq(spillway("diff a c --format junit"), 4);
	ck_assert_int_eq(spillway("diff a c -o nowhere/x"), 4);
	ck_assert_int_eq(spillway("diff a c -o /dev/full"), 3);
	/* Evidence that is gone is no evidence that nothing changed. */
	ck_assert_int_eq(system("rm -r b/cases/TP/DEMO/EXACT"), 0);
	ck_assert_int_eq(spillway("diff a b"), 2);
	contains(out, "the messages of 1 case could not be compared");
}
END_TEST

static void write_file(const char *name, const char *data)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	fputs(data, file);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(a_baseline_is_brought_up_to_date)
{
	static char text[OUTPUT_MAX];

	ck_assert_int_eq(spillway("run TP/DEMO/EXACT/01 TP/DEMO/VERDICT/FAIL --out a"), 1);
	ck_assert_int_eq(spillway("baseline a"), 1);
	contains(out, "TP/DEMO/VERDICT/FAIL fail UNEXPLAINED: ");
	contains(err, "new, unexplained: TP/DEMO/VERDICT/FAIL (fail)");
	write_file("known", out);
	ck_assert_int_eq(spillway("run TP/DEMO/VERDICT/FAIL --baseline known --out b"), 4);
	contains(err, "known:1: the reason has to be written");
	write_file("known", "# of our AMF\nTP/DEMO/VERDICT/FAIL fail ticket 4711\n"
			    "TP/DEMO/EXACT/01 fail ticket 4712\n");
	ck_assert_int_eq(spillway("baseline a --baseline known -o known"), 0);
	contains(err, "stale, left out: it passes: TP/DEMO/EXACT/01 (fail: ticket 4712)");
	slurp("known", text);
	ck_assert_str_eq(text, "# of our AMF\nTP/DEMO/VERDICT/FAIL fail ticket 4711\n");
	ck_assert_int_eq(
		spillway("run TP/DEMO/VERDICT/FAIL TP/DEMO/EXACT/01 --baseline known --out c"), 0);
	/* What cannot be read or written leaves the old one as it is. */
	write_file("bad", "TP/DEMO/VERDICT/FAIL\n");
	ck_assert_int_eq(spillway("baseline a --baseline bad -o known"), 4);
	contains(err, "bad:1: ");
	ck_assert_int_eq(spillway("baseline a --baseline known -o nowhere/x"), 4);
	ck_assert_int_eq(spillway("baseline a --baseline known -o /dev/full"), 3);
	ck_assert_int_eq(spillway("baseline nowhere -o known"), 4);
	slurp("known", text);
	contains(text, "ticket 4711");
}
END_TEST

START_TEST(a_resumed_run_shows_the_whole)
{
	/* As kill -9 leaves it: one line whole, the next one torn, and a run.json without counts.
	 */
	ck_assert_int_eq(spillway("run demo --out r --jobs 1"), 0);
	ck_assert_int_eq(system("head -n 1 r/results.jsonl >head && "
				"printf '{\"id\":\"TP/DEMO/SHO' >>head && mv head r/results.jsonl"),
			 0);
	ck_assert_int_eq(spillway("run --resume r"), 0);
	contains(out, "pass    TP/DEMO/EXACT/01\n");
	contains(out, "pass    TP/DEMO/SHOULD/01\n");
	contains(out, "2 cases: 2 pass");
	ck_assert_int_eq(system("test $(wc -l <r/results.jsonl) = 2"), 0);
}
END_TEST

START_TEST(profiles_are_checked)
{
	FILE *file = fopen("bad.yaml", "w");

	fputs("iut:\n  role: amf\n  nmae: x\n", file);
	fclose(file);
	ck_assert_int_eq(spillway("profile check bad.yaml"), 4);
	contains(err, "bad.yaml:3:3:");
	ck_assert_int_eq(spillway("run --profile bad.yaml"), 4);
	contains(err, "bad.yaml:3:3:");
	file = fopen("bad.yaml", "w");
	fputs("iut:\n  role: \"\\e[2J\"\n", file);
	fclose(file);
	ck_assert_int_eq(spillway("profile check bad.yaml"), 4);
	contains(err, "\\x1b[2J");
	lacks(err, "\x1b");
	ck_assert_int_eq(spillway("profile check --list-ics"), 0);
	contains(out, "nas-congestion");
}
END_TEST

START_TEST(the_iut_lists_its_faults_and_variants)
{
	ck_assert_int_eq(spillway("iut amf --list-faults"), 0);
	contains(out, "demo-off-by-one\tD-01\tthe figure is one too high\tTP/DEMO/EXACT/01\n");
	ck_assert_int_eq(spillway("iut amf --list-variants"), 0);
	contains(out, "demo-quiet\tD-01\tnothing is different\t\n");
}
END_TEST

START_TEST(without_out_the_record_gets_a_name)
{
	ck_assert_int_eq(spillway("run TP/DEMO/EXACT/01"), 0);
	contains(out, "record: run-2");
	ck_assert_int_eq(system("test -s run-2*/results.jsonl && test -s run-2*/run.json"), 0);
}
END_TEST

/* Starts `spillway iut amf` in the test's folder and waits for its first line. */
static pid_t start_iut(const char *line)
{
	int ends[2];
	size_t len = 0;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		close(ends[0]);
		dup2(ends[1], STDOUT_FILENO);
		close(ends[1]);
		exec_words(line);
	}
	close(ends[1]);
	while (len < OUTPUT_MAX - 1 && (len == 0 || out[len - 1] != '\n')) {
		ssize_t n = read(ends[0], out + len, OUTPUT_MAX - 1 - len);

		if (n <= 0)
			break;
		len += (size_t)n;
	}
	out[len] = '\0';
	close(ends[0]);
	return pid;
}

static int end_of(pid_t pid, int number)
{
	int status;

	ck_assert_int_eq(kill(pid, number), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

#define IUT "iut amf --control c --transport usrsctp-udp --address 127.77.1.5"

START_TEST(the_iut_obeys_ctl)
{
	pid_t pid = start_iut(IUT);
	int status;

	ck_assert_str_eq(out, "ready role=amf n2=127.77.1.5:38412 transport=usrsctp-udp "
			      "control=c\n");
	ck_assert_int_eq(spillway("ctl --control c load percent=7"), 0);
	ck_assert_str_eq(out, "{\"percent\":7,\"level\":1}\n");
	ck_assert_int_eq(spillway("ctl --control c reset"), 0);
	ck_assert_str_eq(out, "");
	ck_assert_int_eq(spillway("ctl --control c unheard-of a=b"), 3);
	contains(err, "unheard-of: not known here");
	ck_assert_int_eq(spillway("ctl --control c load percent=200"), 1);
	contains(err, "above 150 percent");
	setenv("SPILLWAY_CONTROL", "c", 1);
	ck_assert_int_eq(spillway("ctl load percent=8"), 0);
	unsetenv("SPILLWAY_CONTROL");
	/* Two on one socket: the second is refused and harms nobody. */
	ck_assert_int_eq(spillway("iut amf --control c --transport usrsctp-udp --address "
				  "127.77.2.5"),
			 3);
	contains(err, "another process listens there");
	ck_assert_int_eq(spillway("ctl --control c reset"), 0);

	status = end_of(pid, SIGTERM);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	ck_assert_int_ne(access("c", F_OK), 0);
	ck_assert_int_eq(spillway("ctl --control c reset"), 1);
	contains(err, "No such file");
}
END_TEST

START_TEST(a_killed_iut_can_be_started_again)
{
	pid_t pid = start_iut(IUT);
	int status;

	contains(out, "ready ");
	status = end_of(pid, SIGKILL);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(access("c", F_OK), 0);
	ck_assert_int_eq(spillway("ctl --control c reset"), 1);
	contains(err, "refused");
	pid = start_iut(IUT " --fault demo-off-by-one --seed 5");
	contains(out, "ready ");
	ck_assert_int_eq(spillway("ctl --control c load percent=7"), 0);
	contains(out, "{\"percent\":8");
	status = end_of(pid, SIGINT);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

START_TEST(a_fault_names_the_role)
{
	ck_assert_int_eq(spillway("run demo far --out a"), 0);
	contains(out, "3 cases: 3 pass");
	ck_assert_int_eq(spillway("run --fault far-off-by-one --out b"), 1);
	contains(out, "1 case: 0 pass, 1 fail");
	contains(out, "--fault far-off-by-one");
	ck_assert_int_eq(spillway("run demo far --variant demo-quiet --out c"), 0);
	contains(out, "2 cases: 2 pass");
	ck_assert_int_eq(spillway("faults --role ran"), 0);
	contains(out, "ran: 1 cases, 1 of 1 faults, 0 survivors");
}
END_TEST

START_TEST(a_live_run_brings_its_own_iut)
{
	int status;

	ck_assert_int_eq(spillway("run demo --live --transport usrsctp-udp --out a"), 0);
	contains(err, "spillway run: 2 cases, about ");
	contains(err, " of the IUT's time\n");
	contains(out, "2 cases: 2 pass");
	status =
		spillway("run demo --live --transport usrsctp-udp --fault demo-off-by-one --out b");
	ck_assert_msg(status == 1, "%s%s", out, err);
	contains(out, "1 pass, 1 fail");
	contains(out, "the load is 51 percent");
	contains(out, "run TP/DEMO/EXACT/01 --seed 1 --live --transport usrsctp-udp "
		      "--fault demo-off-by-one\n");
	/* One of each role in turn, and both have a second turn. */
	status = spillway("run demo far --live --transport usrsctp-udp --repeat 2 --out d");
	ck_assert_msg(status == 0, "%s%s", out, err);
	contains(out, "pass    TP/DEMO/FAR/01\n");
	contains(out, "6 cases: 6 pass");
	status = spillway("run --live --transport usrsctp-udp --fault far-off-by-one --out e");
	ck_assert_msg(status == 1, "%s%s", out, err);
	contains(out, "1 case: 0 pass, 1 fail");
	ck_assert_int_eq(spillway("run TP/DEMO/VERDICT/NA --live --transport usrsctp-udp --out c"),
			 0);
	contains(out, "unheard-of: not known here");
	/* Nothing of it is left. */
	ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cli");
	TCase *tcase = tcase_create("cli");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, usage_errors_say_what_was_meant);
	tcase_add_test(tcase, every_command_has_help);
	tcase_add_test(tcase, list_and_explain_tell_what_the_cases_are);
	tcase_add_test(tcase, the_exit_status_is_the_worst_verdict);
	tcase_add_test(tcase, a_run_says_what_failed_and_warnings_last);
	tcase_add_test(tcase, only_a_terminal_gets_colours_and_progress);
	tcase_add_test(tcase, the_line_of_progress_fits_the_terminal);
	tcase_add_test(tcase, each_step_is_told_when_asked_for);
	tcase_add_test(tcase, reports_come_from_the_record);
	tcase_add_test(tcase, shards_join_to_the_whole);
	tcase_add_test(tcase, an_incomplete_record_is_told);
	tcase_add_test(tcase, a_reader_that_goes_changes_nothing);
	tcase_add_test(tcase, faults_finds_survivors_and_alarms);
	tcase_add_test(tcase, a_baseline_expects_failures);
	tcase_add_test(tcase, a_diff_says_what_changed);
	tcase_add_test(tcase, a_baseline_is_brought_up_to_date);
	tcase_add_test(tcase, a_resumed_run_shows_the_whole);
	tcase_add_test(tcase, profiles_are_checked);
	tcase_add_test(tcase, the_iut_lists_its_faults_and_variants);
	tcase_add_test(tcase, without_out_the_record_gets_a_name);
	tcase_add_test(tcase, the_iut_obeys_ctl);
	tcase_add_test(tcase, a_killed_iut_can_be_started_again);
	tcase_add_test(tcase, a_fault_names_the_role);
	tcase_add_test(tcase, a_live_run_brings_its_own_iut);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
