/*
 * The beginning and the end of a run: its options checked, its cases chosen, its record opened or
 * taken up again, and closed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runner/case/run_private.h"

void run_quote(const char *word, struct text *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+=:,@%";

	if (word[0] && strspn(word, plain) == strlen(word)) {
		text_puts(out, word);
		return;
	}
	text_putc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			text_puts(out, "'\\''");
		else
			text_putc(out, *word);
	}
	text_putc(out, '\'');
}

/* --- run.json --------------------------------------------------------------------------------- */

static json_t *now_text(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char buf[32];

	gmtime_r(&now, &tm);
	strftime(buf, sizeof(buf), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return json_string(buf);
}

static char *now_words(void)
{
	json_t *now = now_text();
	const char *words = json_string_value(now);
	char *copy = words ? strdup(words) : NULL;

	json_decref(now);
	return copy;
}

static json_t *counts_json(const struct run_counts *c)
{
	json_t *object = json_object();

	json_object_set_new(object, "selected", json_integer((json_int_t)c->selected));
	json_object_set_new(object, "finished", json_integer((json_int_t)c->finished));
	for (unsigned int v = VERDICT_PASS; v <= VERDICT_NA; v++)
		json_object_set_new(object, verdict_name((enum verdict)v),
				    json_integer((json_int_t)c->verdict[v]));
	json_object_set_new(object, "expected_failures",
			    json_integer((json_int_t)c->expected_failures));
	json_object_set_new(object, "stale", json_integer((json_int_t)c->stale));
	json_object_set_new(object, "not_run", json_integer((json_int_t)c->not_run));
	json_object_set_new(object, "too_long", json_integer((json_int_t)c->too_long));
	json_object_set_new(object, "not_put_back", json_integer((json_int_t)c->not_put_back));
	json_object_set_new(object, "warnings", json_integer((json_int_t)c->warnings));
	return object;
}

static uint64_t seed_of(const struct run_state *run)
{
	return run->options->seed_given || !run->has_old_seed ? run->options->seed : run->old_seed;
}

static const char *should_name(const struct run_state *run)
{
	return run->should_fails ? "fail" : "warn";
}

static bool holds(const json_t *array, const char *word)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *other = json_string_value(json_array_get(array, i));

		if (other && strcmp(other, word) == 0)
			return true;
	}
	return false;
}

/* No pattern means every case, so nothing can be added to none. */
static json_t *all_globs(const struct run_options *o, const json_t *old)
{
	json_t *array = json_is_array(old) ? json_deep_copy(old) : json_array();

	if (json_is_array(old) && json_array_size(old) == 0)
		return array;
	for (size_t i = 0; i < o->glob_count; i++)
		if (!holds(array, o->globs[i]))
			json_array_append_new(array, json_string(o->globs[i]));
	return array;
}

static void list_case(json_t *cases, const struct run_selected *item)
{
	json_t *ids = json_object_get(cases, item->suite->name);

	if (!json_is_array(ids)) {
		ids = json_array();
		json_object_set_new(cases, item->suite->name, ids);
	}
	if (!holds(ids, item->test->id))
		json_array_append_new(ids, json_string(item->test->id));
}

/* What an earlier run of the record left out, and this one does not. */
static void unlist_case(json_t *cases, const struct run_selected *item)
{
	json_t *ids = json_object_get(cases, item->suite->name);

	for (size_t i = json_array_size(ids); i > 0; i--) {
		const char *id = json_string_value(json_array_get(ids, i - 1));

		if (id && strcmp(id, item->test->id) == 0)
			json_array_remove(ids, i - 1);
	}
}

static json_t *old_cases(const json_t *old, const char *key)
{
	const json_t *cases = json_object_get(old, key);

	return json_is_object(cases) ? json_deep_copy(cases) : json_object();
}

/* Rows of the catalogue that the suites chosen have no case for, with the reason. */
static json_t *not_tested(const struct run_state *run)
{
	json_t *rows = json_array();

	for (size_t s = 0; s < run->world->suite_count; s++) {
		const struct suite *suite = run->world->suites[s];

		for (size_t i = 0;
		     json_object_get(run->cases, suite->name) && i < suite->not_tested_count; i++)
			json_array_append_new(
				rows, json_pack("{s:s, s:s, s:s}", "suite", suite->name,
						"requirement", suite->not_tested[i].requirement,
						"reason", suite->not_tested[i].reason));
	}
	return rows;
}

static bool has_role(const struct run_selection *selection, enum role role)
{
	for (size_t i = 0; i < selection->count; i++)
		if (selection->items[i].test->role == role)
			return true;
	return false;
}

/* The IUTs of the cases chosen: without a profile each role has a reference IUT of its own. */
static json_t *iuts_of(const struct run_state *run)
{
	json_t *iuts = json_array();

	for (int i = 0; i < ROLES; i++) {
		enum role role = (enum role)i;
		struct profile *builtin = NULL;

		if (!has_role(&run->selection, role))
			continue;
		if (!run->profile->file && role != run->profile->role)
			builtin = profile_builtin(role);
		json_array_append_new(iuts,
				      json_pack("{s:s, s:s}", "role", role_name(role), "iut",
						(builtin ? builtin : run->profile)->iut_name));
		profile_free(builtin);
	}
	return iuts;
}

static json_t *describe(const struct run_state *run, bool finished)
{
	const struct run_options *o = run->options;
	const struct profile *profile = run->profile;
	json_t *object = json_object();
	char host[256] = "";
	char digest[32];

	gethostname(host, sizeof(host) - 1);
	snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)profile->digest);
	json_object_set_new(object, "record_version", json_integer(RUN_RECORD_VERSION));
	json_object_set_new(object, "version", json_string(o->version ? o->version : ""));
	json_object_set_new(object, "commit", json_string(o->commit ? o->commit : "unknown"));
	if (o->back_ends != NULL)
		json_object_set_new(object, "back_ends", json_string(o->back_ends));
	json_object_set_new(object, "profile",
			    json_string(profile->file ? profile->file : "builtin"));
	json_object_set_new(object, "profile_digest", json_string(digest));
	json_object_set_new(object, "iut", json_string(profile->iut_name));
	json_object_set_new(object, "role", json_string(role_name(profile->role)));
	json_object_set_new(object, "iuts", iuts_of(run));
	json_object_set_new(object, "mode", json_string(profile->live ? "live" : "virtual"));
	json_object_set_new(object, "seed", json_integer((json_int_t)seed_of(run)));
	json_object_set_new(object, "globs", json_incref(run->globs));
	json_object_set_new(object, "repeat", json_integer(run->repeat));
	json_object_set_new(object, "shard", json_integer(run->shards ? run->shard : 1));
	json_object_set_new(object, "shards", json_integer(run->shards ? run->shards : 1));
	json_object_set_new(object, "should", json_string(should_name(run)));
	json_object_set_new(object, "host", json_string(host));
	json_object_set_new(object, "started", json_string(run->began));
	json_object_set_new(object, "ended", finished ? now_text() : json_null());
	if (run->not_put_back[0])
		json_object_set_new(object, "not_put_back", json_string(run->not_put_back));
	json_object_set_new(object, "counts", counts_json(run->counts));
	json_object_set(object, "cases", run->cases);
	json_object_set(object, "left_out", run->left_out);
	json_object_set_new(object, "not_tested", not_tested(run));
	return object;
}

/* --- resume ----------------------------------------------------------------------------------- */

static bool same(struct run_state *run, const json_t *old, const char *key, const char *now)
{
	const char *then = json_string_value(json_object_get(old, key));

	if (then && strcmp(then, now) == 0)
		return true;
	text_printf(run->why, "%s was run with %s %s, not %s: it cannot be completed by this run",
		    run->options->resume, key, then ? then : "?", now);
	if (then && strcmp(key, "profile") == 0 && strcmp(then, "builtin") != 0 &&
	    !run->profile->file)
		text_printf(run->why, "; add --profile %s", then);
	return false;
}

static bool check_resumed(struct run_state *run, const json_t *old)
{
	const struct run_options *o = run->options;
	const struct profile *profile = run->profile;
	char digest[32];

	run->old_seed = (uint64_t)json_integer_value(json_object_get(old, "seed"));
	run->has_old_seed = true;
	snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)profile->digest);
	if (!same(run, old, "profile", profile->file ? profile->file : "builtin") ||
	    !same(run, old, "profile_digest", digest) ||
	    !same(run, old, "mode", profile->live ? "live" : "virtual") ||
	    !same(run, old, "should", should_name(run)))
		return false;
	if (o->seed_given && o->seed != run->old_seed) {
		text_printf(run->why, "%s was run with seed %llu, not %llu", o->resume,
			    (unsigned long long)run->old_seed, (unsigned long long)o->seed);
		return false;
	}
	return true;
}

/* The cases that the earlier run had chosen, unless this one names some itself. */
static int select_cases(struct run_state *run, const json_t *old)
{
	const struct run_options *o = run->options;
	json_t *globs = json_object_get(old, "globs");
	size_t count = o->glob_count ? 0 : json_array_size(globs);
	const char **words = calloc(count + 1, sizeof(*words));
	int error;

	if (!words)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		words[i] = json_string_value(json_array_get(globs, i));
		if (!words[i])
			words[i] = "";
	}
	error = run_select(run->world, count ? words : o->globs, count ? count : o->glob_count,
			   &run->selection, run->why);
	free(words);
	return error;
}

bool run_done_before(const struct run_state *run, const char *id, unsigned int repetition)
{
	for (size_t i = 0; i < run->old.count; i++)
		if (run->old.items[i].repetition == repetition &&
		    strcmp(run->old.items[i].id, id) == 0)
			return true;
	return false;
}

/* --- the beginning ------------------------------------------------------------------------------
 */

static const char *usage_error(const struct run_state *run)
{
	const struct run_options *o = run->options;
	static const struct iut_set none;

	if (run->profile->live && o->jobs > 1)
		return "a live run is serial: --jobs above 1 is for virtual time";
	if (o->shards && (o->shard < 1 || o->shard > o->shards))
		return "a shard is I/N with I from 1 to N";
	if (o->seed > INT64_MAX)
		return "the seed is above 2^63 - 1";
	if (run->profile->live && (memcmp(&o->faults, &none, sizeof(none)) != 0 ||
				   memcmp(&o->variants, &none, sizeof(none)) != 0))
		return "faults and variants belong to the embedded IUT of a virtual run";
	if (run->profile->control == CONTROL_BUILTIN && run->profile->live)
		return "control kind builtin is for virtual time: a live IUT needs exec, http or "
		       "manual";
	if (o->out && o->resume)
		return "--out and --resume exclude each other";
	return NULL;
}

/* Keeps what is of this run's role and of its shard, and what its time allows. */
static void narrow(struct run_state *run)
{
	struct run_selection *selection = &run->selection;
	const struct profile *profile = run->profile;
	const struct run_options *o = run->options;
	bool one_role = profile->file || o->one_role || (profile->live && !o->ensure_iut);
	size_t kept = 0, of_role = 0;

	for (size_t i = 0; i < selection->count; i++) {
		const struct test_case *test = selection->items[i].test;

		if (one_role && test->role != profile->role)
			continue;
		if (run->shards > 1 && of_role++ % run->shards != run->shard - 1)
			continue;
		if (profile->live && run->max_duration &&
		    case_iut_time(test, profile) > run->max_duration) {
			run->counts->too_long++;
			list_case(run->left_out, &selection->items[i]);
			continue;
		}
		list_case(run->cases, &selection->items[i]);
		unlist_case(run->left_out, &selection->items[i]);
		selection->items[kept++] = selection->items[i];
	}
	selection->count = kept;
}

static int open_record(struct run_state *run)
{
	const struct run_options *o = run->options;
	const char *dir = o->resume ? o->resume : o->out;
	int error;

	if (!dir)
		return 0;
	if (journal_open(&run->journal, dir, o->resume != NULL, run->why) != 0)
		return 4;
	run->has_journal = true;
	run->journal.durable = run->profile->live;
	if (o->resume && results_read(dir, &run->old, run->why) != 0)
		return 4;
	results_keep_worst(&run->old);
	error = journal_describe(&run->journal, describe(run, false));
	if (error) {
		text_printf(run->why, "%s/run.json: %s", dir, strerror(-error));
		return 3;
	}
	return 0;
}

static bool selected(const struct run_state *run, const struct result *result)
{
	if (run->repeat && result->repetition > run->repeat)
		return false;
	for (size_t i = 0; i < run->selection.count; i++)
		if (strcmp(run->selection.items[i].test->id, result->id) == 0)
			return true;
	return false;
}

/* Verdicts that the record has already count as this run's. */
static void count_old(struct run_state *run)
{
	for (size_t i = 0; i < run->old.count; i++)
		if (selected(run, &run->old.items[i]))
			run_counts_add(run->counts, &run->old.items[i]);
}

static unsigned int old_number(const json_t *old, const char *key)
{
	json_int_t n = json_integer_value(json_object_get(old, key));

	return n > 0 && n < 1000000000 ? (unsigned int)n : 0;
}

static int prepare(struct run_state *run, const json_t *old)
{
	const struct run_options *o = run->options;
	const char *wrong = usage_error(run);

	if (wrong) {
		text_puts(run->why, wrong);
		return 4;
	}
	run->repeat = o->repeat ? o->repeat : o->until_fail ? 0 : 1;
	if (old) {
		const char *began = json_string_value(json_object_get(old, "started"));

		if (!check_resumed(run, old))
			return 4;
		run->began = began ? strdup(began) : NULL;
		if (!o->repeat && !o->until_fail)
			run->repeat = old_number(old, "repeat");
		run->shard = old_number(old, "shard");
		run->shards = old_number(old, "shards");
		if (o->shards && (o->shard != run->shard || o->shards != run->shards)) {
			text_printf(run->why,
				    "%s is part %u of %u, not %u of %u: it cannot be completed by "
				    "this run",
				    o->resume, run->shard, run->shards, o->shard, o->shards);
			return 4;
		}
	} else {
		run->shard = o->shard;
		run->shards = o->shards;
	}
	if (!run->began)
		run->began = now_words();
	run->globs = all_globs(o, json_object_get(old, "globs"));
	run->cases = old_cases(old, "cases");
	run->left_out = old_cases(old, "left_out");
	if (!run->began || !run->globs || !run->cases || !run->left_out) {
		text_puts(run->why, "out of memory");
		return 3;
	}
	if (o->baseline && baseline_read(o->baseline, run->world, &run->baseline, run->why) != 0)
		return 4;
	if (select_cases(run, old) != 0)
		return 4;
	narrow(run);
	if (run->selection.count == 0) {
		text_printf(run->why, "no case is left: %s",
			    run->counts->too_long
				    ? "each takes longer than --max-duration"
				    : "none of the selection is of the profile's role "
				      "and of this shard");
		return 4;
	}
	run->counts->selected = run->selection.count * run->repeat;
	if (open_record(run) != 0)
		return run->has_journal && !o->resume ? 3 : 4;
	count_old(run);
	return 0;
}

int run_prepare(struct run_state *run)
{
	json_t *old = NULL;
	int status;

	if (run->options->resume) {
		old = journal_read_run(run->options->resume, run->why);
		if (!old)
			return 4;
	}
	status = prepare(run, old);
	json_decref(old);
	return status;
}

/* --- the end ------------------------------------------------------------------------------------
 */

void run_stopped(struct run_state *run, int error)
{
	run->stopped = true;
	text_printf(run->why,
		    "the record in %s cannot be written: %s. %zu finished cases stay readable; "
		    "go on with --resume when there is room",
		    run->has_journal ? run->journal.dir : "memory", strerror(-error),
		    run->counts->finished);
}

void run_put_back(struct run_state *run)
{
	struct text why;
	char buf[1024];

	if (!run->profile->live || run->unreachable[0])
		return;
	text_init(&why, buf, sizeof(buf));
	if (undo_run(&run->undo, run->facing, NULL, &why) == 0)
		return;
	/* Before any case was run, what is due was only a guess. */
	if (run->undo_needed) {
		run->counts->not_put_back = 1;
		snprintf(run->not_put_back, sizeof(run->not_put_back), "%s", why.buf);
	}
	if (run->options->progress)
		run->options->progress(run->options->arg,
				       &(struct run_progress){ .event = RUN_NOTE,
							       .counts = run->counts,
							       .text = why.buf });
}

int run_conclude(struct run_state *run)
{
	int error = 0;

	if (run->has_journal)
		error = journal_describe(&run->journal, describe(run, true));
	if (error && !run->stopped)
		run_stopped(run, error);
	return run->stopped ? 3 : run_exit_code(run->counts);
}

void run_clear(struct run_state *run)
{
	for (size_t i = 0; i < ROLES; i++)
		profile_free(run->builtin[i]);
	run_selection_clear(&run->selection);
	baseline_clear(&run->baseline);
	results_clear(&run->old);
	if (run->has_journal)
		journal_close(&run->journal);
	free(run->began);
	json_decref(run->globs);
	json_decref(run->cases);
	json_decref(run->left_out);
	free(run->children);
	free(run->slots);
	free(run);
}
