/*
 * Any octets as a header field "name: value", or several lines of it. Beyond memory faults, which
 * the sanitizers see, a run ends when one of these does not hold:
 *  - reading leaves the arena with what it returned and no more, and findings lie in their line;
 *  - strict reading accepts exactly what has no finding;
 *  - an element without a fault prints to a form that reads the same and prints the same again;
 *  - dates that are read print to the same octets.
 */
#include "codecs/sbi/multipart.h"
#include "codecs/sbi/sbi.h"
#include "codecs/sbi/sbi_date.h"
#include "fuzz/harness/harness.h"

enum { LINES_MAX = 4, ELEMENTS_MAX = 4, FINDINGS_MAX = 16, OUT_MAX = 70000 };

typedef enum finding_rule read_load(struct sbi_load *elements, size_t max, size_t *found,
				    const struct octets *lines, size_t count,
				    enum sbi_release release, struct arena *arena,
				    enum decode_mode mode, struct findings *findings);

static uint8_t room[8192], second_room[8192];
static char out[OUT_MAX], out_again[OUT_MAX];

static void check_element(const struct sbi_load *load, bool oci)
{
	read_load *read = oci ? sbi_oci_read : sbi_lci_read;
	struct sbi_load again;
	struct text text;
	struct octets line;
	struct arena arena;
	size_t found;

	text_init(&text, out, sizeof(out));
	(oci ? sbi_oci_print : sbi_lci_print)(&text, load);
	if (load->fault.rule != FINDING_NONE || text.truncated)
		return;
	line = OCTETS((uint8_t *)out, text.len);
	arena_init(&arena, second_room, sizeof(second_room));
	require(read(&again, 1, &found, &line, 1, SBI_REL_18, &arena, DECODE_STRICT, NULL) ==
		FINDING_NONE);
	require(found == 1 && again.has == load->has && again.timestamp == load->timestamp &&
		again.validity == load->validity && again.metric == load->metric &&
		again.relative_capacity == load->relative_capacity &&
		sbi_scope_equal(&again.scope, &load->scope));
	text_init(&text, out_again, sizeof(out_again));
	(oci ? sbi_oci_print : sbi_lci_print)(&text, &again);
	require(strcmp(out, out_again) == 0);
}

static void check_load(const struct octets *lines, size_t count, bool oci)
{
	read_load *read = oci ? sbi_oci_read : sbi_lci_read;
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct sbi_load elements[ELEMENTS_MAX], strict[ELEMENTS_MAX];
	enum finding_rule rule;
	struct arena arena;
	size_t found, found_strict;

	arena_init(&arena, room, sizeof(room));
	rule = read(elements, ELEMENTS_MAX, &found, lines, count, SBI_REL_18, &arena,
		    DECODE_LENIENT, &findings);
	for (size_t i = 0; i < findings.count && i < FINDINGS_MAX; i++) {
		require(items[i].ie >= 0 && (size_t)items[i].ie < count);
		require(items[i].bit / 8 <= lines[items[i].ie].len);
	}
	if (rule == FINDING_NO_MEMORY)
		return;
	require(rule == FINDING_NONE);
	/* all of it on one input would be slower, and find no more */
	if (lines[0].len & 1) {
		for (size_t i = 0; i < found && i < ELEMENTS_MAX; i++)
			check_element(&elements[i], oci);
		return;
	}
	arena_init(&arena, second_room, sizeof(second_room));
	rule = read(strict, ELEMENTS_MAX, &found_strict, lines, count, SBI_REL_18, &arena,
		    DECODE_STRICT, NULL);
	require((rule == FINDING_NONE) == (findings.count == 0));
}

static void check_date(struct octets value)
{
	struct text text;
	int64_t at;
	size_t bad = 0;

	text_init(&text, out, sizeof(out));
	if (sbi_date_read(&at, value, &bad) == FINDING_NONE) {
		sbi_date_print(&text, at);
		/* a leap second is the first of the next minute */
		require(text.len == value.len &&
			(memcmp(out, value.data, value.len) == 0 || value.data[23] == '6'));
	}
	if (sbi_datetime_read(&at, value, &bad) == FINDING_NONE) {
		int64_t again;

		text_init(&text, out, sizeof(out));
		sbi_datetime_print(&text, at);
		if (at / 1000 <= SBI_DATE_MAX && at >= INT64_C(-62167219200000))
			require(sbi_datetime_read(&again, OCTETS((uint8_t *)out, text.len), &bad) ==
					FINDING_NONE &&
				again == at);
	}
	require(bad <= value.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct octets lines[LINES_MAX], name;
	struct finding item;
	struct findings findings = { &item, 1, 0 };
	struct multipart multipart;
	struct arena arena;
	enum sbi_header header;
	size_t at, count = 0;
	const uint8_t *end;

	if (size == 0 || size > 60000)
		return 0;
	end = memchr(data, ':', size);
	at = end ? (size_t)(end - data) : size;
	name = OCTETS(data, at);
	at += at < size;
	at += at < size && data[at] == ' ';
	do {
		size_t start = at;

		end = memchr(data + at, '\n', size - at);
		at = end ? (size_t)(end - data) : size;
		lines[count++] = OCTETS(data + start, at - start);
	} while (at < size && ++at <= size && count < LINES_MAX);

	header = sbi_header_of(name);
	switch (header) {
	case SBI_HEADER_OCI:
	case SBI_HEADER_LCI:
		check_load(lines, count, header == SBI_HEADER_OCI);
		return 0;
	case SBI_HEADER_DATE:
		check_date(lines[0]);
		break;
	default:
		break;
	}
	arena_init(&arena, room, sizeof(room));
	require((sbi_header_check(name, lines[0], SBI_REL_16, &arena, &findings) == FINDING_NONE) ||
		findings.count > 0);
	require(arena.used == 0);
	if (findings.count)
		require(item.bit / 8 <= lines[0].len);
	/* the rest as a body whose content type is the first line */
	if (count > 1 && multipart_is(lines[0]) &&
	    multipart_read(&multipart, lines[0],
			   OCTETS(lines[1].data, size - (size_t)(lines[1].data - data)),
			   NULL) == FINDING_NONE)
		require(multipart.count <= MULTIPART_PARTS_MAX);
	return 0;
}
