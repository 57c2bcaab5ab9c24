#!/bin/bash
# An independent dissector looks at everything that the suites and the reference IUTs send each
# other: tshark has to find no malformed packet and no expert item of severity error. With null
# ciphering, so that it sees into every NAS message.
# usage: tshark.sh SPILLWAY [GLOB...]
#   variant   of the reference IUT that has null ciphering (default: the AMF's)
# Exit: 0 all fine, 1 a complaint, 77 tshark is not installed.
set -euo pipefail

command -v tshark >/dev/null && command -v mergecap >/dev/null || {
	echo "skipped: tshark is not installed"
	exit 77
}

spillway=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$spillway" run "$@" --variant "${variant:-amf-null-ciphering}" --out "$folder/run" >"$folder/verdicts" || {
	cat "$folder/verdicts"
	exit 1
}
find "$folder/run/cases" -name trace.pcapng -print0 | sort -z |
	xargs -0 mergecap -a -w "$folder/all.pcapng"
tshark -r "$folder/all.pcapng" -o nas-5gs.null_decipher:TRUE -T fields -E separator=/t \
	-e frame.number -e ngap.procedureCode -e _ws.malformed -e _ws.expert.severity \
	-e _ws.expert.message -e _ws.col.Info 2>/dev/null >"$folder/fields"

# 8388608 is the severity "error".
awk -F'\t' '
	$2 != "" { seen++ }
	$3 != "" { complain("malformed") }
	{
		count = split($4, severity, ",")
		for (i = 1; i <= count; i++)
			if (severity[i] + 0 >= 8388608) { complain($5); break }
	}
	function complain(text) { print "frame " $1 ", " $6 ": " text; bad++ }
	END {
		print seen " NGAP-PDUs, " bad + 0 " complaints"
		exit bad > 0 || seen < 1000
	}' "$folder/fields"
