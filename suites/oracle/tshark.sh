#!/bin/bash
# An independent dissector looks at everything that the suites and a reference IUT send each other.
# tshark has to find no malformed packet and no expert item of severity error, and every packet has
# to be of the protocol it is for. The variant is one without ciphering, so that it sees into every
# NAS message; - where the role has none. The comments have to name each case with its verdict, the
# times are those of events.jsonl, and each display filter of the report has to find something.
#
# usage: tshark.sh SPILLWAY VARIANT|- [GLOB...]
# Exit: 0 all fine, 1 a complaint, 77 tshark is not installed.
set -euo pipefail

command -v tshark >/dev/null && command -v mergecap >/dev/null || {
	echo "skipped: tshark is not installed"
	exit 77
}

spillway=$1
variant=(--variant "$2")
plain=(-o nas-5gs.null_decipher:TRUE)
if [ "$2" = - ]; then
	variant=()
	plain=()
fi
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

complain() {
	echo "$1"
	bad=1
}

"$spillway" run "$@" "${variant[@]}" --out "$folder/run" >"$folder/verdicts" || {
	cat "$folder/verdicts"
	exit 1
}
cd "$folder/run/cases"
find . -name trace.pcapng -printf '%h\n' | sort >"$folder/cases"
sed 's|$|/trace.pcapng|' "$folder/cases" | tr '\n' '\0' |
	xargs -0 mergecap -a -w "$folder/all.pcapng"
cd - >/dev/null
tshark -r "$folder/all.pcapng" "${plain[@]}" -T fields -E separator=/t \
	-e frame.number -e ngap.procedureCode -e pfcp.msg_type -e http2.type -e _ws.malformed \
	-e _ws.expert.severity -e _ws.expert.message -e _ws.col.Info -e frame.comment \
	-e nas_5gs.epd -e frame.time_epoch -e sctp.data_e_bit -e sctp.data_b_bit \
	2>"$folder/errors" >"$folder/fields" || {
	cat "$folder/errors"
	exit 1
}

# 8388608 is the severity "error". Connections of different cases have the same addresses and stream
# numbers, which the dissector takes for one: what it finds so is looked for in the case alone.
: >"$folder/again"
awk -F'\t' -v again="$folder/again" '
	$9 ~ /^case / { split($9, words, " "); here = words[2] }
	$2 != "" || $3 != "" || $4 != "" { seen++ }
	$5 != "" { complain("malformed") }
	# all but the beginning of a message in several chunks
	$2 $3 $4 $9 $10 == "" && ($12 == "" || $12 ~ /1|True/) { complain("of no protocol") }
	{
		count = split($6, severity, ",")
		for (i = 1; i <= count; i++)
			if (severity[i] + 0 >= 8388608) { print here > again; break }
	}
	function complain(text) { print "frame " $1 ", " $8 ": " text; bad++ }
	END {
		print seen " NGAP and PFCP messages and frames of HTTP/2, " bad + 0 " complaints"
		exit bad > 0 || seen < 1000
	}' "$folder/fields" || bad=1
while read -r case; do
	tshark -r "$folder/run/cases/$case/trace.pcapng" "${plain[@]}" -T fields -E separator=/t \
		-e frame.number -e _ws.expert.severity -e _ws.expert.message \
		2>"$folder/errors" >"$folder/alone" || complain "$case: $(cat "$folder/errors")"
	awk -F'\t' -v here="$case" '
		{
			count = split($2, severity, ",")
			for (i = 1; i <= count; i++)
				if (severity[i] + 0 >= 8388608) {
					print here ", frame " $1 ": " $3
					bad++
					break
				}
		}
		END { exit bad > 0 }' "$folder/alone" || bad=1
done < <(sort -u "$folder/again")

# Each case begins with its purpose, and ends with the verdict of results.jsonl.
cut -f9 "$folder/fields" | sed -n 's/^case \([^ ]*\) (.*): ..*/\1/p' | sort >"$folder/named"
sed 's|^\./||' "$folder/cases" | diff - "$folder/named" ||
	complain "the comments do not name each case and its purpose"
cut -f9 "$folder/fields" |
	awk '$1 == "case" { id = $2 } $1 == "verdict" { sub(":", "", $2); print id, $2 }' |
	sort >"$folder/decided"
sed -n 's/^{"id":"\([^"]*\)","verdict":"\([^"]*\)".*/\1 \2/p' "$folder/run/results.jsonl" |
	sort | diff - "$folder/decided" || complain "the comments do not have each verdict"

# Every message is there once, at its time.
while read -r case; do
	sed -n 's/^{"t_us":\([0-9]*\),"kind":"message",.*"proto":"\(ngap\|nas\|pfcp\|http2\)",.*"hex":"[0-9a-f].*/\1/p' \
		"$folder/run/cases/$case/events.jsonl"
done <"$folder/cases" >"$folder/times"
awk -F'\t' '$9 == "" && ($13 == "" || $13 ~ /1|True/) { split($11, t, "."); printf "%.0f\n", t[1] * 1000000 + substr(t[2], 1, 6) }' \
	"$folder/fields" >"$folder/seen"
cmp -s "$folder/times" "$folder/seen" || {
	diff "$folder/times" "$folder/seen" | head -5
	complain "the times are not those of events.jsonl"
}

"$spillway" report "$folder/run" --format text |
	sed -n '/^display filters/,/^$/s/^  \(.*[^ ]\)   *[^ ].*/\1/p' >"$folder/filters"
[ "$(wc -l <"$folder/filters")" -ge 2 ] || complain "the report names no display filters"
tshark -r "$folder/all.pcapng" -q -z "io,stat,0,$(paste -sd, "$folder/filters")" \
	2>"$folder/errors" >"$folder/counts" || {
	cat "$folder/errors"
	bad=1
}
# | 0.0 <> 9.9 | frames | octets | frames | octets |
awk -F'|' '
	/<>/ {
		for (i = 3; i < NF && $i ~ /[0-9]/; i += 2)
			if ($i + 0 == 0) { print "display filter " (i - 1) / 2 " of the report finds nothing"; bad++ }
		rows++
	}
	END { exit bad > 0 || rows != 1 }' "$folder/counts" || bad=1
exit $bad
