#include "runner/cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/profile.h"

enum { NEAREST_MAX = 64, HELP_COLUMN = 28, HELP_WIDTH = 96 };

/* Edit distance in which two exchanged neighbours count once; words above NEAREST_MAX never match.
 */
static size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][NEAREST_MAX + 1];
	size_t la = strlen(a), lb = strlen(b);

	if (la > NEAREST_MAX || lb > NEAREST_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			int ca = tolower((unsigned char)a[i - 1]);
			int cb = tolower((unsigned char)b[j - 1]);
			size_t best = above[j - 1] + (ca != cb);

			if (above[j] + 1 < best)
				best = above[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
			    cb == tolower((unsigned char)a[i - 2]) && two[j - 2] + 1 < best)
				best = two[j - 2] + 1;
			row[j] = best;
		}
	}
	return rows[la % 3][lb];
}

const char *nearest_word(const char *word, const char *const *candidates, size_t count)
{
	size_t limit = strlen(word) / 3;
	size_t best = limit < 1 ? 2 : limit + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t distance = edit_distance(word, candidates[i]);

		if (distance < best) {
			best = distance;
			nearest = candidates[i];
		}
	}
	return nearest;
}

static bool number_parse(const char *word, char end, uint64_t *value, const char **rest)
{
	int base = word[0] == '0' && (word[1] == 'x' || word[1] == 'X') ? 16 : 10;
	char *stop;
	unsigned long long n;

	if (!isxdigit((unsigned char)word[0]))
		return false;
	errno = 0;
	n = strtoull(word, &stop, base);
	if (errno != 0 || stop == word || *stop != end)
		return false;
	*value = n;
	*rest = stop;
	return true;
}

static size_t count_words(const char *const *words)
{
	size_t n = 0;

	while (words[n] != NULL)
		n++;
	return n;
}

static int set_word(const struct option *option, const char *value, int *place, struct text *why)
{
	size_t count = count_words(option->words);
	const char *nearest;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(value, option->words[i]) == 0) {
			*place = (int)i + 1;
			return 0;
		}
	}
	text_printf(why, "--%s: '%s' is not one of", option->name, value);
	for (size_t i = 0; i < count; i++)
		text_printf(why, "%s %s", i == 0 ? "" : ",", option->words[i]);
	nearest = nearest_word(value, option->words, count);
	if (nearest != NULL)
		text_printf(why, " (did you mean '%s'?)", nearest);
	return -EINVAL;
}

static int set_shard(const struct option *option, const char *value, struct shard *shard,
		     struct text *why)
{
	const char *rest;

	if (number_parse(value, '/', &shard->index, &rest) &&
	    number_parse(rest + 1, '\0', &shard->count, &rest) && shard->index >= 1 &&
	    shard->index <= shard->count)
		return 0;
	text_printf(why, "--%s: '%s' is not I/N with 1 <= I <= N, as in 2/5", option->name, value);
	return -EINVAL;
}

static int set_value(const struct option *option, const char *value, struct settings *settings,
		     struct text *why)
{
	void *place = (char *)settings + option->place;
	struct word_list *list;
	const char *rest;
	uint64_t number;

	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)place = true;
		return 0;
	case OPTION_TEXT:
		if (value[0] == '\0') {
			text_printf(why, "--%s: %s must not be empty", option->name, option->value);
			return -EINVAL;
		}
		*(const char **)place = value;
		return 0;
	case OPTION_TEXTS:
		list = place;
		if (list->count == WORD_LIST_MAX) {
			text_printf(why, "--%s: given more than %d times", option->name,
				    WORD_LIST_MAX);
			return -EINVAL;
		}
		list->words[list->count++] = value;
		return 0;
	case OPTION_NUMBER:
		if (!number_parse(value, '\0', &number, &rest) || number < option->min ||
		    number > option->max) {
			text_printf(why, "--%s: '%s' is not a number from %llu to %llu",
				    option->name, value, (unsigned long long)option->min,
				    (unsigned long long)option->max);
			return -EINVAL;
		}
		*(uint64_t *)place = number;
		return 0;
	case OPTION_DURATION:
		if (profile_duration(value, place))
			return 0;
		text_printf(why, "--%s: '%s' is not a duration, as in 500ms, 10s, 5m or 2h",
			    option->name, value);
		return -EINVAL;
	case OPTION_WORD:
		return set_word(option, value, place, why);
	case OPTION_SHARD:
		return set_shard(option, value, place, why);
	}
	return -EINVAL;
}

static const struct option help_option = {
	.name = "help",
	.letter = 'h',
	.kind = OPTION_FLAG,
	.place = offsetof(struct settings, help),
	.text = "prints this text",
};

static const struct option *find_option(const struct command *command, const char *name, size_t len)
{
	for (size_t i = 0; i < command->option_count; i++) {
		const struct option *option = &command->options[i];

		if (strlen(option->name) == len && memcmp(option->name, name, len) == 0)
			return option;
	}
	if (len == strlen(help_option.name) && memcmp(help_option.name, name, len) == 0)
		return &help_option;
	return NULL;
}

static const struct option *find_letter(const struct command *command, char letter)
{
	for (size_t i = 0; i < command->option_count; i++) {
		if (command->options[i].letter == letter)
			return &command->options[i];
	}
	return letter == help_option.letter ? &help_option : NULL;
}

static int unknown_option(const struct command *command, const char *word, struct text *why)
{
	const char *names[WORD_LIST_MAX];
	char name[NEAREST_MAX + 1];
	size_t count = 0, len = strcspn(word, "=");
	const char *nearest = NULL;

	for (size_t i = 0; i < command->option_count && count < WORD_LIST_MAX - 1; i++)
		names[count++] = command->options[i].name;
	names[count++] = help_option.name;
	text_printf(why, "unknown option '%.*s'", (int)(len > 200 ? 200 : len), word);
	if (len > 2 && len - 2 <= NEAREST_MAX && word[1] == '-') {
		memcpy(name, word + 2, len - 2);
		name[len - 2] = '\0';
		nearest = nearest_word(name, names, count);
	}
	if (nearest != NULL)
		text_printf(why, " (did you mean '--%s'?)", nearest);
	return -EINVAL;
}

static int parse_option(const struct command *command, int argc, char *const argv[], int *at,
			struct settings *settings, struct text *why)
{
	const char *word = argv[*at];
	const struct option *option;
	const char *value = NULL;

	if (word[1] == '-') {
		size_t len = strcspn(word + 2, "=");

		option = find_option(command, word + 2, len);
		if (word[2 + len] == '=')
			value = word + 2 + len + 1;
	} else {
		option = find_letter(command, word[1]);
		if (option != NULL && word[2] != '\0')
			value = word + 2;
	}
	if (option == NULL)
		return unknown_option(command, word, why);
	if (option->kind == OPTION_FLAG && value != NULL) {
		text_printf(why, "--%s takes no value", option->name);
		return -EINVAL;
	}
	if (option->kind != OPTION_FLAG && value == NULL) {
		if (*at + 1 >= argc) {
			text_printf(why, "--%s needs a value: %s", option->name, option->value);
			return -EINVAL;
		}
		value = argv[++*at];
	}
	if (option != &help_option)
		settings->given |= UINT64_C(1) << (option - command->options);
	return set_value(option, value, settings, why);
}

int options_parse(const struct command *command, int argc, char *const argv[], int first,
		  struct settings *settings, struct text *why)
{
	struct word_list *operands = &settings->operands;
	bool only_operands = false;

	for (int i = first; i < argc; i++) {
		const char *word = argv[i];

		if (!only_operands && strcmp(word, "--") == 0) {
			only_operands = true;
			continue;
		}
		if (!only_operands && word[0] == '-' && word[1] != '\0') {
			int rc = parse_option(command, argc, argv, &i, settings, why);

			if (rc != 0)
				return rc;
			if (settings->help)
				return 0;
			continue;
		}
		if (operands->count == command->max_operands || operands->count == WORD_LIST_MAX) {
			if (command->max_operands == 0)
				text_printf(why, "takes no operand: '%s'", word);
			else
				text_printf(why, "more than %zu operand%s: '%s'", operands->count,
					    operands->count == 1 ? "" : "s", word);
			return -EINVAL;
		}
		operands->words[operands->count++] = word;
		if (command->operands_end_options)
			only_operands = true;
	}
	if (operands->count < command->min_operands) {
		text_printf(why, "%s is missing: spillway %s %s", command->operand_name,
			    command->name, command->operands);
		return -EINVAL;
	}
	return 0;
}

bool option_given(const struct command *command, const struct settings *settings, const char *name)
{
	const struct option *option = find_option(command, name, strlen(name));

	return option != NULL && option != &help_option &&
	       (settings->given >> (option - command->options) & 1) != 0;
}

/* Writes text from the column on, broken at blanks; line breaks of the text are kept. */
static void help_text(struct text *out, const char *text, size_t column, size_t at)
{
	while (*text != '\0') {
		size_t len = strcspn(text, " \n");

		if (at > column && at + 1 + len > HELP_WIDTH) {
			text_putc(out, '\n');
			at = 0;
		}
		if (at > column) {
			text_putc(out, ' ');
			at++;
		}
		for (; at < column; at++)
			text_putc(out, ' ');
		text_printf(out, "%.*s", (int)len, text);
		at += len;
		text += len;
		if (*text == '\n') {
			text_putc(out, '\n');
			at = 0;
			for (text++; *text == '\n'; text++)
				text_putc(out, '\n');
		} else if (*text == ' ') {
			text++;
		}
	}
	text_putc(out, '\n');
}

static void help_option_line(const struct option *option, struct text *out)
{
	size_t start = out->len;

	if (option->letter != 0)
		text_printf(out, "  -%c, ", option->letter);
	else
		text_puts(out, "      ");
	text_printf(out, "--%s", option->name);
	if (option->kind == OPTION_WORD) {
		for (size_t i = 0; option->words[i] != NULL; i++)
			text_printf(out, "%c%s", i == 0 ? ' ' : '|', option->words[i]);
	} else if (option->value != NULL) {
		text_printf(out, " %s", option->value);
	}
	if (out->len - start + 2 > HELP_COLUMN) {
		text_putc(out, '\n');
		help_text(out, option->text, HELP_COLUMN, 0);
	} else {
		help_text(out, option->text, HELP_COLUMN, out->len - start);
	}
}

void options_help(const struct command *command, struct text *out)
{
	text_printf(out, "usage: spillway %s%s%s%s\n\n", command->name,
		    command->option_count > 0 ? " [OPTION...]" : "",
		    command->operands[0] != '\0' ? " " : "", command->operands);
	help_text(out, command->summary, 0, 0);
	text_puts(out, "\nOptions:\n");
	for (size_t i = 0; i < command->option_count; i++)
		help_option_line(&command->options[i], out);
	help_option_line(&help_option, out);
	if (command->notes != NULL) {
		text_putc(out, '\n');
		help_text(out, command->notes, 0, 0);
	}
}
