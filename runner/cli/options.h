/*
 * The command line as tables: one entry an option, one entry a command. The tables drive parsing,
 * usage errors and --help; a man page or a shell completion can be made from the same data.
 */
#ifndef SPILLWAY_RUNNER_CLI_OPTIONS_H
#define SPILLWAY_RUNNER_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codecs/text.h"

/* The exit status of every command but `ctl` (design/cli.md). */
enum exit_status {
	EXIT_PASSED = 0,
	EXIT_FAILED = 1,
	EXIT_INCONCLUSIVE = 2,
	EXIT_RIG = 3,
	EXIT_USAGE = 4,
};

/* Every case of the house by its id, every shard of a large run, is still one command. */
enum { WORD_LIST_MAX = 1024 };

/* Values of an option that may be repeated, or the operands; the strings are argv's. */
struct word_list {
	const char *words[WORD_LIST_MAX];
	size_t count;
};

struct shard {
	uint64_t index; /* from 1 */
	uint64_t count; /* 0: the run is not split */
};

enum log_level_word {
	LOG_WORD_ERROR,
	LOG_WORD_WARN,
	LOG_WORD_INFO,
	LOG_WORD_DEBUG,
};

enum colour_word {
	COLOUR_BY_DEFAULT,
	COLOUR_AUTO,
	COLOUR_ALWAYS,
	COLOUR_NEVER,
};

enum should_word {
	SHOULD_BY_PROFILE,
	SHOULD_WARN,
	SHOULD_FAIL,
};

enum evidence_word {
	EVIDENCE_BY_DEFAULT,
	EVIDENCE_ALL,
	EVIDENCE_FAILED,
};

enum format_word {
	FORMAT_NONE,
	FORMAT_JUNIT,
	FORMAT_TAP,
	FORMAT_JSON,
	FORMAT_HTML,
	FORMAT_TEXT,
	FORMAT_MARKDOWN,
};

enum diff_format_word {
	DIFF_FORMAT_DEFAULT,
	DIFF_FORMAT_TEXT,
	DIFF_FORMAT_HTML,
	DIFF_FORMAT_JSON,
};

enum transport_word {
	TRANSPORT_BY_PROFILE,
	TRANSPORT_AUTO,
	TRANSPORT_KERNEL,
	TRANSPORT_USRSCTP,
	TRANSPORT_USRSCTP_UDP,
};

/* What the options of all commands were set to; NULL, 0 and false where not given. */
struct settings {
	bool help;
	bool json;
	bool live;
	bool virtual_time;
	bool until_fail;
	bool verbose;
	bool matrix;
	bool variants;
	bool list_faults;
	bool list_variants;
	bool list_ics;
	const char *profile;
	const char *baseline;
	const char *out;
	const char *resume;
	const char *control;
	const char *role;
	const char *address;
	uint64_t seed;
	uint64_t jobs;
	uint64_t repeat;
	uint64_t seeds;
	uint64_t udp_port;
	uint64_t max_duration; /* us */
	uint64_t noise;	       /* us */
	struct shard shard;
	int log_level; /* enum log_level_word */
	int should;    /* enum should_word */
	int evidence;  /* enum evidence_word */
	int format;    /* enum format_word, or diff_format_word */
	int colour;    /* enum colour_word */
	int transport; /* enum transport_word */
	struct word_list faults;
	struct word_list with_variants;
	struct word_list operands;
	uint64_t given; /* bit n: option n of the command's table was given */
};

enum option_kind {
	OPTION_FLAG,	 /* bool */
	OPTION_TEXT,	 /* const char * */
	OPTION_TEXTS,	 /* struct word_list; may be given several times */
	OPTION_NUMBER,	 /* uint64_t in min..max, decimal or 0x */
	OPTION_DURATION, /* uint64_t in us: 500ms, 10s, 5m, 2h */
	OPTION_WORD,	 /* int: 1 + index into words; 0 while not given */
	OPTION_SHARD,	 /* struct shard: I/N */
};

struct option {
	const char *name; /* without the dashes */
	char letter;	  /* 0: no short form */
	enum option_kind kind;
	const char *value; /* the value's name in the help; NULL for a flag */
	size_t place;	   /* offset in struct settings */
	uint64_t min, max; /* OPTION_NUMBER */
	const char *const *words;
	const char *text; /* one line of help */
};

struct registry;

struct invocation {
	const struct registry *registry;
	const char *program; /* argv[0] */
	const struct command *command;
	struct settings settings;
};

struct command {
	const char *name; /* "run", "profile check" */
	const char *operands;
	const char *summary; /* one line */
	const char *notes;   /* paragraphs of the help; may be NULL */
	const struct option *options;
	size_t option_count;
	size_t min_operands;
	size_t max_operands;
	/* What an operand is called in a usage error. */
	const char *operand_name;
	/* Operands may look like anything once the first one has been seen (ctl). */
	bool operands_end_options;
	/* Returns the exit status of the program. */
	int (*run)(struct invocation *invocation);
};

/*
 * Parses argv[first..] for the command into settings. 0, or -EINVAL with the message (names the
 * option, the allowed words, the nearest valid word) in why. --help sets settings->help and stops.
 */
int options_parse(const struct command *command, int argc, char *const argv[], int first,
		  struct settings *settings, struct text *why);

bool option_given(const struct command *command, const struct settings *settings, const char *name);

/* Writes usage, options and notes of a command. */
void options_help(const struct command *command, struct text *out);

/*
 * The candidate that was probably meant, or NULL: the first with the smallest edit distance, at
 * most a third of the word's length. Case does not count.
 */
const char *nearest_word(const char *word, const char *const *candidates, size_t count);

#endif
