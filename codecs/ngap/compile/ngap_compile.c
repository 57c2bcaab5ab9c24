/*
 * Runs at build time: turns asn1c's descriptors and ngap_ies.def into the C types that the project
 * works with (ngap_types.h) and into one constant node table (ngap_tables.c). So the programs
 * themselves hold neither asn1c's code nor its headers, and nothing has to be set up at start.
 *
 * usage: ngap_compile TYPES_H TABLES_C
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/ngap/compile/types.h"

static const char *const kind_names[] = {
	"PER_INTEGER",	    "PER_ENUMERATED",	    "PER_BITS_64",	  "PER_BIT_STRING",
	"PER_OCTET_STRING", "PER_PRINTABLE_STRING", "PER_VISIBLE_STRING", "PER_UTF8_STRING",
	"PER_SEQUENCE",	    "PER_SEQUENCE_OF",	    "PER_CHOICE",	  "PER_FOREIGN",
	"PER_FOREIGN",
};

struct row {
	const char *owner;
	const char *id;
	const char *criticality;
	const char *presence;
	const char *type;
};

static const struct row ie_rows[] = {
#define IE(message, id, criticality, presence, type) \
	{ #message, #id, #criticality, #presence, #type },
#define EXTENSION(owner, id, criticality, presence, type)
#include "codecs/ngap/ngap_ies.def"
};

static const struct row extension_rows[] = {
#define IE(message, id, criticality, presence, type)
#define EXTENSION(owner, id, criticality, presence, type) \
	{ #owner, #id, #criticality, #presence, #type },
#include "codecs/ngap/ngap_ies.def"
};

static const struct row messages[] = {
#define MESSAGE(id, procedure, kind, name) { #id, #procedure, #kind, name, NULL },
#include "codecs/ngap/ngap_messages.def"
};

static const struct row procedures[] = {
#define PROCEDURE(id, code, criticality, name) { #id, #code, #criticality, name, NULL },
#include "codecs/ngap/ngap_messages.def"
};

static const char *c_type(const struct type *type, char *out)
{
	switch (type->kind) {
	case INTEGER:
		return "int64_t";
	case BITS_64:
		return "uint64_t";
	case BIT_STRING:
		return "struct per_bits";
	case OCTET_STRING:
	case PRINTABLE_STRING:
	case VISIBLE_STRING:
	case UTF8_STRING:
		return "struct octets";
	case IE_LIST:
		return "struct ngap_ie_list";
	case IE:
		return "struct ngap_ie";
	case ENUMERATED:
		sprintf(out, "enum ngap_%s", type->snake);
		return out;
	default:
		sprintf(out, "struct ngap_%s", type->snake);
		return out;
	}
}

static void emit_struct(FILE *out, struct type *type)
{
	asn_TYPE_descriptor_t *td = type->td;
	char name[MAX_NAME];
	char c[2 * MAX_NAME];

	if (type->emitted)
		return;
	type->emitted = true;
	if (type->kind != SEQUENCE && type->kind != SEQUENCE_OF && type->kind != CHOICE)
		return;
	for (int i = 0; i < td->elements_count; i++)
		emit_struct(out, type_of(td->elements[i].type));
	if (type->kind == CHOICE) {
		fprintf(out, "enum ngap_%s_choice {\n", type->snake);
		for (int i = 0; i < td->elements_count; i++) {
			upper(td->elements[i].name, name);
			fprintf(out, "\tNGAP_%s_CHOICE_%s%s,\n", type->upper, name,
				i ? "" : " = 1");
		}
		fprintf(out, "};\n\n");
	}
	fprintf(out, "/* %s */\nstruct ngap_%s {\n", td->name, type->snake);
	if (type->kind == SEQUENCE_OF) {
		fprintf(out, "\tsize_t count;\n\tconst %s *items;\n",
			c_type(type_of(td->elements[0].type), c));
	} else {
		const char *indent = type->kind == CHOICE ? "\t\t" : "\t";

		if (type->kind == CHOICE)
			fprintf(out, "\tenum ngap_%s_choice choice;\n\tunion {\n", type->snake);
		for (int i = 0; i < td->elements_count; i++) {
			struct type *member = type_of(td->elements[i].type);

			snake(td->elements[i].name, name);
			fprintf(out, "%s%s%s %s%s;\n", indent,
				td->elements[i].optional ? "const " : "", c_type(member, c),
				td->elements[i].optional ? "*" : "", name);
		}
		if (type->kind == CHOICE)
			fprintf(out, "\t};\n");
		else if (type->extensible)
			fprintf(out, "\tconst struct per_additions *additions;\n");
	}
	fprintf(out, "};\n\n");
}

static void emit_enum(FILE *out, const struct type *type)
{
	const asn_INTEGER_specifics_t *specifics = type->td->specifics;
	char name[MAX_NAME];

	fprintf(out, "/* %s */\nenum ngap_%s {\n", type->td->name, type->snake);
	for (int i = 0; i < specifics->map_count; i++) {
		if (specifics->value2enum[i].nat_value != i)
			die("%s: gap in the enumeration", type->td->name);
		upper(specifics->value2enum[i].enum_name, name);
		fprintf(out, "\tNGAP_%s_%s = %d,\n", type->upper, name, i);
	}
	fprintf(out, "};\n\n");
}

static void emit_types(FILE *out)
{
	char c[2 * MAX_NAME];

	fprintf(out, "/* Made from ngap.asn by ngap_compile; the rules are in ngap.h. */\n"
		     "#ifndef SPILLWAY_NGAP_TYPES_H\n#define SPILLWAY_NGAP_TYPES_H\n\n"
		     "#include \"codecs/ngap/ngap_ie.h\"\n\n");
	for (size_t i = 0; i < type_count; i++)
		if (types[i].kind == ENUMERATED)
			emit_enum(out, &types[i]);
	for (size_t i = 0; i < type_count; i++)
		emit_struct(out, &types[i]);
	fprintf(out, "enum ngap_type {\n\tNGAP_TYPE_RAW,\n");
	for (size_t i = 0; i < type_count; i++)
		fprintf(out, "\tNGAP_TYPE_%s, /* %s */\n", types[i].upper, c_type(&types[i], c));
	fprintf(out, "\tNGAP_TYPE_COUNT\n};\n\n#endif\n");
}

static void emit_rows(FILE *out, const struct row *rows, size_t count, const char *owner)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(rows[i].owner, owner) != 0)
			continue;
		if (strcmp(rows[i].type, "RAW") != 0 && !is_named(rows[i].type))
			die("%s, %s: no type %s", owner, rows[i].id, rows[i].type);
		fprintf(out, "\t{ NGAP_ID_%s, NGAP_CRITICALITY_%s, NGAP_%s, NGAP_TYPE_%s },\n",
			rows[i].id, rows[i].criticality, rows[i].presence, rows[i].type);
	}
}

static size_t rows_of(const struct row *rows, size_t count, const char *owner)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += strcmp(rows[i].owner, owner) == 0;
	return n;
}

static bool has_container(const struct type *type)
{
	if (type->kind != SEQUENCE && type->kind != CHOICE)
		return false;
	for (int i = 0; i < type->td->elements_count; i++) {
		enum kind kind = type_of(type->td->elements[i].type)->kind;

		if (kind == IE_LIST || kind == IE)
			return true;
	}
	return false;
}

/* The foreign nodes of a type's containers know which extensions this type has. */
static void emit_container(FILE *out, const struct type *type)
{
	size_t n = rows_of(extension_rows, COUNT(extension_rows), type->upper);

	if (!has_container(type)) {
		if (n)
			die("%s has extensions but no container", type->upper);
		return;
	}
	if (n) {
		fprintf(out, "static const struct ngap_ie_row rows_%s[] = {\n", type->snake);
		emit_rows(out, extension_rows, COUNT(extension_rows), type->upper);
		fprintf(out, "};\n");
	}
	for (int i = 0; i < type->td->elements_count; i++) {
		const struct type *member = type_of(type->td->elements[i].type);

		if (member->kind != IE_LIST && member->kind != IE)
			continue;
		fprintf(out, "static const struct ngap_ie_set set_%s = { ", type->snake);
		if (n)
			fprintf(out, ".rows = rows_%s, .count = %zu, ", type->snake, n);
		fprintf(out, ".single = %d, .lower = %ld };\n", member->kind == IE, member->lower);
		fprintf(out,
			"static const struct per_node node_%s_container = { .kind = PER_FOREIGN, "
			".size = sizeof(%s), .foreign = &set_%s, .name = \"%s\", .min_bits = %lu "
			"};\n",
			type->snake, member->kind == IE ? "struct ngap_ie" : "struct ngap_ie_list",
			type->snake, member->td->name, min_bits((struct type *)member));
	}
}

static void emit_members(FILE *out, const struct type *type)
{
	asn_TYPE_descriptor_t *td = type->td;
	char name[MAX_NAME];

	fprintf(out, "static const struct per_member members_%s[] = {\n", type->snake);
	for (int i = 0; i < td->elements_count; i++) {
		const struct type *member = type_of(td->elements[i].type);
		bool container = member->kind == IE_LIST || member->kind == IE;

		if (type->kind == SEQUENCE_OF) {
			fprintf(out, "\t{ &ngap_nodes[NGAP_TYPE_%s], \"\", 0, false },\n",
				member->upper);
			continue;
		}
		snake(td->elements[i].name, name);
		if (container)
			fprintf(out, "\t{ &node_%s_container, ", type->snake);
		else
			fprintf(out, "\t{ &ngap_nodes[NGAP_TYPE_%s], ", member->upper);
		fprintf(out, "\"%s\", offsetof(struct ngap_%s, %s), %s },\n", td->elements[i].name,
			type->snake, name, td->elements[i].optional ? "true" : "false");
	}
	fprintf(out, "};\n");
}

static void emit_node(FILE *out, struct type *type)
{
	asn_TYPE_descriptor_t *td = type->td;
	char c[2 * MAX_NAME];
	unsigned int bits = 0;
	const char *form = "PER_GENERAL";
	int optionals = 0;
	bool composite =
		type->kind == SEQUENCE || type->kind == SEQUENCE_OF || type->kind == CHOICE;

	if (type->kind == IE || type->kind == IE_LIST)
		return;
	if (type->kind == SEQUENCE) {
		form = "PER_NO_BITS";
		for (int i = 0; i < td->elements_count; i++)
			optionals += td->elements[i].optional != 0;
	} else if (!type->unbounded && (type->kind == INTEGER || type->bound < 65536)) {
		form = form_of(type, type->bound - type->lower, &bits);
	}
	fprintf(out, "\t[NGAP_TYPE_%s] = { .kind = %s, .form = %s, .bits = %u, .extensible = %d,\n",
		type->upper, kind_names[type->kind], form, bits, type->extensible);
	fprintf(out, "\t\t.size = sizeof(%s), .lower = %ld, .upper = ", c_type(type, c),
		type->lower);
	if (type->unbounded)
		fprintf(out, "INT64_MAX");
	else
		fprintf(out, "%ld", type->bound);
	fprintf(out, ", .name = \"%s\", .min_bits = %lu,\n", td->name, min_bits(type));
	if (composite)
		fprintf(out, "\t\t.members = members_%s, .count = %d,\n", type->snake,
			td->elements_count);
	if (type->kind == SEQUENCE) {
		fprintf(out, "\t\t.optionals = %d,\n", optionals);
		if (type->extensible)
			fprintf(out, "\t\t.additions = offsetof(struct ngap_%s, additions),\n",
				type->snake);
	}
	if (type->kind == ENUMERATED)
		fprintf(out, "\t\t.names = names_%s, .count = %d,\n", type->snake,
			((const asn_INTEGER_specifics_t *)td->specifics)->map_count);
	fprintf(out, "\t},\n");
}

static void emit_names(FILE *out, const struct type *type)
{
	const asn_INTEGER_specifics_t *specifics = type->td->specifics;

	fprintf(out, "static const char *const names_%s[] = {\n", type->snake);
	for (int i = 0; i < specifics->map_count; i++)
		fprintf(out, "\t\"%s\",\n", specifics->value2enum[i].enum_name);
	fprintf(out, "};\n");
}

static const struct row *procedure_of(const char *id)
{
	for (size_t i = 0; i < COUNT(procedures); i++)
		if (strcmp(procedures[i].owner, id) == 0)
			return &procedures[i];
	die("no procedure %s", id);
}

static void emit_messages(FILE *out)
{
	for (size_t i = 0; i < COUNT(ie_rows); i++) {
		const char *message = ie_rows[i].owner;

		if (i && strcmp(ie_rows[i - 1].owner, message) == 0)
			continue;
		for (size_t j = 0; j + 1 < i; j++)
			if (strcmp(ie_rows[j].owner, message) == 0)
				die("rows of %s are not together", message);
		fprintf(out, "static const struct ngap_ie_row rows_of_%s[] = {\n", message);
		emit_rows(out, ie_rows, COUNT(ie_rows), message);
		fprintf(out, "};\n_Static_assert(%zu <= NGAP_ROWS_MAX, \"%s\");\n",
			rows_of(ie_rows, COUNT(ie_rows), message), message);
	}
	fprintf(out, "const struct ngap_message_info ngap_message_infos[NGAP_MESSAGE_COUNT] = {\n"
		     "\t[NGAP_MESSAGE_UNKNOWN] = { .name = \"unknown\" },\n");
	for (size_t i = 0; i < COUNT(messages); i++) {
		const char *id = messages[i].owner;
		size_t n = rows_of(ie_rows, COUNT(ie_rows), id);
		unsigned int response = 0;

		for (size_t j = 0; j < COUNT(messages); j++) {
			if (strcmp(messages[j].id, messages[i].id) != 0)
				continue;
			if (strcmp(messages[j].criticality, "SUCCESSFUL_OUTCOME") == 0)
				response |= 1;
			else if (strcmp(messages[j].criticality, "UNSUCCESSFUL_OUTCOME") == 0)
				response |= 2;
		}
		fprintf(out,
			"\t[NGAP_%s] = { .name = \"%s\", .procedure_code = NGAP_PROCEDURE_%s, "
			".criticality = NGAP_CRITICALITY_%s, .kind = NGAP_%s, .response = %u, "
			".count = %zu",
			id, messages[i].presence, messages[i].id,
			procedure_of(messages[i].id)->criticality, messages[i].criticality,
			response, n);
		if (n)
			fprintf(out, ", .rows = rows_of_%s", id);
		fprintf(out, " },\n");
	}
	fprintf(out, "};\n");
	for (size_t i = 0; i < COUNT(ie_rows); i++) {
		size_t j = 0;

		while (j < COUNT(messages) && strcmp(messages[j].owner, ie_rows[i].owner) != 0)
			j++;
		if (j == COUNT(messages))
			die("no message %s", ie_rows[i].owner);
	}
}

static void emit_tables(FILE *out)
{
	fprintf(out, "/* Made from ngap.asn and ngap_ies.def by ngap_compile. */\n"
		     "#include <stddef.h>\n\n#include \"codecs/ngap/ngap_tables.h\"\n\n");
	for (size_t i = 0; i < type_count; i++) {
		enum kind kind = types[i].kind;

		emit_container(out, &types[i]);
		if (kind == SEQUENCE || kind == SEQUENCE_OF || kind == CHOICE)
			emit_members(out, &types[i]);
		if (kind == ENUMERATED)
			emit_names(out, &types[i]);
	}
	for (size_t i = 0; i < COUNT(extension_rows); i++)
		if (!is_named(extension_rows[i].owner))
			die("no type %s", extension_rows[i].owner);
	fprintf(out, "const struct per_node ngap_nodes[NGAP_TYPE_COUNT] = {\n");
	for (size_t i = 0; i < type_count; i++)
		emit_node(out, &types[i]);
	fprintf(out, "};\n");
	emit_messages(out);
}

/* Is this what the file holds already? Then whatever was built from it need not be built again. */
static bool is_content(const char *path, const char *content, size_t size)
{
	FILE *file = fopen(path, "r");
	bool same = file != NULL;

	for (size_t i = 0; same && i < size; i++)
		same = getc(file) == (unsigned char)content[i];
	same = same && getc(file) == EOF;
	if (file)
		fclose(file);
	return same;
}

static void write_file(const char *path, void (*emit)(FILE *out))
{
	char *content = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&content, &size);

	if (!out)
		die("no memory");
	emit(out);
	if (fclose(out) != 0)
		die("no memory");
	if (!is_content(path, content, size)) {
		out = fopen(path, "w");
		if (!out || fwrite(content, 1, size, out) != size || fclose(out) != 0)
			die("%s: %s", path, strerror(errno));
	}
	free(content);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		die("usage: ngap_compile TYPES_H TABLES_C");
	read_types();
	write_file(argv[1], emit_types);
	write_file(argv[2], emit_tables);
	return 0;
}
