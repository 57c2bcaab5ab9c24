#!/bin/bash
# An independent dissector looks at everything that the suites and a reference IUT send each other:
# tshark has to find no malformed packet and no expert item of severity error. The variant is one
# without ciphering, so that it sees into every NAS message; - where the role has none.
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
[ "$2" != - ] || variant=()
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$spillway" run "$@" "${variant[@]}" --out "$folder/run" >"$folder/verdicts" || {
	cat "$folder/verdicts"
	exit 1
}
find "$folder/run/cases" -name trace.pcapng -print0 | sort -z |
	xargs -0 mergecap -a -w "$folder/all.pcapng"
tshark -r "$folder/all.pcapng" -o nas-5gs.null_decipher:TRUE -T fields -E separator=/t \
	-e frame.number -e ngap.procedureCode -e pfcp.msg_type -e http2.type -e _ws.malformed \
	-e _ws.expert.severity -e _ws.expert.message -e _ws.col.Info 2>/dev/null >"$folder/fields"

# 8388608 is the severity "error".
awk -F'\t' '
	$2 != "" || $3 != "" || $4 != "" { seen++ }
	$5 != "" { complain("malformed") }
	{
		count = split($6, severity, ",")
		for (i = 1; i <= count; i++)
			if (severity[i] + 0 >= 8388608) { complain($7); break }
	}
	function complain(text) { print "frame " $1 ", " $8 ": " text; bad++ }
	END {
		print seen " NGAP and PFCP messages and frames of HTTP/2, " bad + 0 " complaints"
		exit bad > 0 || seen < 1000
	}' "$folder/fields"
