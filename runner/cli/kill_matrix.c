#include "runner/cli/kill_matrix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runner/cli/registry.h"

/* Jobs that are handed to the supervisor at a time: bounds the memory of a long hunt. */
enum { BATCH = 8192 };

static size_t place(const struct kill_matrix *matrix, size_t fault, size_t test)
{
	return fault * matrix->selection->count + test;
}

int kill_matrix_verdict(const struct kill_matrix *matrix, size_t fault, size_t test)
{
	return matrix->verdicts[place(matrix, fault, test)];
}

const char *kill_matrix_reason(const struct kill_matrix *matrix, size_t fault, size_t test)
{
	return matrix->reasons[place(matrix, fault, test)];
}

bool kill_matrix_survives(const struct kill_matrix *matrix, size_t fault)
{
	for (size_t i = 0; i < matrix->selection->count; i++) {
		int verdict = kill_matrix_verdict(matrix, fault, i);

		if (verdict != KILL_NOT_RUN && verdict != VERDICT_FAIL &&
		    fault_names_case(&matrix->ops->faults[fault],
				     matrix->selection->items[i].test->id))
			return true;
	}
	return false;
}

/* One run to be made, and where its outcome goes. */
struct entry {
	size_t test;
	size_t fault;	/* SIZE_MAX: the correct IUT */
	size_t variant; /* SIZE_MAX: none */
	uint64_t seed;
};

struct hunt {
	const struct run_world *world;
	const struct kill_options *options;
	struct kill_matrix *matrix;
	struct entry *entries;
	struct run_job *jobs;
	struct run_outcome *outcomes;
	size_t count;	    /* waiting in the batch */
	size_t done, total; /* of the hunt */
	int error;
};

static bool job_ended(void *arg, size_t job, const struct run_outcome *outcome)
{
	struct hunt *hunt = arg;

	(void)job;
	(void)outcome;
	hunt->done++;
	if (hunt->options->progress != NULL)
		hunt->options->progress(hunt->options->arg, hunt->done, hunt->total);
	return hunt->options->interrupted == NULL || !*hunt->options->interrupted;
}

static void take_alarm(struct hunt *hunt, const struct entry *entry,
		       const struct run_outcome *outcome)
{
	struct kill_matrix *matrix = hunt->matrix;
	const struct test_case *test = matrix->selection->items[entry->test].test;
	const struct iut_fault *variant =
		entry->variant == SIZE_MAX ? NULL : &matrix->ops->variants[entry->variant];
	struct kill_alarm *alarm;

	if (outcome->verdict == VERDICT_PASS)
		return;
	if (variant != NULL &&
	    (outcome->verdict == VERDICT_INCONC || outcome->verdict == VERDICT_NA)) {
		matrix->variants_silent++;
		return;
	}
	matrix->alarms_found++;
	for (size_t i = 0; i < matrix->alarm_count; i++) {
		struct kill_alarm *known = &matrix->alarms[i];

		if (known->test == test && known->variant == variant &&
		    known->verdict == outcome->verdict) {
			known->count++;
			return;
		}
	}
	if (matrix->alarm_count == KILL_ALARMS_MAX)
		return;
	alarm = &matrix->alarms[matrix->alarm_count++];
	*alarm = (struct kill_alarm){
		.test = test,
		.variant = variant,
		.verdict = outcome->verdict,
		.count = 1,
		.seed = entry->seed,
	};
	memcpy(alarm->reason, outcome->reason, sizeof(alarm->reason));
}

static void flush_batch(struct hunt *hunt)
{
	struct kill_matrix *matrix = hunt->matrix;
	const struct run_batch_options options = {
		.profile = hunt->options->profile,
		.should_fails = true,
		.jobs = hunt->options->jobs,
		.ended = job_ended,
		.arg = hunt,
		.interrupted = hunt->options->interrupted,
	};
	size_t count = hunt->count;

	hunt->count = 0;
	if (count == 0 || hunt->error != 0 || matrix->interrupted)
		return;
	memset(hunt->outcomes, 0, count * sizeof(*hunt->outcomes));
	hunt->error = run_batch(hunt->world, &options, hunt->jobs, count, hunt->outcomes);
	if (hunt->options->interrupted != NULL && *hunt->options->interrupted)
		matrix->interrupted = true;
	if (hunt->error != 0 || matrix->interrupted)
		return;
	for (size_t i = 0; i < count; i++) {
		const struct entry *entry = &hunt->entries[i];
		const struct run_outcome *outcome = &hunt->outcomes[i];
		size_t at;

		matrix->runs++;
		if (entry->fault == SIZE_MAX) {
			take_alarm(hunt, entry, outcome);
			continue;
		}
		at = place(matrix, entry->fault, entry->test);
		matrix->verdicts[at] = (signed char)outcome->verdict;
		memcpy(matrix->reasons[at], outcome->reason, sizeof(matrix->reasons[at]));
	}
}

/* Without memory for the batch (entries NULL) it only counts. */
static void add(struct hunt *hunt, const struct entry *entry)
{
	struct run_job *job;

	if (hunt->entries == NULL) {
		hunt->total++;
		return;
	}
	job = &hunt->jobs[hunt->count];
	*job = (struct run_job){
		.test = hunt->matrix->selection->items[entry->test].test,
		.seed = entry->seed,
	};
	if (entry->fault != SIZE_MAX)
		iut_set_add(&job->faults, entry->fault);
	if (entry->variant != SIZE_MAX)
		iut_set_add(&job->variants, entry->variant);
	hunt->entries[hunt->count++] = *entry;
	if (hunt->count == BATCH)
		flush_batch(hunt);
}

static void add_faults(struct hunt *hunt)
{
	const struct run_selection *selection = hunt->matrix->selection;
	const struct iut_ops *ops = hunt->matrix->ops;

	for (size_t f = 0; f < ops->fault_count; f++) {
		for (size_t c = 0; c < selection->count; c++) {
			const struct entry entry = {
				.test = c,
				.fault = f,
				.variant = SIZE_MAX,
				.seed = hunt->options->seed,
			};

			if (hunt->options->matrix ||
			    fault_names_case(&ops->faults[f], selection->items[c].test->id))
				add(hunt, &entry);
		}
	}
}

static void add_correct(struct hunt *hunt)
{
	const struct run_selection *selection = hunt->matrix->selection;
	size_t variants = hunt->options->variants ? hunt->matrix->ops->variant_count : 0;

	for (size_t v = 0; v <= variants; v++) {
		for (uint64_t s = 0; s < hunt->options->seeds; s++) {
			for (size_t c = 0; c < selection->count; c++) {
				const struct entry entry = {
					.test = c,
					.fault = SIZE_MAX,
					.variant = v == 0 ? SIZE_MAX : v - 1,
					.seed = hunt->options->seed + s,
				};

				add(hunt, &entry);
			}
		}
	}
}

static bool allocate(struct hunt *hunt)
{
	struct kill_matrix *matrix = hunt->matrix;
	size_t cells = matrix->ops->fault_count * matrix->selection->count + 1;

	matrix->verdicts = malloc(cells);
	matrix->reasons = calloc(cells, sizeof(*matrix->reasons));
	matrix->alarms = calloc(KILL_ALARMS_MAX, sizeof(*matrix->alarms));
	hunt->jobs = calloc(BATCH, sizeof(*hunt->jobs));
	hunt->outcomes = calloc(BATCH, sizeof(*hunt->outcomes));
	if (matrix->verdicts == NULL || matrix->reasons == NULL || matrix->alarms == NULL ||
	    hunt->jobs == NULL || hunt->outcomes == NULL)
		return false;
	memset(matrix->verdicts, KILL_NOT_RUN, cells);
	return true;
}

static void sum_up(struct kill_matrix *matrix)
{
	for (size_t f = 0; f < matrix->ops->fault_count; f++) {
		bool run = false;

		for (size_t c = 0; c < matrix->selection->count; c++)
			run = run || kill_matrix_verdict(matrix, f, c) != KILL_NOT_RUN;
		matrix->faults_run += run;
		matrix->survivors += kill_matrix_survives(matrix, f);
	}
}

int kill_matrix_run(const struct run_world *world, const struct iut_ops *ops,
		    const struct kill_options *options, struct kill_matrix *matrix,
		    struct text *why)
{
	struct hunt hunt = { .world = world, .options = options, .matrix = matrix };

	*matrix = (struct kill_matrix){ .ops = ops, .selection = options->selection };
	add_faults(&hunt);
	add_correct(&hunt);
	if (!allocate(&hunt) || (hunt.entries = calloc(BATCH, sizeof(*hunt.entries))) == NULL) {
		hunt.error = -ENOMEM;
	} else {
		add_faults(&hunt);
		add_correct(&hunt);
		flush_batch(&hunt);
		sum_up(matrix);
	}
	free(hunt.entries);
	free(hunt.jobs);
	free(hunt.outcomes);
	if (hunt.error != 0)
		text_printf(why, "the cases cannot be run: %s", strerror(-hunt.error));
	return hunt.error;
}

void kill_matrix_clear(struct kill_matrix *matrix)
{
	free(matrix->verdicts);
	free(matrix->reasons);
	free(matrix->alarms);
	*matrix = (struct kill_matrix){ 0 };
}
