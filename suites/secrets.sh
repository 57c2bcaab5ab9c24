#!/bin/bash
# No secret of a run is in what the run leaves: its record (log, events, capture, results), its
# output, and all reports of it. Faults make the cases fail, so that messages are printed too.
# usage: secrets.sh SPILLWAY PROFILES
set -euo pipefail

spillway=$1
profiles=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
secret=$(sed -n 's/.*secret: "\(.*\)".*/\1/p' "$profiles/nrf.yaml")
failed=0

# The page as its reader sees it: what is packed in it (base64 of deflate) unpacked. In base64 itself
# any three letters come up by chance.
unpack() {
	python3 - "$1" <<'END'
import base64, re, sys, zlib

def plain(match):
	packed = base64.b64decode(match.group())
	for bits in 15, -15, 31:
		try:
			return zlib.decompress(packed, bits).decode("utf-8", "replace")
		except zlib.error:
			pass
	return match.group()

page, count = re.subn(r"[A-Za-z0-9+/]{400,}={0,2}", plain, open(sys.argv[1]).read())
sys.exit("nothing is packed in the page") if count == 0 else print(page)
END
}

# run NAME PROFILE GLOB FAULT...: leaves the record of a run, and its reports beside it.
run() {
	local name=$1 profile=$2 glob=$3 fault
	local -a faults=()
	shift 3
	for fault in "$@"; do faults+=(--fault "$fault"); done
	"$spillway" run --virtual --profile "$profiles/$profile.yaml" --log debug --should fail \
		"${faults[@]}" --out "$folder/$name" "$glob" >"$folder/$name.out" 2>&1 || true
	grep -q ' 0 error' "$folder/$name.out" || { cat "$folder/$name.out"; exit 1; }
	for format in junit tap json html text markdown; do
		"$spillway" report --format "$format" "$folder/$name" >"$folder/$name.$format"
	done
	unpack "$folder/$name.html" >"$folder/$name.page"
	rm "$folder/$name.html"
	for id in $(sed -n 's/^{"id":"\([^"]*\)".*/\1/p' "$folder/$name/results.jsonl"); do
		"$spillway" show "$folder/$name" "$id"
	done >"$folder/$name.show"
}

# must_not_have WHAT TEXT: in no file; pages have what is in the events, compressed and in base64, in
# which three letters come up by chance.
must_not_have() {
	local what=$1 text=$2
	if grep -rlF --exclude='*.html' -e "$text" "$folder"; then
		echo "FAILED: these have $what"
		failed=1
	fi
}

run server nf-server 'TP/SBI/SRV/AUTH/*'
run server-open nf-server 'TP/SBI/SRV/AUTH/*' nfs-no-token-needed nfs-no-challenge \
	nfs-expiry-not-checked nfs-signature-not-checked nfs-scope-not-checked
run client nf-client 'TP/SBI/CLI/AUTH/*'
run client-bad nf-client 'TP/SBI/CLI/AUTH/*' nfc-token-of-other-service nfc-token-storm
run nrf nrf 'TP/NRF/AUTH/*'
run nrf-bad nrf 'TP/NRF/AUTH/*' nrf-token-cached nrf-token-aud-type nrf-token-any-grant \
	nrf-token-for-all nrf-token-open-when-busy

# All of them used tokens, and some printed the messages: otherwise nothing is shown here.
for name in server client nrf; do
	grep -q ', 0 fail, 0 inconc, 0 error, 0 na;' "$folder/$name.out" ||
		{ cat "$folder/$name.out"; exit 1; }
done
for name in server-open client-bad nrf-bad; do
	grep -q '^fail ' "$folder/$name.out" || { cat "$folder/$name.out"; exit 1; }
done
grep -q '"access_token":"xxxx' "$folder/nrf-bad.out" || {
	echo "FAILED: no message with a token was printed"
	exit 1
}
grep -q 'Bearer xxxx' "$folder/server.page" || {
	echo "FAILED: the page has no field with a token"
	exit 1
}
grep -rlqE 'Bearer xxxx' "$folder/server/cases" || {
	echo "FAILED: no capture has a field with a token"
	exit 1
}

# A token begins with {" in base64url.
must_not_have 'an access token' 'eyJ'
must_not_have 'the secret of the profile' "$secret"
[ $failed = 0 ] && echo "$(find "$folder" -type f | wc -l) files, none with a secret"
exit $failed
