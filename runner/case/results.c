/*
 * One finished case as a line of JSON, and a run as the sum of them.
 */
#include "runner/case/results.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lines_free(char **lines, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(lines[i]);
	free(lines);
}

void result_clear(struct result *result)
{
	lines_free(result->warnings, result->warning_count);
	lines_free(result->notes, result->note_count);
	for (size_t i = 0; i < result->figure_count; i++)
		free(result->figures[i].what);
	free(result->figures);
	free(result->id);
	free(result->suite);
	free(result->role);
	free(result->purpose);
	free(result->stimulus);
	free(result->expectation);
	free(result->requirement);
	free(result->clause);
	free(result->strength);
	free(result->reason);
	free(result->detail);
	free(result->ladder);
	free(result->baseline);
	free(result->repro);
	free(result->evidence);
	memset(result, 0, sizeof(*result));
}

/* Text may hold anything that an IUT sent: what is not UTF-8 becomes "?". */
static json_t *text_value(const char *s)
{
	json_t *value = json_string(s);
	char *copy;

	if (value)
		return value;
	copy = strdup(s);
	if (!copy)
		return NULL;
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

static void put_text(json_t *object, const char *key, const char *s)
{
	if (s)
		json_object_set_new(object, key, text_value(s));
}

static void put_lines(json_t *object, const char *key, char *const *lines, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, text_value(lines[i]));
	json_object_set_new(object, key, array);
}

static void put_figures(json_t *object, const struct result *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->figure_count; i++) {
		const struct figure *f = &r->figures[i];

		json_array_append_new(array,
				      json_pack("{s:o, s:I, s:I, s:f, s:f, s:f, s:f, s:f}", "what",
						text_value(f->what), "offered",
						(json_int_t)f->offered, "sent", (json_int_t)f->sent,
						"stated", f->stated, "tolerance", f->tolerance,
						"low", f->low, "high", f->high, "error", f->error));
	}
	json_object_set_new(object, "figures", array);
}

/* Milliseconds to the microsecond: what is printed reads back as the same number. */
static double rounded(double ms)
{
	return (double)(long long)(ms * 1000 + 0.5) / 1000;
}

char *result_print(const struct result *r)
{
	json_t *object = json_object();
	char *line;

	put_text(object, "id", r->id ? r->id : "");
	put_text(object, "verdict", verdict_name(r->verdict));
	put_text(object, "reason", r->reason ? r->reason : "");
	put_lines(object, "warnings", r->warnings, r->warning_count);
	put_text(object, "requirement", r->requirement);
	put_text(object, "clause", r->clause);
	json_object_set_new(object, "seed", json_integer((json_int_t)r->seed));
	json_object_set_new(object, "iut_ms", json_real(rounded(r->iut_ms)));
	json_object_set_new(object, "wall_ms", json_real(rounded(r->wall_ms)));
	put_text(object, "repro", r->repro);
	put_text(object, "suite", r->suite);
	put_text(object, "role", r->role);
	put_text(object, "strength", r->strength);
	put_text(object, "purpose", r->purpose);
	put_text(object, "stimulus", r->stimulus);
	put_text(object, "expectation", r->expectation);
	json_object_set_new(object, "repetition", json_integer(r->repetition));
	if (r->note_count)
		put_lines(object, "notes", r->notes, r->note_count);
	if (r->figure_count)
		put_figures(object, r);
	put_text(object, "detail", r->detail);
	put_text(object, "ladder", r->ladder);
	put_text(object, "baseline", r->baseline);
	put_text(object, "evidence", r->evidence);
	line = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15));
	json_decref(object);
	return line;
}

static bool get_text(const json_t *object, const char *key, char **to)
{
	const char *s = json_string_value(json_object_get(object, key));

	if (s)
		*to = strdup(s);
	return !s || *to;
}

static bool get_lines(const json_t *object, const char *key, char ***lines, size_t *count)
{
	const json_t *array = json_object_get(object, key);
	size_t n = json_array_size(array);

	if (n == 0)
		return true;
	*lines = calloc(n, sizeof(**lines));
	if (!*lines)
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *s = json_string_value(json_array_get(array, i));

		(*lines)[i] = strdup(s ? s : "");
		if (!(*lines)[i])
			return false;
		(*count)++;
	}
	return true;
}

/* A share is 0..1, whatever the line says. */
static double get_share(const json_t *figure, const char *key)
{
	double share = json_number_value(json_object_get(figure, key));

	return share >= 0 && share <= 1 ? share : 0;
}

static bool get_figures(const json_t *object, struct result *r)
{
	const json_t *array = json_object_get(object, "figures");
	size_t n = json_array_size(array);

	if (n == 0)
		return true;
	r->figures = calloc(n, sizeof(*r->figures));
	if (!r->figures)
		return false;
	for (size_t i = 0; i < n; i++) {
		const json_t *from = json_array_get(array, i);
		const char *what = json_string_value(json_object_get(from, "what"));
		json_int_t offered = json_integer_value(json_object_get(from, "offered"));
		json_int_t sent = json_integer_value(json_object_get(from, "sent"));

		r->figures[i] = (struct figure){
			.what = strdup(what ? what : ""),
			.offered = offered > 0 ? (uint64_t)offered : 0,
			.sent = sent > 0 ? (uint64_t)sent : 0,
			.stated = get_share(from, "stated"),
			.tolerance = get_share(from, "tolerance"),
			.low = get_share(from, "low"),
			.high = get_share(from, "high"),
			.error = get_share(from, "error"),
		};
		r->figure_count++;
		if (!r->figures[i].what)
			return false;
	}
	return true;
}

static bool verdict_parse(const char *name, enum verdict *verdict)
{
	for (unsigned int v = VERDICT_NONE; name && v <= VERDICT_NA; v++) {
		if (strcmp(name, verdict_name((enum verdict)v)) == 0) {
			*verdict = (enum verdict)v;
			return true;
		}
	}
	return false;
}

bool result_parse(const char *line, size_t len, struct result *r)
{
	json_error_t error;
	json_t *object = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	json_t *repetition;
	bool good;

	memset(r, 0, sizeof(*r));
	good = json_is_object(object) &&
	       verdict_parse(json_string_value(json_object_get(object, "verdict")), &r->verdict) &&
	       get_text(object, "id", &r->id) && r->id && get_text(object, "reason", &r->reason) &&
	       get_lines(object, "warnings", &r->warnings, &r->warning_count) &&
	       get_text(object, "requirement", &r->requirement) &&
	       get_text(object, "clause", &r->clause) && get_text(object, "repro", &r->repro) &&
	       get_text(object, "suite", &r->suite) && get_text(object, "role", &r->role) &&
	       get_text(object, "strength", &r->strength) &&
	       get_text(object, "purpose", &r->purpose) &&
	       get_text(object, "stimulus", &r->stimulus) &&
	       get_text(object, "expectation", &r->expectation) &&
	       get_lines(object, "notes", &r->notes, &r->note_count) && get_figures(object, r) &&
	       get_text(object, "detail", &r->detail) && get_text(object, "ladder", &r->ladder) &&
	       get_text(object, "baseline", &r->baseline) &&
	       get_text(object, "evidence", &r->evidence);
	if (good && !r->reason)
		good = (r->reason = strdup("")) != NULL;
	if (good) {
		r->seed = (uint64_t)json_integer_value(json_object_get(object, "seed"));
		r->iut_ms = json_number_value(json_object_get(object, "iut_ms"));
		r->wall_ms = json_number_value(json_object_get(object, "wall_ms"));
		repetition = json_object_get(object, "repetition");
		r->repetition = json_integer_value(repetition) > 0
					? (unsigned int)json_integer_value(repetition)
					: 1;
	} else {
		result_clear(r);
	}
	json_decref(object);
	return good;
}

static int append(struct results *results, const char *line, size_t len)
{
	struct result result;
	struct result *grown;

	if (!result_parse(line, len, &result)) {
		results->torn++;
		return 0;
	}
	/* room is doubled at each power of two */
	if ((results->count & (results->count - 1)) == 0) {
		size_t room = results->count ? results->count * 2 : 1;

		grown = realloc(results->items, room * sizeof(*grown));
		if (!grown) {
			result_clear(&result);
			return -ENOMEM;
		}
		results->items = grown;
	}
	results->items[results->count++] = result;
	return 0;
}

int results_read(const char *dir, struct results *results, struct text *why)
{
	char path[4096];
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int error = 0;
	FILE *file;

	memset(results, 0, sizeof(*results));
	snprintf(path, sizeof(path), "%s/results.jsonl", dir);
	file = fopen(path, "re");
	if (!file) {
		error = errno == ENOENT ? 0 : -errno;
		if (error)
			text_printf(why, "%s: %s", path, strerror(-error));
		return error;
	}
	while (!error && (len = getline(&line, &size, file)) >= 0) {
		if (len > 0 && line[len - 1] == '\n')
			error = len > 1 ? append(results, line, (size_t)len - 1) : 0;
		else
			results->torn++;
	}
	if (!error && ferror(file))
		error = -EIO;
	free(line);
	fclose(file);
	if (error) {
		text_printf(why, "%s: %s", path, strerror(-error));
		results_clear(results);
	}
	return error;
}

void results_clear(struct results *results)
{
	for (size_t i = 0; i < results->count; i++)
		result_clear(&results->items[i]);
	free(results->items);
	memset(results, 0, sizeof(*results));
}

static int compare_words(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

int result_compare_case(const struct result *a, const struct result *b)
{
	int order = compare_words(a->suite, b->suite);

	return order ? order : compare_words(a->id, b->id);
}

int result_compare(const struct result *a, const struct result *b)
{
	int order = result_compare_case(a, b);

	if (order == 0)
		order = (a->repetition > b->repetition) - (a->repetition < b->repetition);
	return order;
}

static int compare_with_seed(const void *left, const void *right)
{
	const struct result *a = left, *b = right;
	int order = result_compare(a, b);

	return order ? order : (a->seed > b->seed) - (a->seed < b->seed);
}

int verdict_gravity(enum verdict verdict)
{
	return verdict == VERDICT_NA ? -1 : (int)verdict;
}

void results_keep_worst(struct results *results)
{
	size_t kept = 0;

	if (results->count > 1)
		qsort(results->items, results->count, sizeof(results->items[0]), compare_with_seed);
	for (size_t i = 0; i < results->count; i++) {
		struct result *result = &results->items[i];
		struct result *last = kept > 0 ? &results->items[kept - 1] : NULL;

		if (!last || compare_with_seed(last, result) != 0) {
			results->items[kept++] = *result;
		} else if (verdict_gravity(result->verdict) > verdict_gravity(last->verdict)) {
			result_clear(last);
			*last = *result;
		} else {
			result_clear(result);
		}
	}
	results->count = kept;
}

bool result_is_expected(const struct result *result)
{
	return result->baseline != NULL && strcmp(result->baseline, "expected") == 0;
}

bool result_is_stale(const struct result *result)
{
	return result->baseline != NULL && strcmp(result->baseline, "stale") == 0;
}

void run_counts_add(struct run_counts *counts, const struct result *result)
{
	counts->finished++;
	counts->warnings += result->warning_count;
	if (result_is_expected(result)) {
		counts->expected_failures++;
		return;
	}
	if (result_is_stale(result))
		counts->stale++;
	counts->verdict[result->verdict]++;
}

int run_exit_code(const struct run_counts *counts)
{
	if (counts->selected == 0)
		return 4;
	if (counts->verdict[VERDICT_ERROR] || counts->verdict[VERDICT_NONE] || counts->not_put_back)
		return 3;
	if (counts->verdict[VERDICT_FAIL] || counts->stale)
		return 1;
	if (counts->verdict[VERDICT_INCONC] || counts->not_run)
		return 2;
	return 0;
}
