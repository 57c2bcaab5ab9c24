/* Completions for bash, zsh and fish: what can stand at the cursor, from the tables alone. */
#include <ctype.h>
#include <string.h>

#include "runner/cli/commands.h"
#include "runner/cli/papers.h"

/* What an operand or the value of an option is. */
enum matter {
	NOTHING,
	CASES, /* ids and suites */
	CASE_IDS,
	ROLES,
	FAULTS,
	VARIANTS,
	FILES,
	FOLDERS,
	WORDS, /* of the option's table */
};

static enum matter matter_of_option(const struct option *option)
{
	if (option->kind == OPTION_WORD)
		return WORDS;
	if (!option->value)
		return NOTHING;
	if (strcmp(option->name, "fault") == 0)
		return FAULTS;
	if (strcmp(option->name, "variant") == 0)
		return VARIANTS;
	if (strcmp(option->value, "ROLE") == 0)
		return ROLES;
	if (strcmp(option->value, "DIR") == 0)
		return FOLDERS;
	return strcmp(option->value, "FILE") == 0 || strcmp(option->value, "SOCKET") == 0 ? FILES
											  : NOTHING;
}

/* Of the first operand, and of those after it. */
static enum matter matter_of_operand(const struct command *command, bool first)
{
	const char *operands = command->operands;

	if (strncmp(operands, "DIR [GLOB", 9) == 0)
		return first ? FOLDERS : CASES;
	if (strstr(operands, "GLOB"))
		return CASES;
	if (strcmp(operands, "ID") == 0)
		return CASE_IDS;
	if (strcmp(operands, "ROLE") == 0)
		return ROLES;
	if (strcmp(operands, "FILE") == 0)
		return FILES;
	return strstr(operands, "DIR") || strstr(operands, "BEFORE") ? FOLDERS : NOTHING;
}

/* --- words -------------------------------------------------------------------------------------
 */

static void put_words(const struct paper_source *source, enum matter matter,
		      const struct option *option, const char *between, FILE *out)
{
	const struct run_world *world = &source->registry->world;
	const char *next = "";

#define PUT(word)                                   \
	do {                                        \
		fprintf(out, "%s%s", next, (word)); \
		next = between;                     \
	} while (0)

	for (size_t i = 0; matter == CASES && i < world->suite_count; i++)
		PUT(world->suites[i]->name);
	for (size_t i = 0; (matter == CASES || matter == CASE_IDS) && i < world->suite_count; i++) {
		const struct test_case *test;

		for (size_t k = 0; (test = suite_case(world->suites[i], k)); k++)
			PUT(test->id);
	}
	for (size_t i = 0; i < world->iut_count; i++) {
		const struct iut_ops *iut = world->iuts[i];

		if (matter == ROLES)
			PUT(iut->role);
		for (size_t k = 0; matter == FAULTS && k < iut->fault_count; k++)
			PUT(iut->faults[k].name);
		for (size_t k = 0; matter == VARIANTS && k < iut->variant_count; k++)
			PUT(iut->variants[k].name);
	}
	for (size_t i = 0; matter == WORDS && option->words[i]; i++)
		PUT(option->words[i]);
#undef PUT
}

static const struct {
	enum matter matter;
	const char *name;
} lists[] = {
	{ CASES, "cases" },   { CASE_IDS, "ids" },	{ ROLES, "roles" },
	{ FAULTS, "faults" }, { VARIANTS, "variants" },
};

static const char *list_of(enum matter matter)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (lists[i].matter == matter)
			return lists[i].name;
	return NULL;
}

/* The command's first word: "profile" of "profile check". */
static size_t first_word(const struct command *command)
{
	return strcspn(command->name, " ");
}

static bool has_second_word(const struct command *command)
{
	return command->name[first_word(command)] != '\0';
}

/* --- bash --------------------------------------------------------------------------------------
 */

/* Sets the reply to what a matter is; words of the option are put in place. */
static void bash_reply(const struct paper_source *source, enum matter matter,
		       const struct option *option, FILE *out)
{
	const char *list = list_of(matter);

	if (list)
		fprintf(out, "mapfile -t COMPREPLY < <(compgen -W \"$_spillway_%s\" -- \"$cur\")",
			list);
	else if (matter == FILES || matter == FOLDERS)
		fprintf(out,
			"compopt -o filenames; mapfile -t COMPREPLY < <(compgen -%c -- \"$cur\")",
			matter == FILES ? 'f' : 'd');
	else if (matter == WORDS) {
		fputs("mapfile -t COMPREPLY < <(compgen -W \"", out);
		put_words(source, matter, option, " ", out);
		fputs("\" -- \"$cur\")", out);
	} else
		fputs("COMPREPLY=()", out);
}

static void bash_command(const struct paper_source *source, const struct command *command,
			 FILE *out)
{
	fprintf(out, "\t%.*s)\n\t\tcase $prev in\n", (int)first_word(command), command->name);
	for (size_t i = 0; i < command->option_count; i++) {
		const struct option *option = &command->options[i];

		if (!option->value)
			continue;
		fputs("\t\t", out);
		if (option->letter)
			fprintf(out, "-%c|", option->letter);
		fprintf(out, "--%s) ", option->name);
		bash_reply(source, matter_of_option(option), option, out);
		fputs("; return ;;\n", out);
	}
	fputs("\t\tesac\n\t\tif [[ $cur == -* ]]; then\n"
	      "\t\t\tmapfile -t COMPREPLY < <(compgen -W \"--help",
	      out);
	for (size_t i = 0; i < command->option_count; i++)
		fprintf(out, " --%s", command->options[i].name);
	fputs("\" -- \"$cur\")\n\t\t\treturn\n\t\tfi\n", out);
	if (has_second_word(command))
		fprintf(out,
			"\t\tif ((COMP_CWORD == 2)); then\n"
			"\t\t\tmapfile -t COMPREPLY < <(compgen -W \"%s\" -- \"$cur\")\n"
			"\t\t\treturn\n\t\tfi\n",
			command->name + first_word(command) + 1);
	if (matter_of_operand(command, true) != matter_of_operand(command, false)) {
		fputs("\t\tif ((COMP_CWORD == 2)); then ", out);
		bash_reply(source, matter_of_operand(command, true), NULL, out);
		fputs("; return; fi\n", out);
	}
	fputs("\t\t", out);
	bash_reply(source, matter_of_operand(command, false), NULL, out);
	fputs("\n\t\t;;\n", out);
}

void completion_bash(const struct paper_source *source, FILE *out)
{
	const struct command *command;

	fputs("# bash completion for spillway\n", out);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		fprintf(out, "_spillway_%s='", lists[i].name);
		put_words(source, lists[i].matter, NULL, " ", out);
		fputs("'\n", out);
	}
	fputs("_spillway()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tCOMPREPLY=()\n"
	      "\t# --option=value comes as three words\n"
	      "\tif [[ $cur == = ]]; then\n\t\tcur=\n"
	      "\telif [[ $prev == = ]]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
	      "\tif ((COMP_CWORD == 1)); then\n\t\tmapfile -t COMPREPLY < <(compgen -W \"",
	      out);
	for (size_t i = 0; (command = cli_command(i)) != NULL; i++)
		fprintf(out, "%.*s ", (int)first_word(command), command->name);
	fputs("--help --version\" -- \"$cur\")\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n",
	      out);
	for (size_t i = 0; (command = cli_command(i)) != NULL; i++)
		bash_command(source, command, out);
	fputs("\tesac\n}\ncomplete -F _spillway spillway\n", out);
}

/* --- zsh ---------------------------------------------------------------------------------------
 */

/* Text within single quotes and, for _arguments, within brackets. */
static void zsh_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (strchr("[]:\\", *text))
			fprintf(out, "\\%c", *text);
		else if (*text == '\'')
			fputs("'\\''", out);
		else
			putc(*text, out);
	}
}

static void zsh_action(const struct paper_source *source, enum matter matter,
		       const struct option *option, FILE *out)
{
	const char *list = list_of(matter);

	if (list) {
		fprintf(out, "_spillway_%s", list);
	} else if (matter == FILES) {
		fputs("_files", out);
	} else if (matter == FOLDERS) {
		fputs("_files -/", out);
	} else if (matter == WORDS) {
		putc('(', out);
		put_words(source, matter, option, " ", out);
		putc(')', out);
	} else {
		putc(' ', out);
	}
}

static void zsh_option(const struct paper_source *source, const struct option *option, FILE *out)
{
	const char *several = option->kind == OPTION_TEXTS ? "*" : "";

	fputs("\t\t\t", out);
	if (option->letter)
		fprintf(out, "'(-%c --%s)'{-%c,--%s%s}'[", option->letter, option->name,
			option->letter, option->name, option->value ? "=" : "");
	else
		fprintf(out, "'%s--%s%s[", several, option->name, option->value ? "=" : "");
	zsh_text(option->text, out);
	putc(']', out);
	if (option->value) {
		putc(':', out);
		zsh_text(option->value, out);
		putc(':', out);
		zsh_action(source, matter_of_option(option), option, out);
	}
	fputs("' \\\n", out);
}

static void zsh_operand(const struct paper_source *source, const struct command *command,
			const char *place, bool first, FILE *out)
{
	fprintf(out, "\t\t\t'%s:", place);
	zsh_text(command->operand_name ? command->operand_name : "operand", out);
	putc(':', out);
	zsh_action(source, matter_of_operand(command, first), NULL, out);
	fputs("' \\\n", out);
}

static void zsh_command(const struct paper_source *source, const struct command *command, FILE *out)
{
	fprintf(out, "\t%.*s)\n\t\t_arguments -s \\\n", (int)first_word(command), command->name);
	for (size_t i = 0; i < command->option_count; i++)
		zsh_option(source, &command->options[i], out);
	fputs("\t\t\t'(-h --help)'{-h,--help}'[prints the usage]' \\\n", out);
	if (has_second_word(command))
		fprintf(out, "\t\t\t'1:command:(%s)' \\\n",
			command->name + first_word(command) + 1);
	else if (matter_of_operand(command, true) != matter_of_operand(command, false))
		zsh_operand(source, command, "1", true, out);
	zsh_operand(source, command, "*", false, out);
	fputs("\t\t&& return\n\t\t;;\n", out);
}

void completion_zsh(const struct paper_source *source, FILE *out)
{
	const struct command *command;

	fputs("#compdef spillway\n# zsh completion for spillway\n", out);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		fprintf(out, "_spillway_%s()\n{\n\tcompadd -- ", lists[i].name);
		put_words(source, lists[i].matter, NULL, " ", out);
		fputs("\n}\n", out);
	}
	fputs("_spillway()\n{\n\tlocal -a commands=(\n", out);
	for (size_t i = 0; (command = cli_command(i)) != NULL; i++) {
		fprintf(out, "\t\t'%.*s:", (int)first_word(command), command->name);
		zsh_text(command->summary, out);
		fputs("'\n", out);
	}
	fputs("\t\t'--help:prints the commands'\n\t\t'--version:prints the version'\n\t)\n"
	      "\tif ((CURRENT == 2)); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n"
	      "\tlocal command=$words[2]\n\tshift words\n\t((CURRENT--))\n\tcase $command in\n",
	      out);
	for (size_t i = 0; (command = cli_command(i)) != NULL; i++)
		zsh_command(source, command, out);
	fputs("\tesac\n}\nif [ \"$funcstack[1]\" = _spillway ]; then\n\t_spillway \"$@\"\nelse\n"
	      "\tcompdef _spillway spillway\nfi\n",
	      out);
}

/* --- fish --------------------------------------------------------------------------------------
 */

/* Within single quotes. */
static void fish_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
}

static void fish_values(const struct paper_source *source, enum matter matter,
			const struct option *option, FILE *out)
{
	const char *list = list_of(matter);

	if (list) {
		fprintf(out, " -xa '$__spillway_%s'", list);
	} else if (matter == WORDS) {
		fputs(" -xa '", out);
		put_words(source, matter, option, " ", out);
		putc('\'', out);
	} else if (matter == FILES) {
		fputs(" -rF", out);
	} else if (matter == FOLDERS) {
		fputs(" -xa '(__fish_complete_directories)'", out);
	} else {
		fputs(" -x", out);
	}
}

static void fish_operand(const struct command *command, FILE *out)
{
	enum matter first = matter_of_operand(command, true);
	enum matter later = matter_of_operand(command, false);
	const char *list = list_of(later);

	fprintf(out, "complete -c spillway -n '__fish_seen_subcommand_from %.*s",
		(int)first_word(command), command->name);
	if (has_second_word(command))
		fprintf(out, "; and __fish_seen_subcommand_from %s",
			command->name + first_word(command) + 1);
	putc('\'', out);
	if (first == FILES)
		fputs(" -F", out);
	else if (first == FOLDERS)
		fputs(" -a '(__fish_complete_directories)'", out);
	else if (list)
		fprintf(out, " -a '$__spillway_%s'", list);
	putc('\n', out);
	if (first == FOLDERS && list)
		fprintf(out,
			"complete -c spillway -n '__fish_seen_subcommand_from %.*s' -a "
			"'$__spillway_%s'\n",
			(int)first_word(command), command->name, list);
}

void completion_fish(const struct paper_source *source, FILE *out)
{
	const struct command *command;

	fputs("# fish completion for spillway\n", out);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		fprintf(out, "set -g __spillway_%s ", lists[i].name);
		put_words(source, lists[i].matter, NULL, " ", out);
		putc('\n', out);
	}
	fputs("complete -c spillway -f\n"
	      "complete -c spillway -n __fish_use_subcommand -l help -d 'prints the commands'\n"
	      "complete -c spillway -n __fish_use_subcommand -l version -d 'prints the version'\n",
	      out);
	for (size_t i = 0; (command = cli_command(i)) != NULL; i++) {
		fprintf(out, "complete -c spillway -n __fish_use_subcommand -a %.*s -d '",
			(int)first_word(command), command->name);
		fish_text(command->summary, out);
		fputs("'\n", out);
		if (has_second_word(command))
			fprintf(out,
				"complete -c spillway -n '__fish_seen_subcommand_from %.*s' -a "
				"%s\n",
				(int)first_word(command), command->name,
				command->name + first_word(command) + 1);
		for (size_t k = 0; k < command->option_count; k++) {
			const struct option *option = &command->options[k];

			fprintf(out,
				"complete -c spillway -n '__fish_seen_subcommand_from %.*s' -l %s",
				(int)first_word(command), command->name, option->name);
			if (option->letter)
				fprintf(out, " -s %c", option->letter);
			if (option->value)
				fish_values(source, matter_of_option(option), option, out);
			fputs(" -d '", out);
			fish_text(option->text, out);
			fputs("'\n", out);
		}
		fish_operand(command, out);
	}
}
