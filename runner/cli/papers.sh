#!/bin/bash
# The manual pages and completions that the build makes: well formed, whole, and at work in each
# shell that is here.
# usage: papers.sh SPILLWAY PAPERS VERSION
set -uo pipefail

spillway=$1
papers=$2
version=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
skipped=()

check() {
	local what=$1
	shift
	"$@" || { echo "FAILED: $what"; failed=1; }
}

# same WHAT EXPECTED GOT
same() {
	[ "$2" = "$3" ] || { printf 'FAILED: %s: expected "%s", got "%s"\n' "$1" "$2" "$3"; failed=1; }
}

# --- version -------------------------------------------------------------------------------------

"$spillway" --version >"$folder/version"
check 'the version' grep -q "^spillway $version (commit " "$folder/version"
check 'the back ends' grep -q '^SCTP: kernel .*; usrsctp .*; usrsctp-udp yes$' "$folder/version"
check 'the libraries' grep -q '^OpenSSL [0-9].*, nghttp2 [0-9].*, jansson [0-9]' "$folder/version"

# commit_of FOLDER [GIVEN]: what a build in FOLDER would say.
commit_of() {
	cmake -D SOURCE="$1" -D GIVEN="${2:-}" -D HEADER="$folder/commit.h" -P "$commit_cmake" 2>&1
	sed -n 's/^#define SPILLWAY_COMMIT "\(.*\)"$/\1/p' "$folder/commit.h"
}
commit_cmake=$(dirname "$0")/../../cmake/Commit.cmake
mkdir -p "$folder/repository/tarball"
same 'the commit without git' unknown "$(commit_of "$folder/repository")"
if command -v git >/dev/null; then
	git=(git -C "$folder/repository" -c user.name=x -c user.email=x@example.invalid)
	"${git[@]}" init -q
	echo 1 >"$folder/repository/file"
	"${git[@]}" add file
	"${git[@]}" commit -qm x
	commit=$("${git[@]}" rev-parse --short=12 HEAD)
	same 'the commit' "$commit" "$(commit_of "$folder/repository")"
	echo 2 >"$folder/repository/file"
	same 'the commit of changed sources' "$commit, changed" "$(commit_of "$folder/repository")"
	same 'the commit of a tarball' unknown "$(commit_of "$folder/repository/tarball")"
fi
same 'the commit that is given' abc "$(commit_of "$folder/repository" abc)"

# --- manual --------------------------------------------------------------------------------------

for page in spillway.1 spillway-profile.5 spillway-cases.7; do
	if command -v groff >/dev/null; then
		same "$page in groff" '' "$(groff -man -ww -Tutf8 -z "$papers/$page" 2>&1)"
		groff -man -Tascii -P-cbou -rLL=200n "$papers/$page" >"$folder/$page" 2>/dev/null
	fi
	if command -v mandoc >/dev/null; then
		same "$page in mandoc" '' "$(mandoc -T lint -W warning "$papers/$page" 2>&1)"
	else
		skipped+=(mandoc)
	fi
done
if [ -s "$folder/spillway.1" ]; then
	"$spillway" --help | sed -n 's/^  \([a-z][a-z ]*[a-z]\)  .*/\1/p' |
		sed 's/  .*//' >"$folder/commands"
	check 'commands in the help' test "$(wc -l <"$folder/commands")" -ge 12
	while read -r command; do
		check "spillway(1) has $command" grep -q "^ *spillway $command" "$folder/spillway.1"
		# shellcheck disable=SC2086 # "profile check" is two words
		for option in $("$spillway" $command --help | grep -o '^  *\(-., \)\?--[a-z-]*' |
			grep -o -e '--[a-z-]*' | grep -v -e --help); do
			check "spillway(1) has $command $option" grep -qe "$option" "$folder/spillway.1"
		done
	done <"$folder/commands"
	"$spillway" list --json | tr '{' '\n' | sed -n 's/.*"id":"\([^"]*\)".*/\1/p' >"$folder/ids"
	same 'cases in spillway-cases(7)' "$(sort "$folder/ids")" \
		"$(grep -o '^ *TP/[A-Z0-9/]* (' "$folder/spillway-cases.7" | tr -d ' (' | sort)"
	# each key that the profiles of the house use
	for key in iut.role tester.sbi.oauth2.secret 'slices\[\].sst' ixit.t3346.min control.kind; do
		check "spillway-profile(5) has $key" grep -q "^ *$key" "$folder/spillway-profile.5"
	done
	check 'no key without words' test \
		"$(grep -c '^\.TP' "$papers/spillway-profile.5")" -gt 100
	"$spillway" profile check --list-ics | while read -r name _; do
		grep -q "^ *$name" "$folder/spillway-profile.5" || echo "$name"
	done >"$folder/missing"
	same 'claims that spillway-profile(5) lacks' '' "$(cat "$folder/missing")"
else
	skipped+=(groff)
fi

# --- completion ----------------------------------------------------------------------------------

# What each shell has to offer: the line so far (the cursor is at its end), and the words.
expectations=(
	'spillway r|report run'
	'spillway run --sho|--should'
	'spillway run --should |fail warn'
	'spillway run n1-b|n1-backoff'
	'spillway explain TP/N1/AMF/EXEMPT/0|'
	'spillway iut nf|nf-client nf-server'
	'spillway run --fault nrf-token-s|nrf-token-scope-wider nrf-token-sub-producer'
	'spillway profile |check'
	'spillway report --format j|json junit'
)
expectations[4]+=$(sed -n 's|^TP/N1/AMF/EXEMPT/0|&|p' "$folder/ids" | sort | tr '\n' ' ' | sed 's/ $//')

in_bash() {
	bash --norc -c '
		source "$1"
		read -r -a COMP_WORDS <<<"$2"
		[[ $2 != *" " ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_spillway 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}"' bash "$papers/spillway.bash" "$1"
}

in_fish() {
	XDG_CONFIG_HOME=$folder XDG_DATA_HOME=$folder HOME=$folder fish --no-config -c \
		"source '$papers/spillway.fish'; complete -C '$1'" | cut -f 1
}

# A terminal of its own: the line as it is after the tabulator.
in_zsh() {
	HOME=$folder zsh -f "$folder/zsh" "$papers/spillway.zsh" "$1"
}
cat >"$folder/zsh" <<'ZSH'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT=; autoload -Uz compinit; compinit -u -D; source $1"
zpty -w z 'show() { print -rn -- "<""LINE:$BUFFER"">"; BUFFER=; zle -I }; zle -N show; bindkey "^X^B" show'
zpty -w z 'print begins-''here'
zpty -r -m z all '*begins-here*'
zpty -w -n z "$2"$'\t\x18\x02'
zpty -r -m z all '*<LINE:*>*'
print -r -- "${${all##*<LINE:}%%>*}"
ZSH
zsh_lines=(
	'spillway rep|spillway report '
	'spillway run --sho|spillway run --should='
	'spillway run --should f|spillway run --should fail '
	'spillway run n1-b|spillway run n1-backoff '
	'spillway explain TP/NRF/OV|spillway explain TP/NRF/OVL/01 '
	'spillway iut nf-s|spillway iut nf-server '
	'spillway run --fault nrf-token-sc|spillway run --fault nrf-token-scope-wider '
	'spillway profile |spillway profile check '
	'spillway report --format ju|spillway report --format junit '
)
if command -v zsh >/dev/null; then
	for line in "${zsh_lines[@]}"; do
		same "zsh: ${line%%|*}" "${line#*|}" "$(timeout 60 bash -c "$(declare -f in_zsh)
			folder='$folder' papers='$papers' in_zsh '${line%%|*}'")"
	done
else
	skipped+=(zsh)
fi

for shell in bash fish; do
	command -v $shell >/dev/null || { skipped+=("$shell"); continue; }
	for line in "${expectations[@]}"; do
		got=$(in_$shell "${line%%|*}" | sort -u | tr '\n' ' ' | sed 's/ $//')
		same "$shell: ${line%%|*}" "${line#*|}" "$got"
	done
done

[ ${#skipped[@]} = 0 ] || echo "not looked at, for want of: $(printf '%s\n' "${skipped[@]}" | sort -u | tr '\n' ' ')"
exit $failed
