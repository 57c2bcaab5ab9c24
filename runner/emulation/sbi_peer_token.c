/* Access tokens of the tester's network functions in a case: keys, and who uses them. */
#include <string.h>

#include "runner/emulation/sbi_private.h"

static struct access_token_key *take_key(struct tc *t, const struct profile_oauth2 *oauth2,
					 const char *where)
{
	struct access_token_key *key;
	char buf[300];
	struct text why;

	if (!oauth2->key && !oauth2->secret)
		return NULL;
	text_init(&why, buf, sizeof(buf));
	key = oauth2->key ? access_token_key_file(oauth2->key, &why)
			  : access_token_secret(HTTP_TEXT(oauth2->secret), &why);
	if (!key)
		tc_error(t, "%s: %s", where, buf);
	return key;
}

void sbi_take_keys(struct sbi *sbi)
{
	struct tc *t = sbi->t;

	sbi->token_key = take_key(t, &t->profile->sbi_oauth2, "tester.sbi.oauth2");
	sbi->iut_token_key = take_key(t, &t->profile->iut_sbi_oauth2, "iut.sbi.oauth2");
	sbi->tokens = t->profile->sbi_oauth2.on;
}

void sbi_forget_tokens(struct sbi *sbi)
{
	access_token_key_free(sbi->token_key);
	access_token_key_free(sbi->iut_token_key);
	sbi->token_key = sbi->iut_token_key = NULL;
}

void sbi_peer_guard(struct sbi_peer *peer)
{
	const struct sbi *sbi = peer->sbi;

	if (peer->server && peer->options.services)
		sbi_server_guard(peer->server,
				 &(struct sbi_guard){ .key = sbi->token_key,
						      .nf_type = sbi_peer_type(peer),
						      .nf_instance = peer->id,
						      .services = peer->options.services,
						      .epoch_ms = loop_epoch_ms(sbi->t->loop) });
}

void sbi_use_tokens(struct tc *t)
{
	struct sbi *sbi = sbi_of_case(t);

	if (sbi->tokens)
		return;
	if (!sbi->token_key)
		tc_na(t, "tester.sbi.oauth2 is missing: the tester has no access tokens");
	if (!tc_control_try(t, "nf-config oauth2=on"))
		tc_na(t,
		      "tester.sbi.oauth2 is off, and the control adapter cannot switch the IUT on "
		      "(nf-config oauth2=on)");
	sbi->tokens = true;
	if (sbi->nrf)
		sbi_nrf_set_key(sbi->nrf, sbi->token_key);
	for (struct sbi_peer *peer = sbi->peers; peer; peer = peer->next)
		sbi_peer_guard(peer);
}

void sbi_peer_bearer(struct sbi_peer *peer, enum sbi_bearer kind, const char *path,
		     struct text *out)
{
	struct sbi *sbi = peer->sbi;
	struct tc *t = sbi->t;
	const struct json_nf_profile *iut;
	char type[33], id[64] = "", buf[200];
	struct sbi_bearer_for to = { .key = sbi->token_key,
				     .consumer = peer->id,
				     .nf_type = type,
				     .nf_instance = id,
				     .service = sbi_service_of(HTTP_TEXT(path)),
				     .now = sbi_now(t) };
	struct text text;

	/* An NRF gives tokens, and takes none. */
	if (!sbi->tokens || t->profile->role != ROLE_NF_SERVER)
		return;
	text_init(&text, type, sizeof(type));
	text_puts(&text, t->profile->iut_nf_type);
	iut = sbi->nrf ? sbi_iut_profile(t) : NULL;
	if (iut) {
		text_init(&text, type, sizeof(type));
		text_write(&text, iut->nf_type.data, iut->nf_type.len);
		text_init(&text, id, sizeof(id));
		text_write(&text, iut->nf_instance_id.data, iut->nf_instance_id.len);
	}
	text_init(&text, buf, sizeof(buf));
	if (sbi_bearer_print(out, kind, &to, &text) != 0)
		tc_error(t, "%s: no access token: %s", peer->name, buf);
}

const struct access_token *sbi_token_of_iut(struct tc *t, struct octets text,
					    const struct access_token_wanted *wanted,
					    struct text *why)
{
	enum { ROOM = 64 * 1024 };
	struct sbi *sbi = sbi_of_case(t);
	struct access_token *token;
	struct arena arena;

	if (!sbi->iut_token_key)
		tc_na(t, "iut.sbi.oauth2 is missing: nothing to check the tokens of the IUT with");
	token = tc_alloc(t, sizeof(*token));
	arena_init(&arena, tc_alloc(t, ROOM), ROOM);
	return access_token_check(token, sbi->iut_token_key, text, wanted, &arena, why) == 0 ? token
											     : NULL;
}
