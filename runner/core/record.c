#include "runner/core/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runner/core/capture.h"
#include "runner/core/escape.h"
#include "runner/core/secrets.h"
#include "runner/core/summary.h"
#include "runner/core/writer.h"

enum {
	LADDER_MAX = 64, /* lines kept in memory */
	SUMMARY_MAX = 256,
	RUNG_MAX = 2048, /* of a line, escaped */
	/* Everything of a line but the strings that come from outside. */
	LINE_MAX_FIXED = 512,
	LOG_MAX = 64 * 1024,
	SUMMARY_ARENA = 64 * 1024,
	NOTE_MAX = 8192,
};

/*
 * A peer that floods is not to fill the disk: messages beyond so many octets of one case's evidence
 * are counted, not kept.
 */
#define EVIDENCE_MAX (UINT64_C(256) << 20)

/* Of FNV-1a, 32 bits. */
#define FNV_BASIS UINT32_C(2166136261)
#define FNV_PRIME UINT32_C(16777619)

/* A live run may be killed: nothing stays in a buffer for longer. */
#define FLUSH_AFTER (50 * US_PER_MS)

struct rung {
	uint64_t t_us;
	bool message;
	bool sent;
	bool timer;
	char link[32];
	char proto[12];
	char summary[SUMMARY_MAX];
};

struct record {
	struct loop *loop;
	enum record_level level;
	struct writer events;
	struct writer log;
	struct capture capture;
	struct timer flush;
	struct rung rungs[LADDER_MAX];
	uint64_t rung_count; /* ever */
	void (*seen)(void *arg, const char *line);
	void *seen_arg;
	uint64_t not_kept;	      /* messages beyond EVIDENCE_MAX */
	uint8_t arena[SUMMARY_ARENA]; /* for decoding a message */
};

static const char *const level_names[] = {
	[RECORD_ERROR] = "error",
	[RECORD_WARN] = "warn",
	[RECORD_INFO] = "info",
	[RECORD_DEBUG] = "debug",
};

void record_flush(struct record *record)
{
	if (!record)
		return;
	writer_flush(&record->events);
	writer_flush(&record->log);
	writer_flush(&record->capture.writer);
}

static void flush_now(struct timer *timer, void *arg)
{
	(void)timer;
	record_flush(arg);
}

static int open_files(struct record *record, const char *dir)
{
	/* Virtual time starts at 1970, so that two runs leave the same octets. */
	uint64_t base = 0;
	struct timespec now;
	int fd, err;

	if (loop_kind(record->loop) == LOOP_LIVE && clock_gettime(CLOCK_REALTIME, &now) == 0)
		base = (uint64_t)now.tv_sec * US_PER_S + (uint64_t)now.tv_nsec / 1000 -
		       loop_now(record->loop);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = writer_open(&record->events, fd, "events.jsonl");
	if (!err)
		err = writer_open(&record->log, fd, "log.txt");
	if (!err)
		err = capture_open(&record->capture, fd, "trace.pcapng", base);
	close(fd);
	return err;
}

struct record *record_open(const char *dir, struct loop *loop)
{
	struct record *record = calloc(1, sizeof(*record));
	int err;

	if (!record) {
		errno = ENOMEM;
		return NULL;
	}
	record->loop = loop;
	record->level = RECORD_INFO;
	record->events.fd = record->log.fd = record->capture.writer.fd = -1;
	timer_init(&record->flush, loop, "record flush", flush_now, record);
	err = dir ? open_files(record, dir) : 0;
	if (err) {
		record_close(record);
		errno = -err;
		return NULL;
	}
	return record;
}

int record_close(struct record *record)
{
	int err, first;

	if (!record)
		return 0;
	timer_stop(&record->flush);
	if (record->not_kept)
		record_log(record, RECORD_WARN, "%" PRIu64 " messages were not kept",
			   record->not_kept);
	first = writer_close(&record->events);
	err = writer_close(&record->log);
	first = first ? first : err;
	err = capture_close(&record->capture);
	first = first ? first : err;
	free(record);
	return first;
}

int record_error(const struct record *record)
{
	if (!record)
		return 0;
	if (record->events.error)
		return record->events.error;
	return record->log.error ? record->log.error : record->capture.writer.error;
}

void record_watch(struct record *record, void (*seen)(void *arg, const char *line), void *arg)
{
	if (!record)
		return;
	record->seen = seen;
	record->seen_arg = arg;
}

void record_set_level(struct record *record, enum record_level level)
{
	if (record)
		record->level = level;
}

/* --- lines ---------------------------------------------------------------------------------- */

static size_t escaped(const char *s)
{
	return s ? ESCAPE_MAX * strlen(s) : 0;
}

static bool line_begin(struct writer *writer, size_t max, struct text *line)
{
	char *room = writer_room(writer, max + LINE_MAX_FIXED);

	if (!room)
		return false;
	text_init(line, room, max + LINE_MAX_FIXED);
	return true;
}

static void line_end(struct record *record, struct writer *writer, struct text *line)
{
	text_putc(line, '\n');
	writer_commit(writer, line->len);
	if (loop_kind(record->loop) == LOOP_LIVE && !timer_running(&record->flush))
		timer_start(&record->flush, FLUSH_AFTER);
}

static void member(struct text *line, const char *name, const char *value)
{
	if (!value)
		return;
	text_printf(line, ",\"%s\":", name);
	escape_json(line, value);
}

static bool event_begin(struct record *record, size_t max, struct text *line, const char *kind)
{
	if (!line_begin(&record->events, max, line))
		return false;
	text_printf(line, "{\"t_us\":%" PRIu64 ",\"kind\":\"%s\"", loop_now(record->loop), kind);
	return true;
}

static void event_end(struct record *record, struct text *line)
{
	text_putc(line, '}');
	line_end(record, &record->events, line);
}

static bool log_begin(struct record *record, size_t max, struct text *line)
{
	uint64_t now = loop_now(record->loop);

	if (!line_begin(&record->log, max, line))
		return false;
	text_printf(line, "%6" PRIu64 ".%06" PRIu64 " ", now / US_PER_S, now % US_PER_S);
	return true;
}

static struct rung *next_rung(struct record *record)
{
	struct rung *rung = &record->rungs[record->rung_count++ % LADDER_MAX];

	*rung = (struct rung){ .t_us = loop_now(record->loop) };
	return rung;
}

static void copy(char *to, size_t size, const char *from)
{
	struct text text;

	text_init(&text, to, size);
	text_puts(&text, from ? from : "");
}

static void print_rung(const struct rung *rung, struct text *out)
{
	text_printf(out, "%6" PRIu64 ".%06" PRIu64 "  ", rung->t_us / US_PER_S,
		    rung->t_us % US_PER_S);
	escape_line(out, rung->link);
	if (rung->message) {
		text_puts(out, rung->sent ? " --> " : " <-- ");
		escape_line(out, rung->proto);
	}
	if (rung->timer)
		text_puts(out, "  timer");
	text_puts(out, "  ");
	escape_line(out, rung->summary);
}

static void show_rung(const struct record *record, const struct rung *rung)
{
	char buf[RUNG_MAX];
	struct text line;

	if (!record->seen)
		return;
	text_init(&line, buf, sizeof(buf));
	print_rung(rung, &line);
	record->seen(record->seen_arg, buf);
}

/* --- what happened -------------------------------------------------------------------------- */

static void message_event(struct record *record, const struct record_message *m,
			  const char *summary)
{
	size_t max = 2 * m->data.len + escaped(m->link) + escaped(m->proto) + escaped(summary) +
		     escaped(m->local) + escaped(m->peer);
	struct text line;

	if (!event_begin(record, max, &line, "message"))
		return;
	member(&line, "link", m->link);
	member(&line, "dir", m->sent ? "sent" : "received");
	member(&line, "proto", m->proto);
	member(&line, "summary", summary);
	text_puts(&line, ",\"hex\":\"");
	text_hex(&line, m->data.data, m->data.len);
	text_putc(&line, '"');
	if (m->stream >= 0)
		text_printf(&line, ",\"stream\":%" PRId32, m->stream);
	if (m->ppid)
		text_printf(&line, ",\"ppid\":%" PRIu32, m->ppid);
	member(&line, "local", m->local);
	member(&line, "peer", m->peer);
	event_end(record, &line);
}

static void message_log(struct record *record, const struct record_message *m, const char *summary)
{
	struct text line;

	if (!log_begin(record, escaped(m->link) + escaped(m->proto) + escaped(summary), &line))
		return;
	escape_line(&line, m->link ? m->link : "-");
	text_printf(&line, " %s ", m->sent ? "->" : "<-");
	escape_line(&line, m->proto);
	text_putc(&line, ' ');
	escape_line(&line, summary);
	line_end(record, &record->log, &line);
}

/*
 * A message that holds a key, without it: its octets become 'x', as in HTTP. To be freed; NULL
 * where there is none, or no memory: *message is then as it was, or without octets.
 */
static uint8_t *blot(struct record_message *message)
{
	struct octets data = message->data;
	size_t at = 0, len;
	uint8_t *blotted;

	if (strcmp(message->proto, "ngap") != 0 || !ngap_next_secret(data, &at, &len))
		return NULL;
	message->data = OCTETS(NULL, 0);
	blotted = malloc(data.len);
	if (!blotted)
		return NULL;
	memcpy(blotted, data.data, data.len);
	do {
		memset(blotted + at, 'x', len);
		at += len;
	} while (ngap_next_secret(data, &at, &len));
	message->data = OCTETS(blotted, data.len);
	return blotted;
}

static void keep_message(struct record *record, const struct record_message *message,
			 const char *summary)
{
	struct record_message kept = *message;
	uint8_t *blotted = blot(&kept);

	message_event(record, &kept, summary);
	message_log(record, &kept, summary);
	capture_message(&record->capture, loop_now(record->loop), &kept);
	free(blotted);
}

void record_message(struct record *record, const struct record_message *message)
{
	char made[SUMMARY_MAX];
	const char *summary = message->summary;
	struct rung *rung;
	struct arena arena;
	struct text text;

	if (!record)
		return;
	if (!summary) {
		text_init(&text, made, sizeof(made));
		arena_init(&arena, record->arena, sizeof(record->arena));
		summarise(message->proto, message->data, &arena, &text);
		summary = made;
	}
	if (record->events.total <= EVIDENCE_MAX) {
		keep_message(record, message, summary);
	} else if (record->not_kept++ == 0) {
		record_log(record, RECORD_WARN,
			   "there is too much of it: from here on messages are "
			   "not kept");
	}
	rung = next_rung(record);
	rung->message = true;
	rung->sent = message->sent;
	copy(rung->link, sizeof(rung->link), message->link);
	copy(rung->proto, sizeof(rung->proto), message->proto);
	copy(rung->summary, sizeof(rung->summary), summary);
	show_rung(record, rung);
}

/* "FIRST SECOND: REST" in the capture; NULL is left out. */
static void note(struct record *record, const char *first, const char *second, const char *rest)
{
	static const char cut[] = " [cut]";
	char buf[NOTE_MAX];
	struct text text;

	text_init(&text, buf, sizeof(buf) - strlen(cut));
	escape_line(&text, first ? first : "");
	if (second && second[0]) {
		text_putc(&text, ' ');
		escape_line(&text, second);
	}
	if (rest && rest[0]) {
		text_puts(&text, ": ");
		escape_line(&text, rest);
	}
	if (text.truncated) {
		/* not in the middle of a character */
		while (text.len > 0 && ((uint8_t)buf[text.len - 1] & 0xc0) == 0x80)
			text.len--;
		if (text.len > 0 && ((uint8_t)buf[text.len - 1] & 0x80))
			text.len--;
		text.size = sizeof(buf);
		text_puts(&text, cut);
	}
	capture_note(&record->capture, loop_now(record->loop), buf);
}

void record_case(struct record *record, const char *id, const char *clause, const char *purpose)
{
	uint32_t salt = FNV_BASIS;
	char name[NOTE_MAX];
	struct text text;

	if (!record)
		return;
	for (const char *c = id ? id : ""; *c; c++)
		salt = (salt ^ (uint8_t)*c) * FNV_PRIME;
	record->capture.salt = salt;
	text_init(&text, name, sizeof(name));
	text_puts(&text, id ? id : "");
	if (clause && clause[0])
		text_printf(&text, " (%s)", clause);
	note(record, "case", name, purpose);
}

void record_control(struct record *record, const char *action, const char *outcome)
{
	struct rung *rung;
	struct text line;

	if (!record)
		return;
	if (event_begin(record, escaped(action) + escaped(outcome), &line, "control")) {
		member(&line, "action", action);
		member(&line, "outcome", outcome);
		event_end(record, &line);
	}
	if (log_begin(record, escaped(action) + escaped(outcome), &line)) {
		text_puts(&line, "control ");
		escape_line(&line, action);
		text_puts(&line, ": ");
		escape_line(&line, outcome ? outcome : "");
		line_end(record, &record->log, &line);
	}
	note(record, "control", action, outcome);
	rung = next_rung(record);
	copy(rung->link, sizeof(rung->link), "control");
	text_init(&line, rung->summary, sizeof(rung->summary));
	text_printf(&line, "%s: %s", action, outcome ? outcome : "");
	show_rung(record, rung);
}

void record_timer(struct record *record, const char *owner, const char *name, const char *what,
		  uint64_t us)
{
	struct rung *rung;
	struct text line;

	if (!record)
		return;
	/* an IUT's messages may be what starts them */
	if (record->events.total <= EVIDENCE_MAX &&
	    event_begin(record, escaped(owner) + escaped(name) + escaped(what), &line, "timer")) {
		member(&line, "owner", owner);
		member(&line, "timer", name);
		member(&line, "what", what);
		text_printf(&line, ",\"us\":%" PRIu64, us);
		event_end(record, &line);
	}
	if (record->level >= RECORD_DEBUG &&
	    log_begin(record, escaped(owner) + escaped(name) + escaped(what), &line)) {
		escape_line(&line, owner ? owner : "-");
		text_puts(&line, " timer ");
		escape_line(&line, name ? name : "-");
		text_putc(&line, ' ');
		escape_line(&line, what ? what : "");
		text_printf(&line, " (%" PRIu64 ".%06" PRIu64 " s)", us / US_PER_S, us % US_PER_S);
		line_end(record, &record->log, &line);
	}
	rung = next_rung(record);
	rung->timer = true;
	copy(rung->link, sizeof(rung->link), owner ? owner : "-");
	text_init(&line, rung->summary, sizeof(rung->summary));
	text_printf(&line, "%s %s (%" PRIu64 ".%03" PRIu64 " s)", name ? name : "-",
		    what ? what : "", us / US_PER_S, us % US_PER_S / US_PER_MS);
	show_rung(record, rung);
}

void record_verdict(struct record *record, const char *verdict, const char *reason)
{
	struct text line;

	if (!record)
		return;
	if (event_begin(record, escaped(verdict) + escaped(reason), &line, "verdict")) {
		member(&line, "verdict", verdict);
		member(&line, "reason", reason);
		event_end(record, &line);
	}
	if (log_begin(record, escaped(verdict) + escaped(reason), &line)) {
		text_puts(&line, "verdict ");
		escape_line(&line, verdict);
		text_puts(&line, ": ");
		escape_line(&line, reason ? reason : "");
		line_end(record, &record->log, &line);
	}
	note(record, "verdict", verdict, reason);
}

void record_log(struct record *record, enum record_level level, const char *format, ...)
{
	char buf[2048], *longer = NULL;
	const char *said = buf;
	struct text line;
	va_list args;
	int n;

	if (!record || level > record->level)
		return;
	va_start(args, format);
	n = vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(buf) && (longer = malloc(LOG_MAX)) != NULL) {
		va_start(args, format);
		vsnprintf(longer, LOG_MAX, format, args);
		va_end(args);
		said = longer;
	}
	if (log_begin(record, escaped(said), &line)) {
		text_printf(&line, "%s: ", level_names[level]);
		escape_line(&line, said);
		line_end(record, &record->log, &line);
	}
	free(longer);
}

void record_ladder(const struct record *record, unsigned int n, struct text *out)
{
	uint64_t first;

	if (!record)
		return;
	if (n > LADDER_MAX)
		n = LADDER_MAX;
	first = record->rung_count > n ? record->rung_count - n : 0;
	for (uint64_t i = first; i < record->rung_count; i++) {
		print_rung(&record->rungs[i % LADDER_MAX], out);
		text_putc(out, '\n');
	}
}
