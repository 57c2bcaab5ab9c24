/*
 * Input for erlang.escript: which IE has which type, and mutated PDUs with what this codec makes of
 * them. usage: ngap_mutants COUNT | ngap_mutants 0 FOLDER, whose files are then the PDUs
 *
 * Lines:  message PROCEDURE KIND
 *         ie PROCEDURE KIND ID TYPE        an IE of a message that has a type
 *         extension ID TYPE                an extension that has a type somewhere
 *         pdu HEX accept HEX NOTE | pdu HEX reject RULE
 * accept: it decodes in lenient mode and no IE is spoiled; with the octets that it encodes to, and
 * what may explain a difference.
 */
#include <dirent.h>

#include "codecs/ngap/ngap_check.h"
#include "codecs/ngap/ngap_print.h"
#include "codecs/ngap/ngap_tables.h"
#include "codecs/ngap/test_ngap.h"

static void print_hex(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		printf("%02x", data[i]);
	if (!len)
		putchar('-');
}

static void print_tables(void)
{
	for (int m = NGAP_MESSAGE_UNKNOWN + 1; m < NGAP_MESSAGE_COUNT; m++) {
		const struct ngap_message_info *info = ngap_message_info((enum ngap_message)m);

		if (m == NGAP_PRIVATE_MESSAGE)
			continue;
		printf("message %u %u\n", info->procedure_code, info->kind);
		for (size_t i = 0; i < info->count; i++)
			if (info->rows[i].type != NGAP_TYPE_RAW)
				printf("ie %u %u %u %s\n", info->procedure_code, info->kind,
				       info->rows[i].id, ngap_nodes[info->rows[i].type].name);
	}
	for (int t = NGAP_TYPE_RAW + 1; t < NGAP_TYPE_COUNT; t++) {
		const struct per_node *node = &ngap_nodes[t];

		for (size_t i = 0; i < node->count && node->members; i++) {
			const struct ngap_ie_set *set = node->members[i].node->foreign;

			for (size_t j = 0; set && j < set->count; j++)
				if (set->rows[j].type != NGAP_TYPE_RAW)
					printf("extension %u %s\n", set->rows[j].id,
					       ngap_nodes[set->rows[j].type].name);
		}
	}
}

/* The last finding of one of two rules; NULL if there is none. */
static const struct finding *last_of(const struct findings *findings, enum finding_rule one,
				     enum finding_rule other)
{
	size_t n = findings->count < findings->max ? findings->count : findings->max;

	while (n-- > 0)
		if (findings->items[n].rule == one || findings->items[n].rule == other)
			return &findings->items[n];
	return NULL;
}

/* Why an IE or extension that has a type is raw; NULL if all have values. */
static const struct finding *spoiled(const struct test *t)
{
	struct finding items[64];
	struct findings findings = { items, COUNT(items), 0 };
	const struct finding *empty =
		last_of(&t->findings, FINDING_EMPTY_OPEN_TYPE, FINDING_EMPTY_OPEN_TYPE);

	if (empty)
		return empty;
	ngap_check(&t->pdu, &findings);
	if (!last_of(&findings, FINDING_RANGE, FINDING_RANGE))
		return NULL;
	return last_of(&t->findings, FINDING_RANGE, FINDING_LENGTH);
}

struct seen {
	bool additions;
	bool displaced; /* an extension that has a type elsewhere, but not where it stands */
	bool empty_string;
};

static bool is_typed_extension(const char *name)
{
	for (int t = NGAP_TYPE_RAW + 1; t < NGAP_TYPE_COUNT; t++) {
		const struct per_node *node = &ngap_nodes[t];

		for (size_t i = 0; i < node->count && node->members; i++) {
			const struct ngap_ie_set *set = node->members[i].node->foreign;

			for (size_t j = 0; set && j < set->count; j++)
				if (set->rows[j].type != NGAP_TYPE_RAW &&
				    strcmp(ngap_ie_name(set->rows[j].id), name) == 0)
					return true;
		}
	}
	return false;
}

static void look_at(void *context, const char *path, const char *value)
{
	struct seen *seen = context;
	const char *name = strrchr(path, '.');

	seen->additions |= strstr(path, "additions.present") != NULL;
	seen->empty_string |= strcmp(value, "\"\"") == 0;
	if (name && strstr(path, "xtensions.") && strncmp(value, "raw ", 4) == 0)
		seen->displaced |= is_typed_extension(name + 1);
}

/* What may explain a difference. */
static const char *note(const struct test *t)
{
	struct seen seen = { false, false, false };

	ngap_fields(&t->pdu, look_at, &seen);
	if (seen.additions)
		return "additions";
	if (seen.displaced)
		return "displaced extension";
	return seen.empty_string ? "empty string" : "plain";
}

static void print_pdu(const uint8_t *data, size_t len)
{
	static uint8_t out[8192];
	const struct finding *why;
	struct test *t;
	ssize_t n;

	printf("pdu ");
	print_hex(data, len);
	if (decode_octets(&t, data, len, DECODE_LENIENT) != 0)
		why = &t->items[t->findings.count < t->findings.max ? t->findings.count - 1
								    : t->findings.max - 1];
	else
		why = spoiled(t);
	if (why) {
		printf(" reject %s", finding_rule_name(why->rule));
		if (why->rule != FINDING_EMPTY_OPEN_TYPE)
			printf(" %s", why->field);
		putchar('\n');
		return;
	}
	/* Erlang drops what follows the message. */
	t->pdu.trailing.len = 0;
	n = ngap_encode(&t->pdu, out, sizeof(out));
	printf(" accept ");
	print_hex(out, n > 0 ? (size_t)n : 0);
	printf(" %s\n", note(t));
}

/* What a fuzzer collected; files that are longer than a usual PDU are passed over. */
static int print_folder(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		char name[4096];
		uint8_t data[2100];
		size_t len = 0;
		FILE *file;

		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		file = entries[i]->d_name[0] != '.' ? fopen(name, "rb") : NULL;
		free(entries[i]);
		if (!file)
			continue;
		len = fread(data, 1, sizeof(data), file);
		fclose(file);
		if (len > 0 && len < sizeof(data))
			print_pdu(data, len);
	}
	if (count >= 0)
		free(entries);
	return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	long count = argc >= 2 ? strtol(argv[1], NULL, 10) : 0;
	struct vector v;
	uint8_t data[2100];

	if (count < 1 && argc != 3) {
		fprintf(stderr, "usage: ngap_mutants COUNT | ngap_mutants 0 FOLDER\n");
		return 2;
	}
	print_tables();
	if (argc == 3)
		return print_folder(argv[2]);
	seed_random(3);
	while (count > 0) {
		FILE *file = open_source("fixtures/vectors/ngap.txt");

		while (count > 0 && next_vector(file, &v)) {
			memcpy(data, v.data, v.len);
			print_pdu(data, mutate(data, v.len, sizeof(data)));
			count--;
		}
		fclose(file);
	}
	return 0;
}
