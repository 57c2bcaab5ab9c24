#include "runner/emulation/sbi_core_case.h"

#include <inttypes.h>

#include "runner/emulation/emulation.h"

struct core_of_case {
	struct http *http;
	struct sbi_core *core;
};

static void take_down(void *arg)
{
	struct core_of_case *c = arg;

	sbi_core_stop(c->core);
	http_free(c->http);
}

static bool is_registered(void *arg)
{
	return sbi_core_registered(arg);
}

static struct sbi_core *start(struct tc *t, struct core_of_case *c)
{
	struct http_options options = { .sim = net_sim(t->net) };
	char buf[300];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	c->http = http_new(t->loop, &options, t->record, &why);
	if (!c->http)
		tc_error(t, "no HTTP/2: %s", buf);
	tc_at_end(t, take_down, c);
	c->core = sbi_core_start(c->http, t->loop, t->profile, loop_epoch_ms(t->loop), &why);
	if (!c->core)
		tc_error(t, "the network functions behind the AMF cannot be started: %s", buf);
	return c->core;
}

static struct sbi_core *ready(struct tc *t)
{
	struct emulation *e = emulation_of(t);

	e->core = start(t, tc_alloc(t, sizeof(struct core_of_case)));
	if (!tc_wait(t, t->profile->connect_time, is_registered, e->core))
		tc_error(t,
			 "the NRF of tester.sbi.nrf does not take our network functions within "
			 "%" PRIu64 " s",
			 t->profile->connect_time / US_PER_S);
	return e->core;
}

struct sbi_core *sbi_core_of_case(struct tc *t)
{
	struct emulation *e = emulation_of(t);

	if (e->core || t->profile->role != ROLE_AMF || !t->profile->sbi_role_count ||
	    t->profile->sbi_on_demand)
		return e->core;
	return ready(t);
}

struct sbi_core *sbi_core_demanded(struct tc *t)
{
	struct emulation *e = emulation_of(t);

	if (e->core)
		return e->core;
	if (!t->profile->sbi_role_count)
		tc_na(t, "the profile has no tester.sbi.roles: the suite does not play what is "
			 "behind the AMF");
	if (!t->profile->sbi_on_demand)
		return sbi_core_of_case(t);
	ready(t);
	tc_control(t, "nf-config sbi=on");
	return e->core;
}

void ue_can_be_paged(struct ue *ue)
{
	enum { PSI = 5 };
	const struct sbi_core *core = sbi_core_of_case(ue_tc(ue));

	if (core && core->smf)
		ue_pdu_session(ue, .psi = PSI);
}

struct downlink {
	const struct sbi_smf *smf;
	const char *supi;
	uint8_t psi;
	struct sbi_smf_session before, now;
};

static bool is_answered(void *arg)
{
	struct downlink *d = arg;

	sbi_smf_session(d->smf, d->supi, d->psi, &d->now);
	return d->now.transfers + d->now.transfers_failed >
	       d->before.transfers + d->before.transfers_failed;
}

void ue_downlink(struct ue *ue, const char *kind)
{
	struct tc *t = ue_tc(ue);
	const struct sbi_core *core = sbi_core_of_case(t);
	struct downlink d = { .supi = ue_supi(ue) };

	if (core && core->smf) {
		d.smf = core->smf;
		d.psi = sbi_smf_downlink(core->smf, d.supi);
	}
	if (!d.psi) {
		tc_control(t, "downlink supi=%s kind=%s", ue_supi(ue), kind);
		return;
	}
	sbi_smf_session(d.smf, d.supi, d.psi, &d.before);
	/* Below this it never came to paging: that is no behaviour on N1 or N2. */
	if (!tc_wait(t, t->profile->response_time, is_answered, &d))
		tc_inconc(t, "the AMF does not answer the SMF's N1N2MessageTransfer");
	if (d.now.transfers_failed > d.before.transfers_failed)
		tc_inconc(t, "the AMF does not take the SMF's N1N2MessageTransfer");
}
