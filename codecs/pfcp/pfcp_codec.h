/*
 * What the files of the PFCP codec share: numbers in network order, and how an IE gets its place.
 */
#ifndef SPILLWAY_CODECS_PFCP_PFCP_CODEC_H
#define SPILLWAY_CODECS_PFCP_PFCP_CODEC_H

#include "codecs/pfcp/pfcp.h"
#include "codecs/text.h"
#include "codecs/planted.h"

static inline uint16_t get_u16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t get_u24(const uint8_t *at)
{
	return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

static inline uint32_t get_u32(const uint8_t *at)
{
	return (uint32_t)get_u16(at) << 16 | get_u16(at + 2);
}

static inline uint64_t get_u64(const uint8_t *at)
{
	return (uint64_t)get_u32(at) << 32 | get_u32(at + 4);
}

/* n octets, 1 to 8. */
static inline uint64_t get_number(const uint8_t *at, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | at[i];
	return value;
}

static inline void put_number(uint8_t *at, uint64_t value, size_t n)
{
	while (n-- > 0) {
		at[n] = (uint8_t)value;
		value >>= 8;
	}
}

/* An IE of zeros at the end of a list; NULL when the arena is exhausted. */
static inline struct pfcp_ie *pfcp_new_ie(struct arena *arena, struct pfcp_ie_list *list)
{
	struct pfcp_ie *ie = arena_take(arena, sizeof(*ie));

	if (!ie)
		return NULL;
	*ie = (struct pfcp_ie){ 0 };
	if (PLANTED(9))
		for (list->last = list->first; list->last && list->last->next;)
			list->last = list->last->next;
	if (list->last)
		list->last->next = ie;
	else
		list->first = ie;
	list->last = ie;
	return ie;
}

/* Labels of at least one octet, with their lengths before them, that end where the value does. */
bool pfcp_is_name(struct octets name);

/* ASCII without blanks and controls, not empty. */
bool pfcp_is_graphic(struct octets text);

/* "upf1.example", or octets when it is no name or cannot be printed. */
void pfcp_name_print(struct text *text, struct octets name);

/* 4 octets as IPv4, 16 as IPv6, others as octets. */
void pfcp_address_print(struct text *text, struct octets address);

#endif
