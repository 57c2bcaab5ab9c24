/*
 * How a case is put on its stage and taken down. In virtual time the IUT stands on the same loop,
 * at the other end of a simulated network; live it is somewhere else, and only the adapter and
 * sockets lead to it.
 */
#include "runner/case/stage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void give_up(struct stage *stage, enum verdict verdict, const char *what, const char *why)
{
	struct tc_private *p = &stage->private;
	struct text reason;

	text_init(&reason, p->reason, sizeof(p->reason));
	text_printf(&reason, "%s%s%s", what, why[0] ? ": " : "", why);
	p->verdict = verdict;
	record_verdict(stage->tc.record, verdict_name(verdict), p->reason);
}

static bool set_virtual(struct stage *stage, struct text *why)
{
	const struct stage_options *o = &stage->options;
	const struct net_options options = { .transport = NET_SIM };
	struct net_options sim_options = options;
	struct tc *t = &stage->tc;

	stage->ops = run_iut(o->world, o->test->role);
	if (!stage->ops) {
		text_printf(why, "there is no embedded IUT of role %s", role_name(o->test->role));
		return false;
	}
	stage->sim = sim_network_new(t->loop, &(struct sim_conditions){ 0 });
	if (!stage->sim) {
		text_puts(why, "out of memory");
		return false;
	}
	sim_options.sim = stage->sim;
	stage->iut_net = net_new(t->loop, &sim_options, NULL, why);
	if (!stage->iut_net)
		return false;
	t->net = net_new(t->loop, &sim_options, t->record, why);
	if (!t->net)
		return false;
	stage->iut = stage->ops->start(t->loop, stage->iut_net, &stage->profile, o->faults.word,
				       o->variants.word, why);
	return stage->iut != NULL;
}

static bool set_live(struct stage *stage, struct text *why)
{
	const struct profile *profile = &stage->profile;
	struct tc *t = &stage->tc;
	struct net_options options = {
		.transport = role_on_n4(profile->role) || role_on_sbi(profile->role)
				     ? NET_UDP
				     : profile->n2.transport,
		.udp_port = profile->n2.udp_port,
		.peer_udp_port = profile->n2.peer_udp_port,
		.no_crc_on_loopback = !profile->n2.crc_on_loopback,
	};

	t->net = net_new(t->loop, &options, t->record, why);
	return t->net != NULL;
}

static bool set(struct stage *stage, struct text *why)
{
	struct tc *t = &stage->tc;
	struct control_options control = {
		.profile = &stage->profile,
		.loop = t->loop,
		.record = t->record,
	};

	if (stage->profile.live ? !set_live(stage, why) : !set_virtual(stage, why))
		return false;
	control.ops = stage->ops;
	control.iut = stage->iut;
	if (stage->profile.control == CONTROL_NONE)
		return true;
	stage->private.control = control_open(&control, why);
	return stage->private.control != NULL;
}

static void take_down(struct stage *stage)
{
	struct tc *t = &stage->tc;

	/*
	 * A case that was left from inside an event leaves a loop in the middle of a turn: nothing
	 * that hangs on it can be taken down in order. The process ends soon.
	 */
	if (!stage->private.torn) {
		control_close(stage->private.control);
		for (struct tc_ending *e = stage->private.endings; e; e = e->next)
			e->end(e->arg);
		if (t->net)
			net_free(t->net);
		if (stage->iut)
			stage->ops->stop(stage->iut);
		if (stage->iut_net)
			net_free(stage->iut_net);
		if (stage->sim)
			sim_network_free(stage->sim);
	}
	if (t->record)
		stage->record_error = record_close(t->record);
	t->record = NULL;
	if (!stage->private.torn && t->loop)
		loop_free(t->loop);
}

void stage_run(struct stage *stage, const struct stage_options *options)
{
	struct tc *t = &stage->tc;
	struct tc_private *p = &stage->private;
	uint64_t seed = run_case_seed(options->seed, options->test->id);
	enum ics missing = profile_missing(options->profile, options->test->needs);
	struct text why, ladder;
	char buf[1024];

	memset(stage, 0, sizeof(*stage));
	text_init(&why, buf, sizeof(buf));
	stage->options = *options;
	stage->profile = *options->profile;
	stage->profile.should_fails = options->should_fails;
	if (!stage->profile.live)
		stage->profile.control = CONTROL_BUILTIN;

	t->test = options->test;
	t->profile = &stage->profile;
	t->private = p;
	t->seed = seed;
	random_init(&t->random, seed, "case");
	text_init(&p->detail, p->detail_buf, sizeof(p->detail_buf));
	p->subscriber = options->subscriber;
	p->subscriber_end = stage->profile.subscribers.count;
	p->gnb_id = options->gnb_id ? options->gnb_id : 1;
	p->told = options->told;
	p->told_arg = options->told_arg;

	t->loop = loop_new(stage->profile.live ? LOOP_LIVE : LOOP_VIRTUAL, seed);
	if (!t->loop) {
		give_up(stage, VERDICT_ERROR, "the event loop cannot start", "");
		return;
	}
	t->record = record_open(options->dir, t->loop);
	record_case(t->record, t->test->id, t->test->clause, t->test->purpose);
	if (!t->record) {
		stage->record_error = -errno;
		give_up(stage, VERDICT_ERROR, "the record cannot be opened", strerror(errno));
	} else if (missing != ICS_COUNT) {
		give_up(stage, VERDICT_NA, "the profile does not claim", ics_name(missing));
	} else {
		record_set_level(t->record, options->log_level);
		record_watch(t->record, options->step, options->step_arg);
		stage->touched = true;
		if (set(stage, &why))
			tc_run_body(t);
		else
			give_up(stage, VERDICT_ERROR, "the case cannot start", why.buf);
	}

	stage->iut_us = loop_now(t->loop);
	text_init(&ladder, stage->ladder, sizeof(stage->ladder));
	if (p->verdict != VERDICT_PASS && p->verdict != VERDICT_NA)
		record_ladder(t->record, 24, &ladder);
	take_down(stage);
	if (stage->record_error && p->verdict != VERDICT_ERROR)
		give_up(stage, VERDICT_ERROR, "the record cannot be written",
			strerror(-stage->record_error));
}

static bool copy_lines(char ***to, size_t *count, const struct tc_lines *lines)
{
	char more[64];

	*to = calloc(lines->count + 1, sizeof(**to));
	if (!*to)
		return false;
	for (size_t i = 0; i < lines->count; i++) {
		(*to)[i] = strdup(lines->line[i]);
		if (!(*to)[i])
			return false;
		(*count)++;
	}
	if (lines->dropped) {
		struct text text;

		text_init(&text, more, sizeof(more));
		text_printf(&text, "... and %zu more", lines->dropped);
		(*to)[lines->count] = strdup(more);
		if (!(*to)[lines->count])
			return false;
		(*count)++;
	}
	return true;
}

static bool copy(char **to, const char *from)
{
	if (!from[0])
		return true;
	*to = strdup(from);
	return *to != NULL;
}

static bool copy_figures(struct result *result, const struct tc_private *p)
{
	size_t count = p->figure_count < TC_FIGURES_MAX ? p->figure_count : TC_FIGURES_MAX;

	if (count == 0)
		return true;
	result->figures = calloc(count, sizeof(*result->figures));
	if (!result->figures)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct tc_figure *from =
			&p->figures[(p->figure_count - count + i) % TC_FIGURES_MAX];
		struct figure *to = &result->figures[i];
		struct stats_interval interval = stats_interval(from->n, from->k, from->test.error);

		*to = (struct figure){
			.what = strdup(from->what),
			.offered = from->n,
			.sent = from->k,
			.stated = from->test.stated,
			.tolerance = from->test.tolerance,
			.low = interval.low,
			.high = interval.high,
			.error = from->test.error,
		};
		result->figure_count++;
		if (!to->what)
			return false;
	}
	return true;
}

bool stage_result(const struct stage *stage, struct result *result)
{
	const struct tc_private *p = &stage->private;

	memset(result, 0, sizeof(*result));
	result->verdict = p->verdict;
	result->seed = stage->options.seed;
	result->repetition = 1;
	result->iut_ms = (double)stage->iut_us / 1e3;
	result->id = strdup(stage->options.test->id);
	result->reason = strdup(p->reason);
	return result->id && result->reason &&
	       copy_lines(&result->warnings, &result->warning_count, &p->warnings) &&
	       copy_lines(&result->notes, &result->note_count, &p->notes) &&
	       copy_figures(result, p) && copy(&result->detail, p->detail_buf) &&
	       copy(&result->ladder, stage->ladder);
}

void stage_clear(struct stage *stage)
{
	tc_private_clear(&stage->private);
}
