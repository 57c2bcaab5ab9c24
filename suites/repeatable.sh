#!/bin/bash
# Same seed, same run: messages and captures of every case are identical octet for octet. Another
# seed gives another run, or the comparison would show nothing.
# usage: repeatable.sh SPILLWAY [GLOB...]
set -euo pipefail

spillway=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

record() {
	"$spillway" run "$@" --out "$folder/$name" >"$folder/verdicts" || {
		cat "$folder/verdicts"
		exit 1
	}
	(cd "$folder/$name/cases" && find . -name events.jsonl -o -name trace.pcapng |
		xargs sha256sum | sort -k 2) >"$folder/$name.sums"
}

name=first record "$@" --seed 5
name=second record "$@" --seed 5 --jobs 1
name=other record "$@" --seed 6
if ! diff "$folder/first.sums" "$folder/second.sums"; then
	echo "the same seed gave different runs"
	exit 1
fi
all=$(wc -l <"$folder/first.sums")
changed=$(diff "$folder/first.sums" "$folder/other.sums" | grep -c '^<' || true)
echo "$all files are the same again; another seed changed $changed of them"
[ "$changed" -gt 0 ]
