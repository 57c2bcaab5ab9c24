"""What pipelines read, by readers that are not ours: JUnit by xmllint and its schema, TAP by perl's TAP::Parser,
Markdown by cmark-gfm. Of a real run, and of a record whose strings want to break out of each format.
usage: formats.py SPILLWAY
Exit: 0 fine, 1 not, 77 one of the readers is missing.
"""
import html.parser
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

FOLDER = os.path.dirname(os.path.abspath(__file__))
for tool in ("xmllint", "perl", "cmark-gfm"):
    if not shutil.which(tool):
        print(f"skipped: {tool} is missing")
        sys.exit(77)

# perl reads TAP 13, of which 14 makes use so that its readers still understand it.
TAP = r"""
use TAP::Parser;
local $/; my $tap = <STDIN>;
$tap =~ s/^TAP version 14$/TAP version 13/m or die "no version";
my $parser = TAP::Parser->new({ tap => $tap });
my %sums;
while (my $result = $parser->next) {
    die "not TAP: ", $result->as_string if $result->is_unknown;
    if ($result->is_yaml) { $sums{yaml}++; next }
    next unless $result->is_test;
    $sums{$result->has_skip ? "skip" : $result->has_todo ? "todo" : $result->is_actual_ok ? "ok" : "not_ok"}++;
}
die join "\n", $parser->parse_errors if $parser->parse_errors;
print join " ", map { "$_=$sums{$_}" } sort keys %sums;
"""

HOSTILE = ("]]></failure></testcase><script>alert(1)</script> | x | `y` **b** [l](javascript:alert(1)) "
           "![i](http://evil.example/i.png) www.evil.example <img src=x onerror=alert(1)> </pre></details>"
           "<https://evil.example> ~~~ # SKIP no\n\n# heading\n\n- item\n1..9\nok 99 - forged\nBail out!\n```\n"
           "...\n---\n  ...\nnot ok 7\n\\# TODO x \u202e\u0007\u001b[31m\ufffe &lt; &#60;script&#62; ||||")
# Of Markdown's tags, those that the report needs.
TAGS = {"h2", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre"}
MIB = 1 << 20


def spillway(*words):
    return subprocess.run([sys.argv[1], *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def write_hostile(record, count, missing, text):
    """A record whose every string is text, with each verdict; some of the failures a baseline knows."""
    os.mkdir(record)
    with open(os.path.join(record, "run.json"), "w", encoding="utf-8") as file:
        json.dump({member: text for member in ("iut", "profile", "version", "host", "started", "ended")} |
                  {"seed": 1, "repeat": 1, "cases": {"n" + text: [f"missing {n}{text}" for n in range(missing)]}}, file)
    with open(os.path.join(record, "results.jsonl"), "w", encoding="utf-8") as file:
        for n in range(count):
            words = ("suite", "requirement", "clause", "reason", "purpose", "stimulus", "expectation", "detail",
                     "ladder", "repro", "evidence", "strength")
            baseline = {0: {"baseline": "stale"}, 1: {"baseline": "expected"}}.get(n % 50, {})
            verdict = ("pass", "fail", "inconc", "error", "na")[n % 5]
            file.write(json.dumps({word: text for word in words} | baseline |
                                  {"id": f"{n} {text}", "verdict": verdict, "seed": 1, "iut_ms": 1,
                                   "wall_ms": 1, "warnings": [text], "notes": [text]}) + "\n")


def junit(text, cases):
    subprocess.run(["xmllint", "--noout", "--schema", os.path.join(FOLDER, "schema/junit.xsd"), "-"],
                   input=text, check=True, stderr=subprocess.PIPE)
    root = ElementTree.fromstring(text)
    found = {"tests": 0, "failures": 0, "errors": 0}
    for suite in root:
        sums = {"tests": len(suite.findall("testcase")), "failures": len(suite.findall("testcase/failure")),
                "errors": len(suite.findall("testcase/error")), "skipped": len(suite.findall("testcase/skipped"))}
        for name, n in sums.items():
            assert int(suite.get(name)) == n, (suite.get("name"), name, n)
            if name in found:
                found[name] += n
    for name, n in found.items():
        assert int(root.get(name)) == n, (name, n)
    assert found["tests"] == cases, found
    for element in root.iter("failure"):
        for part in ("reason: ", "clause: ", "requirement: ", "last messages:"):
            assert part in element.text, part
    return found


def tap(text):
    perl = subprocess.run(["perl", "-e", TAP], input=text, stdout=subprocess.PIPE, check=True)
    return dict((word.split("=")[0], int(word.split("=")[1])) for word in perl.stdout.decode().split())


class Page(html.parser.HTMLParser):
    """Which tags stand in it, and in which rows."""

    def __init__(self):
        super().__init__()
        self.tags, self.rows, self.text, self.open = set(), [], "", []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.open.append(tag)
        assert all(name in ("align", "start") for name, _ in attrs), (tag, attrs)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data
        if "td" in self.open:
            self.rows[-1][-1] += data


def markdown(text):
    assert len(text) < MIB, len(text)
    page = Page()
    # As GitHub shows it, but for its filter of tags, which would hide a mistake.
    page.feed(subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough"],
                             input=text, stdout=subprocess.PIPE, check=True).stdout.decode())
    assert page.tags <= TAGS, page.tags - TAGS
    assert not page.open, page.open
    return page


with tempfile.TemporaryDirectory() as folder:
    record = os.path.join(folder, "faulty")
    spillway("run", "TP/N1/AMF/EXEMPT/1?", "TP/N1/AMF/EXEMPT/0[12]", "TP/SBI/SRV/AUTH/*", "--should", "fail",
             "--fault", "amf-rejects-paging-response", "--out", record)
    cases = sum(1 for _ in open(os.path.join(record, "results.jsonl"), encoding="utf-8"))
    found = junit(spillway("report", record, "--format", "junit"), cases)
    assert found["failures"] > 0 and found["tests"] > found["failures"] + found["errors"], found
    sums = tap(spillway("report", record, "--format", "tap"))
    assert sums["not_ok"] == found["failures"] + found["errors"], sums
    page = markdown(spillway("report", record, "--format", "markdown"))
    assert "spillway: failed" in page.text and "TP/N1/AMF/EXEMPT/10" in page.text and "pre" in page.tags
    assert "SERVICE REJECT, 5GMM cause 22" in page.text and "last messages" in page.text

    hostile = os.path.join(folder, "hostile")
    write_hostile(hostile, 200, 60, HOSTILE)
    found = junit(spillway("report", hostile, "--format", "junit"), 260)
    assert found == {"tests": 260, "failures": 40, "errors": 140}, found
    sums = tap(spillway("report", hostile, "--format", "tap"))
    assert sums == {"ok": 36, "skip": 40, "not_ok": 180, "todo": 4, "yaml": sums["yaml"]}, sums
    large = os.path.join(folder, "large")
    write_hostile(large, 1000, 300, HOSTILE + "|" * 3000)
    page = markdown(spillway("report", large, "--format", "markdown"))
    assert {len(row) for row in page.rows} == {3, 5, 8}
    # A bar that got through would move what follows into the next column.
    words = ("", "verdict", "fail", "inconc", "error", "not run", "pass, the baseline is stale")
    assert all(row[1] in words for row in page.rows if len(row) == 5)
    assert all(row[1] in ("", "clause") or row[1].startswith(HOSTILE[:20]) for row in page.rows if len(row) == 3)
    assert "and 800 more" in page.text and "more at length in the other reports" in page.text
    print(f"{len(page.rows)} rows of a hostile record")
