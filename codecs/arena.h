/*
 * A bump allocator over memory of the caller. Decoders take everything they need from it, so a
 * hostile input cannot make them use more than the caller was willing to give, and freeing a
 * decoded message is one assignment.
 */
#ifndef SPILLWAY_CODECS_ARENA_H
#define SPILLWAY_CODECS_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena {
	uint8_t *base;
	size_t size;
	size_t used;
};

static inline void arena_init(struct arena *arena, void *base, size_t size)
{
	arena->base = base;
	arena->size = size;
	arena->used = 0;
}

/* Everything that was taken from the arena becomes invalid. */
static inline void arena_reset(struct arena *arena)
{
	arena->used = 0;
}

/*
 * Takes size octets, aligned for any object. The memory is not cleared. Returns NULL when the
 * arena is exhausted; the arena is then unchanged.
 */
static inline void *arena_take(struct arena *arena, size_t size)
{
	uintptr_t at = (uintptr_t)arena->base + arena->used;
	size_t pad = (size_t)(-at & (_Alignof(max_align_t) - 1));

	if (pad > arena->size - arena->used || size > arena->size - arena->used - pad)
		return NULL;
	arena->used += pad + size;
	return arena->base + (arena->used - size);
}

#endif
