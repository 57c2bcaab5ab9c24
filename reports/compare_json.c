/* The comparison for programs: one object; names are stable, members may be added. */
#include <stdlib.h>
#include <string.h>

#include "reports/compare.h"
#include "reports/printable.h"

static void print_string(const char *s, FILE *out)
{
	fputc('"', out);
	for (uint32_t c; (c = utf8_next(&s)) != 0;) {
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", (char)c);
		else if (c >= 0x10000)
			fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
				0xdc00 + ((c - 0x10000) & 0x3ff));
		else if (c < 0x20 || c >= 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			fputc((int)c, out);
	}
	fputc('"', out);
}

static void member(const char *name, const char *value, FILE *out)
{
	if (value == NULL)
		return;
	fprintf(out, ",\"%s\":", name);
	print_string(value, out);
}

static void print_record(const struct run_record *record, FILE *out)
{
	char *run = json_dumps(record->run, JSON_COMPACT | JSON_ENSURE_ASCII);

	fputs("{\"dir\":", out);
	print_string(record->dir, out);
	fprintf(out, ",\"results\":%zu,\"torn\":%zu,\"incomplete\":%s,\"run\":%s}",
		record->results.count, record->results.torn, record->incomplete ? "true" : "false",
		run == NULL ? "{}" : run);
	free(run);
}

static void print_change(const struct change *change, FILE *out)
{
	fprintf(out, "{\"kind\":\"%s\",\"times\":%zu", change_name(change->kind), change->times);
	member("link", change->lane, out);
	member("proto", change->proto, out);
	member("message", change->type, out);
	member("field", change->field, out);
	member("before", change->before, out);
	member("after", change->after, out);
	fputc('}', out);
}

static void print_case(const struct comparison *comparison, const struct case_comparison *item,
		       FILE *out)
{
	static const char *const sides[] = { "before", "after" };

	(void)comparison;
	fputs("{\"id\":", out);
	print_string(item->id, out);
	member("suite", item->suite, out);
	member("requirement", item->requirement, out);
	member("clause", item->clause, out);
	for (int side = 0; side < 2; side++) {
		if (item->there[side])
			fprintf(out, ",\"%s\":{\"verdict\":\"%s\",\"runs\":%zu}", sides[side],
				verdict_name(item->verdict[side]), item->runs[side]);
	}
	if (item->there[BEFORE] && item->there[AFTER])
		fprintf(out, ",\"messages_compared\":%s", item->compared ? "true" : "false");
	member("not_compared", item->why, out);
	fputs(",\"changes\":[", out);
	for (size_t i = 0; i < item->count; i++) {
		fputs(i > 0 ? "," : "", out);
		print_change(&item->changes[i], out);
	}
	fprintf(out, "],\"more\":%zu}", item->more);
}

static void print_ignored(const struct comparison *comparison, FILE *out)
{
	bool first = true;

	for (size_t v = 0; v < VARYING_COUNT; v++) {
		const struct traffic_ignored *ignored = &comparison->ignored[v];

		if (ignored->values == 0)
			continue;
		fprintf(out, "%s{\"what\":\"%s\",\"values\":%zu,\"fields\":[", first ? "" : ",",
			varying_name((enum varying)v), ignored->values);
		first = false;
		for (size_t i = 0; i < ignored->name_count; i++) {
			fputs(i > 0 ? "," : "", out);
			print_string(ignored->names[i], out);
		}
		fputs("]}", out);
	}
}

void comparison_json(const struct comparison *comparison, FILE *out)
{
	fputs("{\"before\":", out);
	print_record(comparison->records[BEFORE], out);
	fputs(",\"after\":", out);
	print_record(comparison->records[AFTER], out);
	fprintf(out,
		",\"counts\":{\"worse\":%zu,\"better\":%zu,\"other\":%zu,\"same\":%zu,\"changed\":%"
		"zu,"
		"\"only_before\":%zu,\"only_after\":%zu,\"messages_not_compared\":%zu,"
		"\"reasons_that_differ_in_figures\":%zu}",
		comparison->worse, comparison->better, comparison->other, comparison->same,
		comparison->changed, comparison->only[BEFORE], comparison->only[AFTER],
		comparison->uncompared, comparison->digits);
	fprintf(out, ",\"noise_us\":%llu,\"noise_share\":%.2f,\"remarks\":[",
		(unsigned long long)comparison->noise_us, comparison->noise_share);
	for (size_t i = 0; i < comparison->remark_count; i++) {
		fputs(i > 0 ? "," : "", out);
		print_string(comparison->remarks[i], out);
	}
	fputs("],\"ignored\":[", out);
	print_ignored(comparison, out);
	fputs("],\"cases\":[", out);
	for (size_t i = 0; i < comparison->count; i++) {
		fputs(i > 0 ? ",\n" : "\n", out);
		print_case(comparison, &comparison->cases[i], out);
	}
	fputs("\n]}\n", out);
}
