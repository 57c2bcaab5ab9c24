#include <errno.h>
#include <stdlib.h>

#include "runner/net/http_live.h"

enum {
	WINDOW = 1 << 20,
	CONNECTION_WINDOW = 4 << 20,
	CONTINUATIONS_MAX = 8,
	/* Streams that a peer may reset at once, and a second; RFC 9113 10.5. */
	RESET_BURST = 500,
	RESET_RATE = 100,
	BODY_FIRST = 4096,
};

struct session_field {
	uint32_t name, name_len, value, value_len;
};

/* A stream as the session knows it: the message that comes in, and the one that goes out. */
struct session_stream {
	struct live_connection *c;
	struct session_stream *next, **where;
	struct session_stream *done_next;
	int32_t id;
	bool whole;  /* the message that comes is complete */
	bool queued; /* in the list of what is to be told */
	bool told;
	bool closed; /* the session has forgotten it */
	bool too_large;
	bool own_reset;
	uint32_t code; /* why it was closed */
	struct timer limit;
	/* coming in */
	struct session_field fields[HTTP_HEADERS_MAX];
	size_t field_count, header_count;
	uint8_t *list;
	size_t list_len, list_room, list_size;
	uint8_t *body;
	size_t body_len, body_room;
	/* going out */
	struct http_stored *out;
	size_t sent;
	enum http_part part;
	uint32_t part_code;
};

static void stream_free(struct session_stream *s)
{
	timer_stop(&s->limit);
	*s->where = s->next;
	if (s->next)
		s->next->where = s->where;
	s->c->held -= s->list_len + s->body_len;
	free(s->list);
	free(s->body);
	free(s->out);
	free(s);
}

static void limit_reached(struct timer *timer, void *arg)
{
	struct session_stream *s = arg;

	(void)timer;
	nghttp2_submit_rst_stream(s->c->session, NGHTTP2_FLAG_NONE, s->id, NGHTTP2_CANCEL);
	live_wants_flush(s->c);
}

static struct session_stream *stream_new(struct live_connection *c, int32_t id)
{
	struct session_stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->c = c;
	s->id = id;
	timer_init(&s->limit, c->base.http->loop, "HTTP stream", limit_reached, s);
	s->next = c->streams;
	s->where = &c->streams;
	if (s->next)
		s->next->where = &s->next;
	c->streams = s;
	return s;
}

static struct session_stream *stream_of(struct live_connection *c, int32_t id)
{
	return nghttp2_session_get_stream_user_data(c->session, id);
}

static void to_be_told(struct session_stream *s)
{
	struct live_connection *c = s->c;

	if (s->queued)
		return;
	s->queued = true;
	s->done_next = NULL;
	*c->done_last = s;
	c->done_last = &s->done_next;
}

/* --- what comes in ---------------------------------------------------------------------------- */

static bool make_room(uint8_t **data, size_t *room, size_t needed)
{
	size_t size = *room ? *room : BODY_FIRST;
	uint8_t *grown;

	if (needed <= *room)
		return true;
	while (size < needed)
		size *= 2;
	grown = realloc(*data, size);
	if (!grown)
		return false;
	*data = grown;
	*room = size;
	return true;
}

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
	struct live_connection *c = arg;
	struct session_stream *s;

	if (frame->headers.cat != NGHTTP2_HCAT_REQUEST)
		return 0;
	s = stream_new(c, frame->hd.stream_id);
	if (!s)
		return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
	nghttp2_session_set_stream_user_data(session, s->id, s);
	timer_start(&s->limit, c->base.http->limits.request_us);
	return 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
		     size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags,
		     void *arg)
{
	struct live_connection *c = arg;
	struct session_stream *s = stream_of(c, frame->hd.stream_id);
	struct session_field *field;

	(void)session;
	(void)flags;
	if (!s)
		return 0;
	s->list_size += name_len + value_len + 32;
	if (s->field_count == HTTP_HEADERS_MAX || s->list_size > c->base.http->limits.header_list ||
	    c->held > HTTP_HELD_MAX ||
	    !make_room(&s->list, &s->list_room, s->list_len + name_len + value_len)) {
		s->too_large = true;
		return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
	}
	/* an interim answer (1xx) is not the answer */
	if (frame->headers.cat == NGHTTP2_HCAT_HEADERS && c->base.client && !s->header_count &&
	    s->field_count && name_len == 7 && memcmp(name, ":status", 7) == 0) {
		c->held -= s->list_len;
		s->field_count = s->list_len = 0;
	}
	field = &s->fields[s->field_count++];
	*field = (struct session_field){ .name = (uint32_t)s->list_len,
					 .name_len = (uint32_t)name_len,
					 .value = (uint32_t)(s->list_len + name_len),
					 .value_len = (uint32_t)value_len };
	memcpy(s->list + s->list_len, name, name_len);
	if (value_len)
		memcpy(s->list + s->list_len + name_len, value, value_len);
	s->list_len += name_len + value_len;
	c->held += name_len + value_len;
	return 0;
}

static int on_invalid_header(nghttp2_session *session, const nghttp2_frame *frame,
			     const uint8_t *name, size_t name_len, const uint8_t *value,
			     size_t value_len, uint8_t flags, void *arg)
{
	struct live_connection *c = arg;

	(void)session;
	(void)flags;
	record_log(c->base.http->record, RECORD_WARN,
		   "stream %d: a header field that HTTP does not allow was left out: %.*s: %.*s",
		   (int)frame->hd.stream_id, (int)(name_len < 80 ? name_len : 80),
		   (const char *)name, (int)(value_len < 200 ? value_len : 200),
		   (const char *)value);
	return 0;
}

static int on_data_chunk(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data,
			 size_t len, void *arg)
{
	struct live_connection *c = arg;
	struct session_stream *s = stream_of(c, id);

	(void)flags;
	if (!s || s->too_large)
		return 0;
	if (s->body_len + len > c->base.http->limits.body || c->held + len > HTTP_HELD_MAX ||
	    !make_room(&s->body, &s->body_room, s->body_len + len)) {
		s->too_large = true;
		return nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id,
						 NGHTTP2_ENHANCE_YOUR_CALM);
	}
	memcpy(s->body + s->body_len, data, len);
	s->body_len += len;
	c->held += len;
	return 0;
}

/* 1xx: another list follows that is the answer. */
static bool is_interim(const struct session_stream *s)
{
	const struct session_field *first = &s->fields[0];

	return s->c->base.client && s->field_count && first->name_len == 7 &&
	       memcmp(s->list + first->name, ":status", 7) == 0 && first->value_len &&
	       s->list[first->value] == '1';
}

static void end_of_message(struct session_stream *s)
{
	if (!s->header_count)
		s->header_count = s->field_count;
	timer_stop(&s->limit);
	s->whole = true;
	to_be_told(s);
}

static int on_frame_recv(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
	struct live_connection *c = arg;
	struct session_stream *s;

	switch (frame->hd.type) {
	case NGHTTP2_SETTINGS:
		if (!(frame->hd.flags & NGHTTP2_FLAG_ACK))
			c->heard = true;
		c->base.peer_streams = nghttp2_session_get_remote_settings(
			session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
		break;
	case NGHTTP2_GOAWAY:
		c->goaway = c->peer_went = true;
		c->goaway_last = (uint32_t)frame->goaway.last_stream_id;
		c->goaway_code = frame->goaway.error_code;
		break;
	case NGHTTP2_HEADERS:
	case NGHTTP2_DATA:
		s = stream_of(c, frame->hd.stream_id);
		if (!s || s->too_large)
			break;
		/* a list after this one is that of trailers */
		if (!s->header_count && !is_interim(s))
			s->header_count = s->field_count;
		if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
			end_of_message(s);
		break;
	default:
		break;
	}
	return 0;
}

static int on_stream_close(nghttp2_session *session, int32_t id, uint32_t code, void *arg)
{
	struct live_connection *c = arg;
	struct session_stream *s = stream_of(c, id);

	if (!s)
		return 0;
	nghttp2_session_set_stream_user_data(session, id, NULL);
	timer_stop(&s->limit);
	s->closed = true;
	s->code = code;
	/* what GOAWAY left out is told with it */
	if (c->goaway && (uint32_t)id > c->goaway_last)
		s->own_reset = true;
	if (s->queued)
		return 0;
	if (c->base.server && !s->told)
		stream_free(s); /* nobody heard of the request */
	else
		to_be_told(s);
	return 0;
}

static int on_frame_send(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
	struct live_connection *c = arg;
	struct session_stream *s;

	(void)session;
	if (frame->hd.type == NGHTTP2_GOAWAY) {
		/* the first of two only announces it, RFC 9113 6.8 */
		c->sent_goaway = true;
		c->sent_code = frame->goaway.error_code;
		http_record_goaway(&c->base, true, (uint32_t)frame->goaway.last_stream_id,
				   frame->goaway.error_code);
	} else if (frame->hd.type == NGHTTP2_RST_STREAM) {
		s = stream_of(c, frame->hd.stream_id);
		if (!s || !s->own_reset)
			http_record_reset(&c->base, true, (uint32_t)frame->hd.stream_id,
					  frame->rst_stream.error_code);
	}
	return 0;
}

static int on_frame_not_send(nghttp2_session *session, const nghttp2_frame *frame, int error,
			     void *arg)
{
	struct live_connection *c = arg;
	struct session_stream *s = stream_of(c, frame->hd.stream_id);

	(void)session;
	record_log(c->base.http->record, RECORD_WARN, "stream %d: a frame could not be sent: %s",
		   (int)frame->hd.stream_id, nghttp2_strerror(error));
	if (s && frame->hd.type == NGHTTP2_HEADERS && c->base.client) {
		s->code = NGHTTP2_REFUSED_STREAM;
		to_be_told(s);
	}
	return 0;
}

/* --- telling ---------------------------------------------------------------------------------- */

static void view(const struct session_stream *s, struct http_header *fields, struct http_message *m)
{
	for (size_t i = 0; i < s->field_count; i++) {
		const struct session_field *f = &s->fields[i];

		fields[i].name = OCTETS(s->list + f->name, f->name_len);
		fields[i].value = OCTETS(s->list + f->value, f->value_len);
	}
	*m = (struct http_message){
		.headers = fields,
		.header_count = s->header_count,
		.trailers = fields + s->header_count,
		.trailer_count = s->field_count - s->header_count,
		.body = OCTETS(s->body, s->body_len),
	};
}

static void forget_input(struct session_stream *s)
{
	s->c->held -= s->list_len + s->body_len;
	free(s->list);
	free(s->body);
	s->list = s->body = NULL;
	s->list_len = s->body_len = s->list_room = s->body_room = 0;
}

static void tell_message(struct session_stream *s)
{
	struct live_connection *c = s->c;
	struct http_header fields[HTTP_HEADERS_MAX];
	struct http_stream *stream = http_find(&c->base, (uint32_t)s->id);
	struct http_message m;

	s->told = true;
	view(s, fields, &m);
	if (c->base.server)
		http_is_request(&c->base, (uint32_t)s->id, &m, s);
	else if (stream)
		http_is_response(stream, &m);
	forget_input(s);
}

static void tell_end(struct session_stream *s)
{
	struct live_connection *c = s->c;
	struct http_stream *stream = http_find(&c->base, (uint32_t)s->id);
	char why[HTTP_WHY], buffer[32];
	struct text text;

	/* ended as it should, or by us */
	if (!stream || s->own_reset)
		return;
	text_init(&text, why, sizeof(why));
	if (s->too_large) {
		text_puts(&text, "the message is larger than the limits allow");
		http_is_reset(stream, HTTP_LIMIT, 0, why);
		return;
	}
	if (s->code == NGHTTP2_NO_ERROR)
		text_puts(&text, "the stream ended without a whole answer");
	else
		text_printf(&text, "the stream was reset (%s)",
			    http_error_name(s->code, buffer, sizeof(buffer)));
	http_is_reset(stream, HTTP_RESET, s->code, why);
}

void session_deliver(struct live_connection *c)
{
	if (c->heard && !c->said_up) {
		c->said_up = true;
		http_is_up(&c->base);
	}
	while (!c->ended && c->done) {
		struct session_stream *s = c->done;

		c->done = s->done_next;
		if (!c->done)
			c->done_last = &c->done;
		s->queued = false;
		if (s->whole && !s->told)
			tell_message(s);
		if (s->closed && !c->ended)
			tell_end(s);
		if (s->closed)
			stream_free(s);
	}
	if (!c->ended && c->goaway) {
		c->goaway = false;
		http_is_going_away(&c->base, c->goaway_last, c->goaway_code);
	}
}

/* --- what goes out ---------------------------------------------------------------------------- */

static nghttp2_nv *make_fields(const struct http_header *fields, size_t count)
{
	nghttp2_nv *nv = calloc(count ? count : 1, sizeof(*nv));

	for (size_t i = 0; nv && i < count; i++) {
		/* nghttp2 copies them; its interface only lacks the const */
		nv[i].name = (uint8_t *)(uintptr_t)fields[i].name.data;
		nv[i].namelen = fields[i].name.len;
		nv[i].value = (uint8_t *)(uintptr_t)fields[i].value.data;
		nv[i].valuelen = fields[i].value.len;
	}
	return nv;
}

static void submit_trailers(struct session_stream *s)
{
	const struct http_message *m = &s->out->message;
	nghttp2_nv *nv = make_fields(m->trailers, m->trailer_count);

	if (nv)
		nghttp2_submit_trailer(s->c->session, s->id, nv, m->trailer_count);
	free(nv);
}

static ssize_t read_body(nghttp2_session *session, int32_t id, uint8_t *buf, size_t len,
			 uint32_t *flags, nghttp2_data_source *source, void *arg)
{
	struct session_stream *s = source->ptr;
	const struct octets body = s->out->message.body;
	size_t end = s->part == HTTP_WHOLE ? body.len : body.len / 2;
	size_t n = end - s->sent < len ? end - s->sent : len;

	(void)arg;
	if (n)
		memcpy(buf, body.data + s->sent, n);
	s->sent += n;
	if (s->sent < end)
		return (ssize_t)n;
	if (s->part != HTTP_WHOLE) {
		if (s->part == HTTP_PART_THEN_RESET) {
			s->own_reset = true;
			nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, s->part_code);
		}
		return n ? (ssize_t)n : NGHTTP2_ERR_DEFERRED;
	}
	*flags |= NGHTTP2_DATA_FLAG_EOF;
	if (s->out->message.trailer_count) {
		*flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
		submit_trailers(s);
	}
	return (ssize_t)n;
}

static int submit(struct session_stream *s, const struct http_message *m)
{
	nghttp2_data_provider provider = { .source.ptr = s, .read_callback = read_body };
	bool body = m->body.len || m->trailer_count || s->part != HTTP_WHOLE;
	nghttp2_nv *nv = make_fields(m->headers, m->header_count);
	int32_t id;

	if (!nv)
		return -ENOMEM;
	if (s->c->base.server) {
		id = nghttp2_submit_response(s->c->session, s->id, nv, m->header_count,
					     body ? &provider : NULL);
	} else {
		id = nghttp2_submit_request(s->c->session, NULL, nv, m->header_count,
					    body ? &provider : NULL, s);
		if (id > 0)
			s->id = id;
	}
	free(nv);
	return id == NGHTTP2_ERR_NOMEM ? -ENOMEM : id < 0 ? -ENOTCONN : 0;
}

int session_send(struct live_connection *c, struct http_stream *stream,
		 const struct http_message *message, enum http_part part, uint32_t code)
{
	struct session_stream *s = c->base.server ? stream->inner : stream_new(c, 0);
	int err;

	if (!s)
		return -ENOMEM;
	s->out = http_store(message, NULL, 0);
	s->part = part;
	s->part_code = code;
	err = s->out ? submit(s, message) : -ENOMEM;
	if (err) {
		if (c->base.client)
			stream_free(s);
		return err;
	}
	if (c->base.client)
		stream->id = (uint32_t)s->id;
	else
		/* one who does not read is not to hold our memory for ever */
		timer_start(&s->limit, 6 * c->base.http->limits.request_us);
	live_wants_flush(c);
	return 0;
}

void session_reset(struct live_connection *c, uint32_t id, uint32_t code)
{
	struct session_stream *s = stream_of(c, (int32_t)id);

	if (s)
		s->own_reset = true;
	nghttp2_submit_rst_stream(c->session, NGHTTP2_FLAG_NONE, (int32_t)id, code);
	live_wants_flush(c);
}

void session_goaway(struct live_connection *c)
{
	nghttp2_submit_goaway(c->session, NGHTTP2_FLAG_NONE,
			      nghttp2_session_get_last_proc_stream_id(c->session), NGHTTP2_NO_ERROR,
			      NULL, 0);
	live_wants_flush(c);
}

void session_terminate(struct live_connection *c)
{
	nghttp2_session_terminate_session(c->session, NGHTTP2_NO_ERROR);
}

ssize_t session_pull(struct live_connection *c, const uint8_t **data)
{
	return nghttp2_session_mem_send(c->session, data);
}

bool session_over(struct live_connection *c)
{
	return !nghttp2_session_want_read(c->session) && !nghttp2_session_want_write(c->session);
}

const char *session_feed(struct live_connection *c, const uint8_t *data, size_t len)
{
	ssize_t n = nghttp2_session_mem_recv(c->session, data, len);

	return n < 0 ? nghttp2_strerror((int)n) : NULL;
}

/* --- beginning and end ------------------------------------------------------------------------ */

static int session_new(struct live_connection *c)
{
	nghttp2_session_callbacks *callbacks;
	nghttp2_option *option;
	int err = -1;

	if (nghttp2_session_callbacks_new(&callbacks) != 0)
		return -1;
	if (nghttp2_option_new(&option) != 0) {
		nghttp2_session_callbacks_del(callbacks);
		return -1;
	}
	nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
	nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
	nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, on_invalid_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data_chunk);
	nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame_recv);
	nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
	nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_frame_send);
	nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, on_frame_not_send);
	nghttp2_option_set_no_closed_streams(option, 1);
	nghttp2_option_set_max_continuations(option, CONTINUATIONS_MAX);
	nghttp2_option_set_stream_reset_rate_limit(option, RESET_BURST, RESET_RATE);
	nghttp2_option_set_peer_max_concurrent_streams(option, 100);
	if (c->base.server)
		err = nghttp2_session_server_new2(&c->session, callbacks, c, option);
	else
		err = nghttp2_session_client_new2(&c->session, callbacks, c, option);
	nghttp2_option_del(option);
	nghttp2_session_callbacks_del(callbacks);
	return err ? -1 : 0;
}

int session_start(struct live_connection *c)
{
	const struct http_limits *limits = &c->base.http->limits;
	nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits->streams },
		{ NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW },
		{ NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, (uint32_t)limits->header_list },
		{ NGHTTP2_SETTINGS_ENABLE_PUSH, 0 },
	};

	c->done_last = &c->done;
	if (session_new(c) != 0)
		return -1;
	/* only a client may speak of pushes */
	if (nghttp2_submit_settings(c->session, NGHTTP2_FLAG_NONE, settings,
				    c->base.server ? 3 : 4) != 0 ||
	    nghttp2_session_set_local_window_size(c->session, NGHTTP2_FLAG_NONE, 0,
						  CONNECTION_WINDOW) != 0)
		return -1;
	return 0;
}

void session_free(struct live_connection *c)
{
	while (c->streams)
		stream_free(c->streams);
	nghttp2_session_del(c->session);
	c->session = NULL;
}
