/*
 * The http adapter: one POST for each action, HTTP/1.1, on libcurl's socket interface so that the
 * loop never waits. Redirects, proxies and other protocols are off: the adapter is a part of the
 * rig that the profile names, and nothing else.
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/control_private.h"

struct request {
	struct control_action *action;
	CURL *easy;
	struct curl_slist *headers;
	char *body;
	char answer[65536];
	size_t len;
	bool flooded;
	char error[CURL_ERROR_SIZE];
};

struct socket {
	struct client *client;
	curl_socket_t fd;
	struct loop_watch *watch;
};

struct client {
	struct control *control;
	CURLM *multi;
	struct timer timer;
};

static void request_free(struct client *client, struct request *request)
{
	if (request->easy) {
		curl_multi_remove_handle(client->multi, request->easy);
		curl_easy_cleanup(request->easy);
	}
	curl_slist_free_all(request->headers);
	free(request->body);
	free(request);
}

/* What the adapter says about its failure: the first line of the body that says anything. */
static void quote_body(const struct request *request, char *out, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < request->len && n + 1 < size; i++) {
		unsigned char c = (unsigned char)request->answer[i];

		if (c == '\n' || c == '\r') {
			if (n > 0)
				break;
			continue;
		}
		if (n > 0 || c > ' ')
			out[n++] = c < ' ' || c >= 0x7f ? '?' : (char)c;
	}
	out[n] = '\0';
}

static void request_ended(struct client *client, CURL *easy, CURLcode code)
{
	struct request *request = NULL;
	struct control_action *action;
	char error[CURL_ERROR_SIZE], said[161];
	long status = 0;

	curl_easy_getinfo(easy, CURLINFO_PRIVATE, &request);
	curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	action = request->action;
	snprintf(error, sizeof(error), "%s",
		 request->error[0] ? request->error : curl_easy_strerror(code));
	if (code == CURLE_OK && status >= 200 && status < 300 && request->len)
		control_take_object(action, request->answer, request->len);
	bool flooded = request->flooded;

	quote_body(request, said, sizeof(said));

	action->kind_data = NULL;
	request_free(client, request);
	if (flooded)
		control_end(action, CONTROL_FAILED, "the adapter answered more than %zu octets",
			    sizeof(request->answer));
	else if (code != CURLE_OK)
		control_end(action, CONTROL_FAILED, "%s: %s",
			    client->control->options.profile->control_url, error);
	else if (status >= 200 && status < 300)
		control_end(action, CONTROL_DONE, NULL);
	else if (status == 501)
		control_end(action, CONTROL_NOT_SUPPORTED, "the adapter says so");
	else
		control_end(action, CONTROL_FAILED, "the adapter's HTTP status is %ld%s%s", status,
			    said[0] ? ": " : "", said);
}

static void reap(struct client *client)
{
	CURLMsg *message;
	int left;

	while ((message = curl_multi_info_read(client->multi, &left)))
		if (message->msg == CURLMSG_DONE)
			request_ended(client, message->easy_handle, message->data.result);
}

static void timer_fired(struct timer *timer, void *arg)
{
	struct client *client = arg;
	int running;

	(void)timer;
	curl_multi_socket_action(client->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	reap(client);
}

static int set_timer(CURLM *multi, long ms, void *arg)
{
	struct client *client = arg;

	(void)multi;
	if (ms < 0)
		timer_stop(&client->timer);
	else
		timer_start(&client->timer, (uint64_t)ms * US_PER_MS);
	return 0;
}

static void socket_ready(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct socket *s = arg;
	struct client *client = s->client;
	int running;

	(void)watch;
	/* s may be gone after this */
	curl_multi_socket_action(client->multi, s->fd,
				 (events & LOOP_READABLE ? CURL_CSELECT_IN : 0) |
					 (events & LOOP_WRITABLE ? CURL_CSELECT_OUT : 0),
				 &running);
	reap(client);
}

static int set_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *socket_arg)
{
	struct client *client = arg;
	struct socket *s = socket_arg;
	unsigned int events = 0;

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		if (s) {
			loop_unwatch(s->watch);
			curl_multi_assign(client->multi, fd, NULL);
			free(s);
		}
		return 0;
	}
	if (what & CURL_POLL_IN)
		events |= LOOP_READABLE;
	if (what & CURL_POLL_OUT)
		events |= LOOP_WRITABLE;
	if (s) {
		loop_watch_events(s->watch, events);
		return 0;
	}
	s = calloc(1, sizeof(*s));
	if (!s)
		return -1;
	s->client = client;
	s->fd = fd;
	s->watch = loop_watch(client->control->options.loop, fd, events, socket_ready, s);
	if (!s->watch || curl_multi_assign(client->multi, fd, s) != CURLM_OK) {
		if (s->watch)
			loop_unwatch(s->watch);
		free(s);
		return -1;
	}
	return 0;
}

static size_t take_body(char *data, size_t size, size_t n, void *arg)
{
	struct request *request = arg;
	size_t len = size * n;

	if (len > sizeof(request->answer) - request->len) {
		request->flooded = true;
		return 0;
	}
	memcpy(request->answer + request->len, data, len);
	request->len += len;
	return len;
}

static char *make_body(const struct control_words *words)
{
	json_t *args = json_object();
	json_t *body = NULL;
	char *text = NULL;

	for (size_t i = 0; i < words->count; i++)
		json_object_set_new(args, words->args[i].key, json_string(words->args[i].value));
	body = json_pack("{s:s,s:o}", "action", words->name, "args", args);
	if (body)
		text = json_dumps(body, JSON_COMPACT);
	json_decref(body);
	return text;
}

static bool prepare(struct request *request, const char *url)
{
	CURL *easy = request->easy;

	request->body = make_body(&request->action->words);
	request->headers = curl_slist_append(NULL, "Content-Type: application/json");
	/* Without this, curl waits for "100 Continue" where a body is long. */
	if (request->headers && !curl_slist_append(request->headers, "Expect:"))
		return false;
	return request->body && request->headers &&
	       curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) ==
		       CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HTTPHEADER, request->headers) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEDATA, request) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, request->error) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PRIVATE, request) == CURLE_OK;
}

static void start(struct control_action *action)
{
	struct client *client = action->control->kind_data;
	struct request *request = calloc(1, sizeof(*request));

	if (request) {
		request->action = action;
		request->easy = curl_easy_init();
		if (request->easy &&
		    prepare(request, action->control->options.profile->control_url) &&
		    curl_multi_add_handle(client->multi, request->easy) == CURLM_OK) {
			action->kind_data = request;
			return;
		}
		request_free(client, request);
	}
	control_end(action, CONTROL_FAILED, "the request cannot be made");
}

static void abandon(struct control_action *action)
{
	request_free(action->control->kind_data, action->kind_data);
}

static int open_http(struct control *control, struct text *why)
{
	struct client *client = calloc(1, sizeof(*client));

	if (!control->options.profile->control_url) {
		text_puts(why, "control kind http: the profile has no url");
		free(client);
		return -1;
	}
	if (client && curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
		client->multi = curl_multi_init();
	if (!client || !client->multi) {
		text_puts(why, "control kind http: libcurl cannot start");
		free(client);
		return -1;
	}
	client->control = control;
	control->kind_data = client;
	timer_init(&client->timer, control->options.loop, "control http", timer_fired, client);
	curl_multi_setopt(client->multi, CURLMOPT_SOCKETFUNCTION, set_socket);
	curl_multi_setopt(client->multi, CURLMOPT_SOCKETDATA, client);
	curl_multi_setopt(client->multi, CURLMOPT_TIMERFUNCTION, set_timer);
	curl_multi_setopt(client->multi, CURLMOPT_TIMERDATA, client);
	return 0;
}

static void close_http(struct control *control)
{
	struct client *client = control->kind_data;

	curl_multi_cleanup(client->multi);
	timer_stop(&client->timer);
	free(client);
}

const struct control_kind_ops control_http_ops = {
	.open = open_http,
	.close = close_http,
	.start = start,
	.abandon = abandon,
};
