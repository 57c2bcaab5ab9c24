"""What spillway writes as JSON, held against the published schema. usage: check.py SPILLWAY

Strict where the schema is not: a member that the schema does not name fails, so none is forgotten there.
Exit: 0 fine, 1 not, 77 there is no jsonschema.
"""
import copy
import glob
import json
import os
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: python3-jsonschema is missing")
    sys.exit(77)

SCHEMA = json.load(open(os.path.join(os.path.dirname(__file__), "spillway.schema.json"), encoding="utf-8"))
Draft202012Validator.check_schema(SCHEMA)


def strict(node):
    if isinstance(node, dict):
        if "properties" in node:
            node["additionalProperties"] = False
        for child in node.values():
            strict(child)
    elif isinstance(node, list):
        for child in node:
            strict(child)
    return node


DEFS = strict(copy.deepcopy(SCHEMA["$defs"]))
wrong = 0


def validator(name):
    return Draft202012Validator({"$schema": SCHEMA["$schema"], "$defs": DEFS, "$ref": f"#/$defs/{name}"})


def check(validator, value, where):
    global wrong
    for error in list(validator.iter_errors(value))[:3]:
        print(f"{where}: {'/'.join(map(str, error.path))}: {error.message[:300]}")
        wrong += 1


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def spillway(*words):
    return subprocess.run([sys.argv[1], *words], stdout=subprocess.PIPE, check=False).stdout


with tempfile.TemporaryDirectory() as folder:
    events, kinds = validator("event"), set()
    runs = {"faulty": ["TP/N1/AMF/EXEMPT/1?", "--should", "fail", "--fault", "amf-rejects-paging-response"],
            "right": ["TP/N2/RAN/TLR/01", "TP/N4/UP/*/01", "TP/SBI/SRV/HDR/01", "TP/N1/UE/START/01"]}
    for name, words in runs.items():
        record = os.path.join(folder, name)
        spillway("run", *words, "--evidence", "all", "--out", record)
        results = lines(os.path.join(record, "results.jsonl"))
        kinds |= {result["verdict"] for result in results} | {"figures" for result in results if "figures" in result}
        run = json.load(open(os.path.join(record, "run.json"), encoding="utf-8"))
        check(validator("run"), run, "run.json")
        version = spillway("--version").decode()
        assert f"spillway {run['version']} (commit {run['commit']}, " in version, version
        assert run["back_ends"] == version.partition("\n")[2].strip().replace("\n", "; "), run["back_ends"]
        for result in results:
            check(validator("result"), result, "results.jsonl")
        for path in glob.glob(os.path.join(record, "cases", "**", "events.jsonl"), recursive=True):
            for event in lines(path)[:400]:
                kinds.add(event.get("proto", event["kind"]))
                check(events, event, path)
        check(validator("report"), json.loads(spillway("report", record, "--format", "json")), "report --format json")
    assert kinds >= {"fail", "pass", "figures", "ngap", "nas", "pfcp", "http2", "control", "verdict"}, kinds
    # The same cases at another seed, and once more without the fault: changes of every sort.
    before, changes = os.path.join(folder, "faulty"), set()
    for name, words in {"sound": ["TP/N1/AMF/EXEMPT/1?"],
                        "fewer": ["TP/N1/AMF/EXEMPT/10", "--seed", "2", "--fault", "amf-rejects-paging-response"]}.items():
        after = os.path.join(folder, name)
        spillway("run", *words, "--evidence", "all", "--out", after)
        for pair in ((before, after), (after, before)):
            comparison = json.loads(spillway("diff", *pair, "--format", "json"))
            check(validator("comparison"), comparison, "diff --format json")
            changes |= {change["kind"] for case in comparison["cases"] for change in case["changes"]}
            changes |= {side for case in comparison["cases"] for side in ("before", "after") if side not in case}
    assert changes >= {"verdict-worse", "verdict-better", "message", "field", "before", "after"}, changes
    check(validator("list"), json.loads(spillway("list", "--json")), "list --json")
    # and the schema refuses what it should
    assert list(validator("result").iter_errors({**results[0], "verdict": "good"}))
    assert list(events.iter_errors({"t_us": 1, "kind": "control", "action": "x"}))
sys.exit(1 if wrong else 0)
