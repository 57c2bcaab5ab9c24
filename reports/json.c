/* One JSON object: run.json, the sums, and every finished case as the journal has it. */
#include "reports/report.h"

#include <stdlib.h>

static json_t *counts_json(const struct run_counts *counts)
{
	static const enum verdict verdicts[] = {
		VERDICT_PASS, VERDICT_INCONC, VERDICT_FAIL, VERDICT_ERROR, VERDICT_NA,
	};
	json_t *json = json_object();

	json_object_set_new(json, "selected", json_integer((json_int_t)counts->selected));
	json_object_set_new(json, "finished", json_integer((json_int_t)counts->finished));
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		json_object_set_new(json, verdict_name(verdicts[i]),
				    json_integer((json_int_t)counts->verdict[verdicts[i]]));
	json_object_set_new(json, "expected_failures",
			    json_integer((json_int_t)counts->expected_failures));
	json_object_set_new(json, "stale", json_integer((json_int_t)counts->stale));
	json_object_set_new(json, "not_run", json_integer((json_int_t)counts->not_run));
	json_object_set_new(json, "too_long", json_integer((json_int_t)counts->too_long));
	json_object_set_new(json, "not_put_back", json_integer((json_int_t)counts->not_put_back));
	json_object_set_new(json, "warnings", json_integer((json_int_t)counts->warnings));
	return json;
}

static void print_results(const struct results *results, FILE *out)
{
	for (size_t i = 0; i < results->count; i++) {
		char *text = result_print(&results->items[i]);

		fprintf(out, "%s%s", i == 0 ? "" : ",", text == NULL ? "{}" : text);
		free(text);
	}
}

void report_json(const struct run_record *record, FILE *out)
{
	char *run = json_dumps(record->run, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_t *counts = counts_json(&record->counts);
	char *sums = json_dumps(counts, JSON_COMPACT);

	fprintf(out, "{\"run\":%s,\"counts\":%s,\"torn\":%zu,\"incomplete\":%s,\"cases\":[",
		run == NULL ? "{}" : run, sums == NULL ? "{}" : sums, record->results.torn,
		record->incomplete ? "true" : "false");
	print_results(&record->results, out);
	fputs("],\"missing\":[", out);
	print_results(&record->missing, out);
	fputs("]}\n", out);
	free(run);
	free(sums);
	json_decref(counts);
}
