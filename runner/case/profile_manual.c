/* The keys of a profile as a manual lists them: from the tables that the reader goes by. */
#include <stdio.h>

#include "runner/case/profile_reader.h"
#include "runner/case/profile_values.h"

enum { DEPTH_MAX = 8, PATH_MAX_ = 128, FORM_MAX = 200 };

struct walk {
	profile_key_visit *visit;
	void *arg;
	char path[PATH_MAX_];
};

static void put_words(struct text *out, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		text_printf(out, "%s%s", i ? " | " : "", words[i]);
}

static void put_seconds(struct text *out, double seconds)
{
	if (seconds >= 3600)
		text_printf(out, "%gh", seconds / 3600);
	else if (seconds >= 60)
		text_printf(out, "%gm", seconds / 60);
	else if (seconds >= 1)
		text_printf(out, "%gs", seconds);
	else
		text_printf(out, "%gms", seconds * 1000);
}

static void put_form(struct text *out, const struct key *key)
{
	const bool is_number = key->take == take_u8 || key->take == take_u16 ||
			       key->take == take_u32 || key->take == take_double;

	if (key->words) {
		put_words(out, key->words);
	} else if (key->take == take_flag) {
		text_puts(out, "yes | no");
	} else if (is_number) {
		text_printf(out, "%.10g..%.10g", key->min, key->max);
	} else if (key->take == take_duration) {
		put_seconds(out, key->min);
		text_puts(out, "..");
		put_seconds(out, key->max);
	} else if (key->take == take_address) {
		text_puts(out, "IP address");
	} else if (key->take == take_file) {
		text_puts(out, "FILE");
	}
}

static void walk(struct walk *w, const struct keys *keys, size_t len, int depth)
{
	for (size_t i = 0; i < keys->count; i++) {
		const struct key *key = &keys->keys[i];
		const int n = snprintf(w->path + len, sizeof(w->path) - len, "%s%s%s",
				       len ? "." : "", key->name, key->is_list ? "[]" : "");
		char form[FORM_MAX];
		struct text text;

		if (n < 0 || (size_t)n >= sizeof(w->path) - len)
			continue;
		text_init(&text, form, sizeof(form));
		put_form(&text, key);
		w->visit(&(struct profile_key){ .path = w->path,
						.form = form,
						.text = key->text,
						.required = key->required },
			 w->arg);
		if (key->map && depth < DEPTH_MAX)
			walk(w, key->map, len + (size_t)n, depth + 1);
	}
}

void profile_keys_visit(profile_key_visit *visit, void *arg)
{
	struct walk w = { .visit = visit, .arg = arg };

	walk(&w, &profile_keys, 0, 0);
}
