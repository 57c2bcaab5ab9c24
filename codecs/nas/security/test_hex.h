/* Hexadecimal text of the published test data to octets, for the tests of this folder. */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_TEST_HEX_H
#define SPILLWAY_CODECS_NAS_SECURITY_TEST_HEX_H

#include <check.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline unsigned int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *found = c != '\0' ? strchr(digits, c) : NULL;

	ck_assert_ptr_nonnull(found);
	return (unsigned int)(found - digits) % 16;
}

static inline size_t hex(const char *text, uint8_t *out, size_t size)
{
	size_t len = strlen(text) / 2;

	ck_assert_uint_eq(strlen(text) % 2, 0);
	ck_assert_uint_le(len, size);
	for (size_t i = 0; i < len; i++)
		out[i] = (uint8_t)(hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]));
	return len;
}

/* The octets of data must be those of text, no more and no less. */
static inline void assert_hex(const uint8_t *data, size_t len, const char *text)
{
	uint8_t expected[1024];

	ck_assert_uint_eq(hex(text, expected, sizeof(expected)), len);
	ck_assert_mem_eq(data, expected, len);
}

#endif
