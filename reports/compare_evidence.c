/* What the IUT sent in a case of two runs: whether it is there, and the same octet for octet. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reports/compare_private.h"
#include "reports/evidence.h"

enum { PATH_SIZE = 4096 };

static bool events_path(const struct run_record *record, const struct result *result, char *path,
			size_t size)
{
	return evidence_path(record->dir, result->evidence, "events.jsonl", path, size);
}

static bool same_octets(const char *before, const char *after, char *room)
{
	FILE *files[2] = { fopen(before, "re"), fopen(after, "re") };
	bool same = files[0] != NULL && files[1] != NULL;
	size_t n = 1;

	while (same && n > 0) {
		n = fread(room, 1, COMPARE_ROOM, files[0]);
		same = fread(room + COMPARE_ROOM, 1, COMPARE_ROOM, files[1]) == n &&
		       memcmp(room, room + COMPARE_ROOM, n) == 0;
	}
	for (int i = 0; i < 2; i++) {
		if (files[i] == NULL)
			continue;
		same = same && !ferror(files[i]);
		fclose(files[i]);
	}
	return same;
}

/* Nothing to take apart: the runs left the same octets. An empty file says nothing. */
static bool same_evidence(const struct comparison *comparison, const struct runs runs[2],
			  char *room)
{
	if (runs[BEFORE].count != runs[AFTER].count)
		return false;
	for (size_t i = 0; i < runs[BEFORE].count; i++) {
		char paths[2][PATH_SIZE];

		for (int side = 0; side < 2; side++) {
			if (!events_path(comparison->records[side], &runs[side].results[i],
					 paths[side], sizeof(paths[side])))
				return false;
		}
		if (!same_octets(paths[BEFORE], paths[AFTER], room))
			return false;
	}
	return true;
}

/* All repetitions of one record. False with the reason in why where one of them is not there. */
static bool read_runs(const struct run_record *record, const struct runs *runs,
		      struct message_decoder *decoder, struct traffic *traffic, struct text *why)
{
	for (size_t i = 0; i < runs->count; i++) {
		char path[PATH_SIZE];
		int rc;

		if (runs->results[i].evidence == NULL) {
			text_puts(why, "the evidence was not kept");
			return false;
		}
		rc = events_path(record, &runs->results[i], path, sizeof(path))
			     ? traffic_read(traffic, path, decoder)
			     : -ENAMETOOLONG;
		if (rc != 0) {
			text_printf(why, "%s/events.jsonl: %s", runs->results[i].evidence,
				    rc == -ENAMETOOLONG ? "not a path inside the record"
							: strerror(-rc));
			return false;
		}
	}
	return true;
}

static void not_compared(struct comparison *comparison, struct case_comparison *item, int side,
			 const char *why)
{
	char buf[CHANGE_TEXT_MAX + 16];

	snprintf(buf, sizeof(buf), "%s: %s", comparison_sides[side], why);
	item->compared = false;
	if (item->why == NULL)
		item->why = comparison_copy(comparison, buf);
}

/* What could not be read of what is there. */
static void note_gaps(struct comparison *comparison, const struct case_comparison *item, int side,
		      const struct traffic *traffic)
{
	if (traffic->torn > 0)
		comparison_remark(
			comparison,
			"%s: %s: %zu line%s of events.jsonl cannot be read and %s passed over",
			comparison_sides[side], item->id, traffic->torn,
			traffic->torn == 1 ? "" : "s", traffic->torn == 1 ? "is" : "are");
	if (traffic->cut)
		comparison_remark(comparison,
				  "%s: %s: there is more in the messages than what is compared",
				  comparison_sides[side], item->id);
	comparison->gaps += traffic->torn > 0 || traffic->cut;
}

void comparison_take_ignored(struct comparison *comparison,
			     const struct traffic_ignored ignored[VARYING_COUNT])
{
	for (size_t v = 0; v < VARYING_COUNT; v++) {
		comparison->ignored[v].values += ignored[v].values;
		for (size_t i = 0; i < ignored[v].name_count; i++)
			traffic_ignore(&comparison->ignored[v], ignored[v].names[i], 0);
	}
}

static void compare_evidence(struct comparison *comparison, struct case_comparison *item,
			     const struct runs runs[2], struct message_decoder *decoder)
{
	struct traffic traffics[2] = { { .groups = NULL }, { .groups = NULL } };
	char buf[CHANGE_TEXT_MAX];
	struct text why;

	item->compared = true;
	for (int side = 0; side < 2; side++) {
		text_init(&why, buf, sizeof(buf));
		if (!read_runs(comparison->records[side], &runs[side], decoder, &traffics[side],
			       &why))
			not_compared(comparison, item, side, buf);
	}
	if (item->compared) {
		for (int side = 0; side < 2; side++) {
			note_gaps(comparison, item, side, &traffics[side]);
			comparison_take_ignored(comparison, traffics[side].ignored);
		}
		comparison_traffic(comparison, item, &traffics[BEFORE], &traffics[AFTER]);
	}
	for (int side = 0; side < 2; side++)
		traffic_clear(&traffics[side]);
}

void comparison_evidence(struct comparison *comparison, struct case_comparison *item,
			 const struct runs runs[2], struct message_decoder *decoder, char *room)
{
	if (same_evidence(comparison, runs, room))
		item->compared = true;
	else
		compare_evidence(comparison, item, runs, decoder);
}
