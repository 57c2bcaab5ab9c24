#!/bin/bash
# An independent dissector looks at messages: tshark has to dissect every one as its protocol,
# without a malformed packet and without an expert item of severity error.
# usage: tshark.sh ngap|pfcp [-x EXCEPTIONS] FILE...
# Files have lines "name hex ..."; lines that start with # are skipped. The third part of a PFCP
# line are the types of its IEs in wire order, separated by commas, which tshark has to see too.
# Exceptions are lines "regular expression of names: reason"; each has to be needed.
# Exit: 0 all fine, 1 a complaint, 77 tshark or text2pcap is not installed.
set -euo pipefail

command -v tshark >/dev/null && command -v text2pcap >/dev/null || {
	echo "skipped: tshark is not installed"
	exit 77
}

case $1 in
ngap) transport=(-S 38412,38412,60) message=ngap.procedureCode parts=frame.len ;;
pfcp) transport=(-u 8805,8805) message=pfcp.msg_type parts=pfcp.ie_type ;;
*) echo "unknown protocol $1" >&2; exit 2 ;;
esac
protocol=$1
shift
exceptions=/dev/null
if [ "$1" = -x ]; then
	exceptions=$2
	shift 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

grep -hv '^#' "$@" >"$folder/vectors"
# text2pcap reads "offset octet octet ..."; offset 0 starts a new packet.
cut -d' ' -f2 "$folder/vectors" | sed 's/../& /g; s/^/000000 /' >"$folder/dump"
text2pcap -q "${transport[@]}" "$folder/dump" "$folder/pdus.pcap" 2>/dev/null

# 8388608 is the severity "error".
tshark -r "$folder/pdus.pcap" -T fields -E separator=/t -e frame.number -e $message \
	-e _ws.malformed -e _ws.expert.severity -e _ws.expert.message -e $parts 2>/dev/null >"$folder/fields"

want=$(wc -l <"$folder/vectors")
awk -F'\t' -v want="$want" -v names="$folder/vectors" -v exceptions="$exceptions" \
	-v protocol="$protocol" '
	BEGIN {
		while ((getline line < names) > 0) { split(line, part, " "); name[++n] = part[1]; types[n] = part[3] }
		while ((getline line < exceptions) > 0) {
			if (line ~ /^#/ || line == "") continue
			sub(/: .*/, "", line)
			pattern[++patterns] = line
		}
	}
	{
		seen++
		text = ""
		if ($2 == "") text = "not dissected as " protocol
		if (protocol == "pfcp" && $6 != types[$1]) text = "other IEs: " $6
		count = split($4, severity, ",")
		for (i = 1; i <= count; i++) if (severity[i] + 0 >= 8388608) text = $5
		if ($3 != "") text = "malformed: " $5
		if (text != "") complain(text)
	}
	function complain(text,  i) {
		for (i = 1; i <= patterns; i++)
			if (name[$1] ~ pattern[i]) { needed[i]++; excepted++; return }
		print name[$1] ": " text
		bad++
	}
	END {
		if (seen != want) { print "tshark saw " seen " of " want " PDUs"; bad++ }
		for (i = 1; i <= patterns; i++)
			if (!needed[i]) { print "exception not needed: " pattern[i]; bad++ }
		print seen " PDUs, " excepted + 0 " excepted, " bad + 0 " complaints"
		exit bad > 0
	}' "$folder/fields"
