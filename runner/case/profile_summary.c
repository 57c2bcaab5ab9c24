/*
 * What `profile check` says of a good profile: what was understood, and what is legal but will not
 * work.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runner/case/profile.h"

static void line(struct text *out, const char *name)
{
	text_printf(out, "%-12s ", name);
}

static void put_duration(struct text *out, uint64_t us)
{
	if (us % (3600 * US_PER_S) == 0 && us)
		text_printf(out, "%lluh", (unsigned long long)(us / (3600 * US_PER_S)));
	else if (us % (60 * US_PER_S) == 0 && us)
		text_printf(out, "%llum", (unsigned long long)(us / (60 * US_PER_S)));
	else if (us % US_PER_S == 0)
		text_printf(out, "%llus", (unsigned long long)(us / US_PER_S));
	else
		text_printf(out, "%llums", (unsigned long long)(us / US_PER_MS));
}

static bool loopback(const struct net_address *address)
{
	if (address->sa.sa_family == AF_INET)
		return (ntohl(address->v4.sin_addr.s_addr) >> 24) == 127;
	return address->sa.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
}

static bool any(const struct net_address *address)
{
	if (address->sa.sa_family == AF_INET)
		return address->v4.sin_addr.s_addr == 0;
	return address->sa.sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr);
}

static void n2(const struct profile *p, struct text *out)
{
	if (p->iut_n2.sa.sa_family == 0 && p->n2.address_count == 0)
		return;
	line(out, "N2");
	if (p->iut_n2.sa.sa_family) {
		text_puts(out, "IUT ");
		net_address_print(&p->iut_n2, out);
	}
	text_puts(out, ", tester");
	for (size_t i = 0; i < p->n2.address_count; i++) {
		text_putc(out, ' ');
		net_address_print(&p->n2.addresses[i], out);
	}
	if (p->has_n3iwf) {
		text_puts(out, ", N3IWF ");
		net_address_print(&p->n3iwf, out);
	}
	text_printf(out, ", %s\n", net_transport_name(p->n2.transport));
}

static void n4(const struct profile *p, struct text *out)
{
	if (!p->has_iut_n4)
		return;
	line(out, "N4");
	text_puts(out, "IUT ");
	net_address_print(&p->iut_n4, out);
	for (size_t i = 0; i < p->iut_n4_f_seid_count; i++) {
		text_puts(out, i ? " " : ", F-SEIDs at ");
		net_address_print(&p->iut_n4_f_seid[i], out);
	}
	text_puts(out, ", tester");
	for (size_t i = 0; i < p->n4_count; i++) {
		text_putc(out, ' ');
		net_address_print(&p->n4[i], out);
	}
	text_putc(out, '\n');
}

static void sbi(const struct profile *p, struct text *out)
{
	if (!p->iut_sbi_uri && !p->has_sbi)
		return;
	line(out, "SBI");
	text_printf(out, "IUT %s", p->iut_nf_type[0] ? p->iut_nf_type : "of any type");
	if (p->iut_sbi_uri)
		text_printf(out, " at %s", p->iut_sbi_uri);
	text_puts(out, ", tester");
	if (p->has_sbi) {
		text_puts(out, p->role == ROLE_AMF ? " at " : " NRF ");
		net_address_print(&p->sbi, out);
	}
	if (p->sbi_address_count)
		text_puts(out, " NFs");
	for (size_t i = 0; i < p->sbi_address_count; i++) {
		text_putc(out, ' ');
		net_address_print(&p->sbi_addresses[i], out);
	}
	for (size_t i = 0; i < p->sbi_role_count; i++)
		text_printf(out, "%s%s", i ? " " : ", plays ", p->sbi_roles[i]);
	if (p->has_sbi_nrf) {
		text_puts(out, ", registers at ");
		net_address_print(&p->sbi_nrf, out);
	}
	text_puts(out, p->sbi_tls.cert ? ", over TLS" : ", clear text");
	text_puts(out, p->sbi_oauth2.on ? ", access tokens\n" : "\n");
	for (size_t i = 0; i < p->operation_count; i++) {
		line(out, i ? "" : "operations");
		text_printf(out, "%s %s gives %u%s\n", p->operations[i].method,
			    p->operations[i].path, p->operations[i].expect,
			    p->operations[i].body && strstr(p->operations[i].body, "{callback}")
				    ? ", subscribes"
				    : "");
	}
}

static void amfs(const struct profile *p, struct text *out)
{
	for (size_t i = 0; i < p->amf_count; i++) {
		const struct profile_amf *amf = &p->amfs[i];

		line(out, i ? "" : "AMFs");
		net_address_print(&amf->address, out);
		text_printf(out, ", GUAMI %u/%u/%u, capacity %u", amf->region, amf->set,
			    amf->pointer, amf->capacity);
		for (size_t k = 0; k < amf->tnl_count; k++) {
			text_printf(out, "%s weight %u", k ? "," : ", TNL", amf->tnl[k]);
			if (k) {
				text_puts(out, " at ");
				net_address_print(&amf->tnl_addresses[k], out);
			}
		}
		text_putc(out, '\n');
	}
}

static void network(const struct profile *p, struct text *out)
{
	if (!p->plmn.digits[0])
		return;
	line(out, "network");
	text_printf(out, "PLMN %s, AMF %u/%u/%u, TAC", p->plmn.digits, p->amf_region, p->amf_set,
		    p->amf_pointer);
	for (size_t i = 0; i < p->tac_count; i++)
		text_printf(out, " %06x", p->tacs[i]);
	if (p->has_nid)
		text_printf(out, ", NID %011llx", (unsigned long long)p->nid);
	text_puts(out, ", slices");
	for (size_t i = 0; i < p->slice_count; i++) {
		text_printf(out, " %u", p->slices[i].sst);
		if (p->slices[i].has_sd)
			text_printf(out, "-%06x", p->slices[i].sd);
	}
	text_putc(out, '\n');
	if (!p->subscribers.count)
		return;
	line(out, "subscribers");
	text_printf(out, "%u from %s on\n", p->subscribers.count, p->subscribers.first);
}

static void claims(const struct profile *p, struct text *out)
{
	unsigned int n = 0;

	line(out, "claims");
	for (size_t i = 0; i < ICS_COUNT; i++)
		if (p->ics[i])
			text_printf(out, "%s%s", n++ ? ", " : "", ics_name((enum ics)i));
	text_puts(out, n ? "\n" : "nothing: cases that need a claim are not applicable\n");
}

static void control(const struct profile *p, struct text *out)
{
	line(out, "control");
	switch (p->control) {
	case CONTROL_NONE:
		text_puts(out, "none: cases that have to move the IUT are not applicable\n");
		return;
	case CONTROL_BUILTIN:
		text_puts(out, "builtin: the embedded reference IUT in virtual time\n");
		return;
	case CONTROL_EXEC:
		text_puts(out, "exec");
		for (char **word = p->control_command; *word; word++)
			text_printf(out, " %s", *word);
		break;
	case CONTROL_HTTP:
		text_printf(out, "http %s", p->control_url);
		break;
	case CONTROL_MANUAL:
		text_puts(out, "manual: the operator");
		break;
	}
	text_puts(out, ", at most ");
	put_duration(out, p->control_timeout);
	text_puts(out, " an action\n");
}

static void ixit(const struct profile *p, struct text *out)
{
	line(out, "timers");
	if (!role_on_n4(p->role) && !role_on_sbi(p->role)) {
		text_puts(out, "T3346 ");
		put_duration(out, p->t3346_min);
		text_puts(out, " to ");
		put_duration(out, p->t3346_max);
		text_puts(out, ", T3512 ");
		put_duration(out, p->t3512);
		text_puts(out, ", ");
	}
	text_puts(out, "response ");
	put_duration(out, p->response_time);
	text_puts(out, ", connect ");
	put_duration(out, p->connect_time);
	text_putc(out, '\n');
	if (p->load_level_count) {
		line(out, "load levels");
		for (size_t i = 0; i < p->load_level_count; i++)
			text_printf(out, "%sfrom %u%%: action %u, %u%%%s", i ? "; " : "",
				    p->load_levels[i].from, p->load_levels[i].action,
				    p->load_levels[i].tlr ? p->load_levels[i].tlr : 100,
				    p->load_levels[i].nas_congestion ? ", NAS congestion" : "");
		text_putc(out, '\n');
	}
	line(out, "policy");
	text_printf(out, "a violated should is a %s\n", p->should_fails ? "fail" : "warning");
}

static void note_file(struct text *out, const char *key, const char *path)
{
	if (path && access(path, R_OK) != 0)
		text_printf(out, "note: %s: %s cannot be read here\n", key, path);
}

static void notes(const struct profile *p, struct text *out)
{
	size_t bound = 0;
	size_t digits = strlen(p->plmn.digits);

	for (size_t i = 0; i < p->n2.address_count; i++)
		bound += !any(&p->n2.addresses[i]);
	if (p->n2.transport == NET_USRSCTP_UDP && loopback(&p->iut_n2) && bound)
		text_puts(out, "note: usrsctp-udp on loopback towards some peers needs the local "
			       "address 0.0.0.0, and so works with one gNB only\n");
	if (bound < p->n2.address_count && p->n2.address_count > 1)
		text_puts(out, "note: the local address 0.0.0.0 serves one gNB only: cases with "
			       "several end with error\n");
	if (p->role == ROLE_AMF && p->n2.address_count < 5)
		text_puts(out, "note: some cases need five gNBs at a time; with fewer addresses "
			       "they share them\n");
	if (p->role == ROLE_AMF && p->ics[ICS_NON_3GPP] && !p->has_n3iwf)
		text_puts(out, "note: non-3gpp is claimed, and tester.n3iwf is missing: the N3IWF "
			       "takes an address of tester.n2\n");
	if (p->subscribers.first[0] && digits &&
	    strncmp(p->subscribers.first + 5, p->plmn.digits, digits) != 0)
		text_printf(out, "note: %s is no subscriber of PLMN %s: the cases roam\n",
			    p->subscribers.first, p->plmn.digits);
	if (p->role == ROLE_AMF && p->subscribers.count && p->subscribers.count < 1000)
		text_printf(out,
			    "note: %u subscribers: cases on shares need up to 600 at a time, and "
			    "each case of a run takes its own\n",
			    p->subscribers.count);
	if (p->role == ROLE_UP && p->n4_count < 2)
		text_puts(out, "note: tester.n4 has one address: cases with two CP functions are "
			       "not applicable\n");
	if (p->role == ROLE_UP && p->iut_n4_f_seid_count < 2)
		text_puts(out, "note: iut.n4.f-seid names fewer than two addresses: cases on the "
			       "scope of an address are not applicable\n");
	if (p->role == ROLE_CP && p->n4_count < 3)
		text_puts(out, "note: tester.n4 has fewer than three addresses: cases with two UP "
			       "functions, or one with two addresses, are not applicable\n");
	if (p->role == ROLE_NF_SERVER && p->sbi_address_count < 3)
		text_puts(out,
			  "note: tester.sbi.addresses has fewer than three: cases with several "
			  "consumers are not applicable\n");
	if (p->role == ROLE_NF_CLIENT && p->sbi_address_count < 4)
		text_puts(out, "note: tester.sbi.addresses has fewer than four: cases with several "
			       "producers are not applicable\n");
	for (size_t i = 0; p->role == ROLE_AMF && i < p->sbi_role_count; i++) {
		if (!strstr("nrf ausf udm pcf nssf smf amf", p->sbi_roles[i]))
			text_printf(out, "note: %s of tester.sbi.roles is not played\n",
				    p->sbi_roles[i]);
	}
	if (p->sbi_oauth2.on && !p->ics[ICS_OAUTH2])
		text_puts(out,
			  "note: tester.sbi.oauth2 is on, and oauth2 is not claimed: tokens are "
			  "used, and not tested\n");
	if (p->iut_sbi_https && !p->iut_sbi_tls.ca)
		text_puts(out, "note: iut.sbi.tls.ca is missing: any certificate of the IUT is "
			       "taken\n");
	if (p->control == CONTROL_MANUAL && !isatty(STDIN_FILENO))
		text_puts(out, "note: control kind manual needs a terminal on standard input\n");
	note_file(out, "iut.sbi.tls.ca", p->iut_sbi_tls.ca);
	note_file(out, "iut.sbi.tls.cert", p->iut_sbi_tls.cert);
	note_file(out, "iut.sbi.tls.key", p->iut_sbi_tls.key);
	note_file(out, "tester.sbi.tls.ca", p->sbi_tls.ca);
	note_file(out, "tester.sbi.tls.cert", p->sbi_tls.cert);
	note_file(out, "tester.sbi.tls.key", p->sbi_tls.key);
	note_file(out, "iut.sbi.oauth2.key", p->iut_sbi_oauth2.key);
	note_file(out, "tester.sbi.oauth2.key", p->sbi_oauth2.key);
	if (p->control == CONTROL_EXEC && strchr(p->control_command[0], '/') &&
	    access(p->control_command[0], X_OK) != 0)
		text_printf(out, "note: control.command: %s cannot be executed here\n",
			    p->control_command[0]);
}

void profile_summary(const struct profile *p, struct text *out)
{
	line(out, "IUT");
	text_printf(out, "%s, role %s\n", p->iut_name[0] ? p->iut_name : "(no name)",
		    role_name(p->role));
	n2(p, out);
	n4(p, out);
	sbi(p, out);
	amfs(p, out);
	network(p, out);
	claims(p, out);
	ixit(p, out);
	control(p, out);
	notes(p, out);
}
