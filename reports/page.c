#include "reports/page.h"

#include <stdint.h>

#include "reports/printable.h"

/* Contrast of every pair of colours is 4.5 to 1 or more. */
static const char style[] =
	":root{color-scheme:light dark;--ink:#1b1b1b;--paper:#fff;--soft:#59595f;--line:#c9c9cf;"
	"--worse:#a8071a;--better:#1a6b2d;--other:#7a4a00;--band:#f3f3f6}"
	"@media(prefers-color-scheme:dark){:root{--ink:#e8e8ea;--paper:#161618;--soft:#a9a9b0;"
	"--line:#45454c;--worse:#ff8f8a;--better:#7fd992;--other:#f0b866;--band:#232327}}"
	"@media print{:root{--ink:#000;--paper:#fff;--soft:#444;--line:#999;--worse:#8a0012;"
	"--better:#0b5a1e;--other:#6a3f00;--band:#fff}details>*{display:block}}"
	"*{box-sizing:border-box}"
	"body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 "
	"system-ui,sans-serif}"
	"main{max-width:76rem;margin:0 auto;padding:1rem}"
	"h1{font-size:1.5rem;margin:.3rem 0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}"
	"h3{font-size:1rem;margin:1.1rem 0 .2rem}"
	"@media screen and (max-width:40rem){.scroll table{min-width:42rem}}"
	".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}"
	"th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;"
	"border-bottom:1px solid var(--line);overflow-wrap:break-word;max-width:36rem}"
	"thead th{border-bottom-width:2px}td.value{font-family:ui-monospace,monospace;"
	"font-size:.87rem;min-width:8rem;overflow-wrap:anywhere}"
	".soft{color:var(--soft)}.worse{color:var(--worse);font-weight:600}"
	".better{color:var(--better);font-weight:600}.other{color:var(--other);font-weight:600}"
	".counts{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;padding:.6rem .8rem;margin:.8rem 0;"
	"background:var(--band);border:1px solid var(--line)}"
	"a{color:inherit}:focus-visible{outline:2px solid currentColor;outline-offset:2px}"
	"ul{margin:.3rem 0;padding-left:1.2rem}li{overflow-wrap:anywhere}";

void html_begin(const char *title, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
	      out);
	html_text(title, out);
	fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n", style);
}

void html_end(FILE *out)
{
	fputs("</main>\n</body>\n</html>\n", out);
}

void html_text(const char *s, FILE *out)
{
	if (s == NULL)
		return;
	for (uint32_t c; (c = utf8_next(&s)) != 0;) {
		switch (c) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		case '\n':
			fputc(' ', out);
			break;
		default:
			if (!is_steering(c) && c != 0xfffe && c != 0xffff)
				utf8_put(c, out);
			else
				fprintf(out, c < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned int)c);
			break;
		}
	}
}

void html_element(const char *name, const char *class_name, const char *s, FILE *out)
{
	fprintf(out, "<%s", name);
	if (class_name != NULL)
		fprintf(out, " class=\"%s\"", class_name);
	fputs("><bdi>", out);
	html_text(s, out);
	fprintf(out, "</bdi></%s>", name);
}
