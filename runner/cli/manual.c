/* The manual pages, as roff with the macros of man(7). */
#include <string.h>

#include "runner/cli/commands.h"
#include "runner/cli/papers.h"

/* --- roff --------------------------------------------------------------------------------------
 */

/* Text of one line, or the part of one: nothing in it is taken for a request. */
static void put_n(const char *text, size_t len, FILE *out)
{
	for (size_t i = 0; i < len; i++) {
		switch (text[i]) {
		case '\\':
			fputs("\\e", out);
			break;
		case '-':
			fputs("\\-", out);
			break;
		case '\'':
			fputs("\\(aq", out);
			break;
		case '.':
			fputs(i ? "." : "\\&.", out);
			break;
		case '\n':
			putc(' ', out);
			break;
		default:
			putc(text[i], out);
		}
	}
}

static void put(const char *text, FILE *out)
{
	put_n(text, strlen(text), out);
}

enum { SOURCE_WIDTH = 76 };

/* Paragraphs, parted by empty lines; a single line break is a break. */
static void put_paragraphs(const char *text, FILE *out)
{
	size_t at = 0;

	while (*text) {
		size_t len = strcspn(text, " \n");

		if (at && at + len >= SOURCE_WIDTH) {
			putc('\n', out);
			at = 0;
		} else if (at) {
			putc(' ', out);
			at++;
		}
		put_n(text, len, out);
		at += len;
		text += len;
		if (*text == '\n') {
			fputs(text[1] == '\n' ? "\n.PP\n" : "\n.br\n", out);
			at = 0;
		}
		text += strspn(text, " \n");
	}
	putc('\n', out);
}

static void head(const struct paper_source *source, const char *name, int section, FILE *out)
{
	fprintf(out, ".TH %s %d \"%s\" \"spillway %s\"\n", name, section, source->date,
		source->registry->version);
	/* no line is stretched: names are long */
	fputs(".ad l\n.nh\n", out);
}

static void bold(const char *text, FILE *out)
{
	fputs("\\fB", out);
	put(text, out);
	fputs("\\fR", out);
}

static void italic(const char *text, FILE *out)
{
	fputs("\\fI", out);
	put(text, out);
	fputs("\\fR", out);
}

/* --- spillway(1) -------------------------------------------------------------------------------
 */

static void put_option(const struct option *option, FILE *out)
{
	fputs(".TP\n", out);
	if (option->letter) {
		fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
	}
	fputs("\\fB\\-\\-", out);
	put(option->name, out);
	fputs("\\fR", out);
	if (option->kind == OPTION_WORD) {
		for (size_t i = 0; option->words[i]; i++) {
			putc(i ? '|' : ' ', out);
			bold(option->words[i], out);
		}
	} else if (option->value) {
		putc(' ', out);
		italic(option->value, out);
	}
	putc('\n', out);
	put_paragraphs(option->text, out);
}

static void put_command(const struct command *command, FILE *out)
{
	fputs(".SS ", out);
	fputs("\"spillway ", out);
	put(command->name, out);
	fprintf(out, "%s%s", command->option_count ? " [OPTION...]" : "",
		command->operands[0] ? " " : "");
	put(command->operands, out);
	fputs("\"\n", out);
	put_paragraphs(command->summary, out);
	for (size_t i = 0; i < command->option_count; i++)
		put_option(&command->options[i], out);
	if (command->notes) {
		fputs(".PP\n", out);
		put_paragraphs(command->notes, out);
	}
}

static const struct {
	const char *name, *text;
} environment[] = {
	{ "SPILLWAY_CONTROL", "The control socket of 'spillway iut' and 'spillway ctl'." },
	{ "XDG_RUNTIME_DIR", "Where that socket is made, where nothing names it." },
	{ "NO_COLOR", "Not empty: no colours on a terminal." },
	{ "TMPDIR", "Where the control sockets of live runs are made." },
},
  files[] = {
	  { "run.json", "Of a run record: what was run, on what, with which options." },
	  { "results.jsonl", "A line for each case: verdict, reason, how to repeat it." },
	  { "cases/ID/events.jsonl", "Each message and control action of a case, with its time." },
	  { "cases/ID/trace.pcapng", "The same as a capture for Wireshark." },
	  { "cases/ID/log.txt", "The log of a case." },
  };

void manual_program(const struct paper_source *source, FILE *out)
{
	const struct command *command;

	head(source, "SPILLWAY", 1, out);
	fputs(".SH NAME\nspillway \\- conformance tests for 5G overload control\n", out);
	fputs(".SH SYNOPSIS\n.B spillway\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
	      ".br\n.B spillway\n\\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR\n",
	      out);
	fputs(".SH DESCRIPTION\n", out);
	put_paragraphs(
		"spillway plays the network around an implementation under test (IUT): an AMF, UE, "
		"NG-RAN node, SMF, UPF or any network function with a service-based interface. It "
		"says, with evidence, whether the IUT sheds load as the standards ask.\n\n"
		"Without a profile the reference IUT that the program carries is tested, in "
		"virtual "
		"time. spillway-profile(5) describes a profile of another IUT, spillway-cases(7) "
		"what is tested.",
		out);
	fputs(".SH COMMANDS\n", out);
	for (size_t i = 0; (command = cli_command(i)) != NULL; i++)
		put_command(command, out);
	fputs(".SH EXIT STATUS\nAs each command says.\n.SH ENVIRONMENT\n", out);
	for (size_t i = 0; i < sizeof(environment) / sizeof(environment[0]); i++) {
		fputs(".TP\n", out);
		bold(environment[i].name, out);
		putc('\n', out);
		put_paragraphs(environment[i].text, out);
	}
	fputs(".SH FILES\nA run record is a folder:\n", out);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		fputs(".TP\n", out);
		italic(files[i].name, out);
		putc('\n', out);
		put_paragraphs(files[i].text, out);
	}
	fputs(".SH SEE ALSO\n.BR spillway\\-profile (5),\n.BR spillway\\-cases (7)\n", out);
}

/* --- spillway-profile(5) -----------------------------------------------------------------------
 */

static void put_key(const struct profile_key *key, void *arg)
{
	FILE *out = arg;

	fputs(".TP\n", out);
	bold(key->path, out);
	if (key->form[0]) {
		fputs(": ", out);
		put(key->form, out);
	}
	if (key->required)
		fputs(" (required)", out);
	putc('\n', out);
	put_paragraphs(key->text ? key->text : "", out);
}

void manual_profile(const struct paper_source *source, FILE *out)
{
	head(source, "SPILLWAY\\-PROFILE", 5, out);
	fputs(".SH NAME\nspillway\\-profile \\- what spillway knows of an implementation under "
	      "test\n"
	      ".SH DESCRIPTION\n",
	      out);
	put_paragraphs(
		"A profile is a YAML file. It says what the IUT is and where, which addresses the "
		"tester has, what both know of the network, what the IUT claims to support, and "
		"how "
		"it is moved: by a control adapter. Unknown keys, wrong types and impossible "
		"values "
		"are errors with file, line and column; 'spillway profile check FILE' looks for "
		"them.\n\n"
		"Files that a profile names are relative to its folder. Durations are 500ms, 10s, "
		"5m "
		"or 2h.",
		out);
	fputs(".SH KEYS\nA name that ends in [] is a list of maps.\n", out);
	profile_keys_visit(put_key, out);
	fputs(".SH WHAT AN IUT CLAIMS\nThe names in \\fBics\\fR, each with yes or no:\n", out);
	for (int i = 0; i < ICS_COUNT; i++) {
		fputs(".TP\n", out);
		bold(ics_name((enum ics)i), out);
		putc('\n', out);
		put_paragraphs(ics_text((enum ics)i), out);
	}
	fputs(".SH FILES\n.TP\n.I profiles/*.yaml\nA commented profile for each role, and for the "
	      "public implementations that were tried. They are where the data files of spillway "
	      "are installed.\n",
	      out);
	fputs(".SH SEE ALSO\n.BR spillway (1),\n.BR spillway\\-cases (7)\n", out);
}

/* --- spillway-cases(7) -------------------------------------------------------------------------
 */

static void put_member(const char *name, const char *text, FILE *out)
{
	if (!text || !text[0])
		return;
	fputs(".br\n", out);
	italic(name, out);
	fputs(": ", out);
	put(text, out);
	putc('\n', out);
}

static void put_case(const struct test_case *test, FILE *out)
{
	const char *comma = "";

	fputs(".TP\n", out);
	bold(test->id, out);
	fprintf(out, " (%s, %s)\n", role_name(test->role), strength_name(test->strength));
	put_paragraphs(test->purpose, out);
	put_member("stimulus", test->stimulus, out);
	put_member("expected", test->expect, out);
	fputs(".br\n", out);
	italic("clause", out);
	fputs(": ", out);
	put(test->clause, out);
	fputs(" (", out);
	put(test->requirement, out);
	fputs(")\n", out);
	if (!test->needs)
		return;
	fputs(".br\n", out);
	italic("needs", out);
	fputs(": ", out);
	for (int i = 0; i < ICS_COUNT; i++) {
		if (!(test->needs & NEEDS(i)))
			continue;
		fputs(comma, out);
		put(ics_name((enum ics)i), out);
		comma = ", ";
	}
	putc('\n', out);
}

void manual_cases(const struct paper_source *source, FILE *out)
{
	const struct run_world *world = &source->registry->world;

	head(source, "SPILLWAY\\-CASES", 7, out);
	fputs(".SH NAME\nspillway\\-cases \\- what spillway tests\n.SH DESCRIPTION\n", out);
	put_paragraphs(
		"The cases by suite, each with the role of the IUT and the strength of what it "
		"asks "
		"for. A case whose number begins with X has no test purpose in the catalogue and "
		"was "
		"added to it. Clauses are those of 3GPP TS documents, Release 18, where no other "
		"document is named. 'spillway explain ID' also names the faults that a case is "
		"known "
		"to catch.",
		out);
	for (size_t s = 0; s < world->suite_count; s++) {
		const struct suite *suite = world->suites[s];
		const struct test_case *test;

		fputs(".SH ", out);
		put(suite->name, out);
		putc('\n', out);
		for (size_t i = 0; (test = suite_case(suite, i)); i++)
			put_case(test, out);
		for (size_t i = 0; i < suite->not_tested_count; i++) {
			fputs(".TP\n", out);
			bold(suite->not_tested[i].requirement, out);
			fputs(" (not tested)\n", out);
			put_paragraphs(suite->not_tested[i].reason, out);
		}
	}
	fputs(".SH SEE ALSO\n.BR spillway (1),\n.BR spillway\\-profile (5)\n", out);
}
