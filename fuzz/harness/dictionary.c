/*
 * The dictionary of a harness, made from the tables of its codec: what an IE, a message, a header
 * field or a member begins with. usage: dictionary HARNESS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/nas/nas.h"
#include "codecs/ngap/ngap.h"
#include "codecs/pfcp/pfcp.h"
#include "codecs/sbi/json_types.h"
#include "codecs/sbi/sbi.h"
#include "runner/case/profile.h"

static void print_octets(const uint8_t *data, size_t len)
{
	putchar('"');
	for (size_t i = 0; i < len; i++)
		printf("\\x%02x", data[i]);
	puts("\"");
}

static void print_words(const char *words)
{
	printf("\"%s\"\n", words);
}

/* Id and criticality as they stand before the length of each IE; what a message begins with. */
static void print_ngap(void)
{
	bool seen[1024] = { false };

	for (int message = 1; message < NGAP_MESSAGE_COUNT; message++) {
		const struct ngap_message_info *info =
			ngap_message_info((enum ngap_message)message);
		uint8_t head[] = { (uint8_t)(info->kind << 5), info->procedure_code,
				   (uint8_t)(info->criticality << 6) };

		print_octets(head, sizeof(head));
		for (size_t i = 0; i < info->count; i++) {
			uint16_t id = info->rows[i].id;
			uint8_t ie[] = { (uint8_t)(id >> 8), (uint8_t)id,
					 (uint8_t)(info->rows[i].criticality << 6) };

			if (id < sizeof(seen) && seen[id])
				continue;
			if (id < sizeof(seen))
				seen[id] = true;
			print_octets(ie, sizeof(ie));
		}
	}
}

static void print_nas(void)
{
	const struct nas_message_info *info;
	bool seen[256] = { false };

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		uint8_t head[] = { info->epd, 0, info->type };

		print_octets(head, sizeof(head));
		for (size_t k = 0; k < info->count; k++) {
			uint8_t iei = info->rows[k].iei;

			if (iei && !seen[iei])
				print_octets(&iei, 1);
			seen[iei] = true;
		}
	}
}

static void print_pfcp(void)
{
	const struct pfcp_message_info *message;
	const struct pfcp_ie_info *ie;

	for (size_t i = 0; (message = pfcp_message_info_at(i)); i++) {
		uint8_t head[] = { message->node ? 0x20 : 0x21, message->type };

		print_octets(head, sizeof(head));
	}
	for (size_t i = 0; (ie = pfcp_ie_info_at(i)); i++) {
		uint8_t head[] = { (uint8_t)(ie->type >> 8), (uint8_t)ie->type,
				   (uint8_t)(ie->min >> 8), (uint8_t)ie->min };

		print_octets(head, sizeof(head));
	}
}

static void print_sbi(void)
{
	for (int header = SBI_HEADER_OCI; header <= SBI_HEADER_LOCATION; header++)
		print_words(sbi_header_name((enum sbi_header)header));
	for (int scope = 0; scope < 32; scope++)
		if (strcmp(sbi_scope_name((enum sbi_scope_kind)scope), "?") != 0)
			print_words(sbi_scope_name((enum sbi_scope_kind)scope));
}

static void print_json(void)
{
	const struct json_object *object;

	for (size_t i = 0; (object = json_object_at(i)); i++) {
		printf("\"%s {\"\n", object->name);
		for (size_t k = 0; k < object->count; k++)
			if (object->members[k].name)
				printf("\"\\\"%s\\\":\"\n", object->members[k].name);
	}
}

static void print_profile(void)
{
	for (int ics = 0; ics < ICS_COUNT; ics++)
		print_words(ics_name((enum ics)ics));
	for (int role = ROLE_AMF; role <= ROLE_NRF; role++)
		print_words(role_name((enum role)role));
}

static const struct {
	const char *harness;
	void (*print)(void);
} dictionaries[] = {
	{ "ngap", print_ngap },	    { "nas", print_nas }, { "pfcp", print_pfcp },
	{ "sbi_json", print_json }, { "sbi", print_sbi }, { "profile", print_profile },
};

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s HARNESS\n", argv[0]);
		return 2;
	}
	for (size_t i = 0; i < sizeof(dictionaries) / sizeof(dictionaries[0]); i++) {
		const char *harness = dictionaries[i].harness;

		if (strncmp(argv[1], harness, strlen(harness)) == 0) {
			dictionaries[i].print();
			return EXIT_SUCCESS;
		}
	}
	return EXIT_SUCCESS;
}
