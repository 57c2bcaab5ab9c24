#include <stdlib.h>

#include "runner/core/random.h"
#include "runner/emulation/fake_ran_parts.h"

static const char *value_of(const struct control_arg *args, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(args[i].key, key) == 0)
			return args[i].value;
	return NULL;
}

static int cause_of(const char *word)
{
	static const char *const causes[] = {
		"emergency",
		"highPriorityAccess",
		"mt-Access",
		"mo-Signalling",
		"mo-Data",
		"mo-VoiceCall",
		"mo-VideoCall",
		"mo-SMS",
		"mps-PriorityAccess",
		"mcs-PriorityAccess",
	};

	for (int i = 0; word && i < 10; i++)
		if (strcmp(causes[i], word) == 0)
			return i;
	return 4;
}

static void attempts_reply(const struct iut *iut, struct text *reply)
{
	const struct fake_ran_plan *plan = &fake_ran_plan;
	unsigned int offered =
		plan->offered >= 0 ? (unsigned int)plan->offered : iut->attempts_asked;

	if (plan->says_nothing)
		return;
	text_printf(reply, "{\"offered\":%u", offered);
	if (plan->rejected >= 0)
		text_printf(reply, ",\"rejected\":%d,\"wait-time\":%d", plan->rejected, 4);
	text_puts(reply, "}");
}

static void attempt(struct timer *timer, void *arg)
{
	/* a SERVICE REQUEST of a UE that nobody knows */
	static const uint8_t nas[] = { 0x7e, 0x00, 0x4c, 0x17, 0x00, 0x07, 0xf4,
				       0x00, 0x40, 0xde, 0xad, 0xbe, 0xef };
	struct iut *iut = arg;
	struct fake_link *ready[FAKE_LINKS];
	size_t count = 0;
	char buf[256];
	struct text reply;

	for (size_t i = 0; i < FAKE_LINKS; i++)
		if (iut->links[i].set_up && !iut->links[i].n3iwf)
			ready[count++] = &iut->links[i];
	if (iut->attempts_left) {
		iut->attempts_left--;
		if (count)
			fake_initial(ready[iut->next_amf++ % count], ++iut->next_ran_id,
				     OCTETS(nas, sizeof(nas)), iut->attempt_cause, NULL,
				     iut->attempt_nssai, iut->attempt_nssai_count);
		timer_start(timer, iut->attempt_every);
		return;
	}
	if (fake_ran_plan.goes_on_sending) {
		iut->attempts_left = 1;
		timer_start(timer, iut->attempt_every);
	}
	if (!iut->waiter)
		return;
	text_init(&reply, buf, sizeof(buf));
	attempts_reply(iut, &reply);
	iut->waiter->ended(iut->waiter, CONTROL_DONE, &reply);
	iut->waiter = NULL;
}

static void take_nssai(struct iut *iut, const char *words)
{
	iut->attempt_nssai_count = 0;
	while (words && *words && iut->attempt_nssai_count < 8) {
		struct slice *slice = &iut->attempt_nssai[iut->attempt_nssai_count++];
		char *end;

		*slice = (struct slice){ .sst = (uint8_t)strtoul(words, &end, 10) };
		if (*end == '-') {
			slice->has_sd = true;
			slice->sd = (uint32_t)strtoul(end + 1, &end, 16);
		}
		words = *end == ',' ? end + 1 : NULL;
	}
}

static bool control_later(struct iut *iut, const char *action, const struct control_arg *args,
			  size_t count, struct control_waiter *waiter)
{
	const char *asked = value_of(args, count, "count"), *rate = value_of(args, count, "rate");

	if (strcmp(action, "attempts") != 0)
		return false;
	iut->attempts_asked = asked ? (unsigned int)strtoul(asked, NULL, 10) : 1;
	iut->attempts_left =
		fake_ran_plan.sent >= 0 ? (unsigned int)fake_ran_plan.sent : iut->attempts_asked;
	iut->attempt_every = rate ? (uint64_t)((double)US_PER_S / strtod(rate, NULL)) : US_PER_MS;
	iut->attempt_cause = cause_of(value_of(args, count, "cause"));
	take_nssai(iut, value_of(args, count, "nssai"));
	iut->waiter = waiter;
	timer_start(&iut->attempt, iut->attempt_every);
	return true;
}

static void forget(struct iut *iut, struct control_waiter *waiter)
{
	if (iut->waiter == waiter)
		iut->waiter = NULL;
}

static struct fake_ran_ue *ue_of(struct iut *iut, const struct control_arg *args, size_t count)
{
	const char *word = value_of(args, count, "ue"), *access = value_of(args, count, "access");
	unsigned int number = word ? (unsigned int)strtoul(word, NULL, 10) : 1;
	struct fake_ran_ue *ue = &iut->ues[number - 1];

	if (number < 1 || number > FAKE_UES)
		abort();
	if (!ue->number)
		fake_ue_start(iut, ue, number);
	fake_ue_switch(ue, access && strcmp(access, "non-3gpp") == 0);
	return ue;
}

static void leave_all(struct iut *iut)
{
	for (size_t i = 0; i < FAKE_LINKS; i++)
		if (iut->links[i].used)
			fake_drop(&iut->links[i], true);
	for (size_t i = 0; i < FAKE_UES; i++) {
		iut->ues[i].ran_id = 0;
		iut->ues[i].registered = iut->ues[i].secured = false;
	}
}

static uint8_t service_of(const char *kind)
{
	if (kind && strcmp(kind, "signalling") == 0)
		return 0;
	if (kind && strcmp(kind, "emergency") == 0)
		return 3;
	return 1;
}

static enum control_result control(struct iut *iut, const char *action,
				   const struct control_arg *args, size_t count, struct text *reply)
{
	const char *type = value_of(args, count, "type"),
		   *off = value_of(args, count, "switch-off");

	if (strcmp(action, "restart") == 0 && !fake_ran_plan.no_restart) {
		leave_all(iut);
		timer_start(&iut->retry, 10 * US_PER_MS);
	} else if (strcmp(action, "ng-setup") == 0) {
		fake_setup(fake_ready_link(iut, false));
	} else if (strcmp(action, "ue-register") == 0) {
		fake_ue_register(ue_of(iut, args, count), type && strcmp(type, "mobility") == 0 ? 2
							  : type && strcmp(type, "emergency") == 0
								  ? 4
								  : 1);
	} else if (strcmp(action, "ue-service") == 0) {
		fake_ue_service(ue_of(iut, args, count), service_of(value_of(args, count, "kind")));
	} else if (strcmp(action, "ue-deregister") == 0) {
		fake_ue_deregister(ue_of(iut, args, count), off && strcmp(off, "yes") == 0);
	} else {
		text_printf(reply, "no such action: %s", action);
		return CONTROL_NOT_SUPPORTED;
	}
	return CONTROL_DONE;
}

static struct iut *start(struct loop *loop, struct net *net, const struct profile *profile,
			 const uint64_t *faults, const uint64_t *variants, struct text *why)
{
	struct iut *iut = calloc(1, sizeof(*iut));

	(void)faults;
	(void)variants;
	(void)why;
	if (!iut)
		abort();
	iut->loop = loop;
	iut->net = net;
	iut->profile = profile;
	random_init(&iut->random, loop_seed(loop), "fake");
	timer_init(&iut->retry, loop, "retry", fake_connect_all, iut);
	timer_init(&iut->attempt, loop, "attempt", attempt, iut);
	timer_init(&iut->flood, loop, "flood", fake_flood, iut);
	timer_start(&iut->retry, 0);
	return iut;
}

static void stop(struct iut *iut)
{
	leave_all(iut);
	timer_stop(&iut->retry);
	timer_stop(&iut->attempt);
	timer_stop(&iut->flood);
	for (size_t i = 0; i < FAKE_UES; i++) {
		if (!iut->ues[i].number)
			continue;
		timer_stop(&iut->ues[i].back_off);
		timer_stop(&iut->ues[i].delay);
	}
	free(iut);
}

const struct iut_ops fake_ran = { .role = "ran",
				  .start = start,
				  .stop = stop,
				  .control = control,
				  .control_later = control_later,
				  .forget = forget };
const struct iut_ops fake_ran_ue = { .role = "ue",
				     .start = start,
				     .stop = stop,
				     .control = control,
				     .control_later = control_later,
				     .forget = forget };
