#!/bin/bash
# Runs erlang.escript over COUNT mutated PDUs, or over the PDUs of a corpus.
# usage: erlang.sh NGAP_MUTANTS COUNT | erlang.sh NGAP_MUTANTS 0 FOLDER
# Exit: 0 all differences explained, 1 some are not, 77 Erlang or its asn1 is not installed.
set -euo pipefail
mutants=$1
count=$2
here=$(dirname "$(readlink -f "$0")")

command -v escript >/dev/null && erl -noshell -eval \
	'halt(case code:which(asn1ct) of non_existing -> 1; _ -> 0 end).' || {
	echo "skipped: Erlang's asn1 is not installed"
	exit 77
}
file=$(mktemp)
trap 'rm -f "$file"' EXIT
"$mutants" "$count" ${3:+"$3"} >"$file"
escript "$here/erlang.escript" "$here/../ngap.asn" "$here/SpillwayFrame.asn" \
	"$here/differences.txt" "$file" "$count"
