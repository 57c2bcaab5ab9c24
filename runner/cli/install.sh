#!/bin/bash
# `make install` and the Debian package: what they put where, and that the installed program needs
# nothing of the folder that it was built in.
# usage: install.sh BUILD SOURCE
set -uo pipefail

build=$1
source_dir=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

check() {
	local what=$1
	shift
	"$@" || { echo "FAILED: $what"; failed=1; }
}

# whole ROOT: the files of an installation below ROOT.
whole() {
	local root=$1 file
	for file in bin/spillway share/man/man1/spillway.1 share/man/man5/spillway-profile.5 \
		share/man/man7/spillway-cases.7 share/bash-completion/completions/spillway \
		share/zsh/vendor-completions/_spillway share/fish/vendor_completions.d/spillway.fish \
		share/spillway/profiles/amf.yaml share/spillway/spillway.schema.json \
		share/doc/spillway/README.md; do
		[ -s "$root/$file" ] || [ -s "$root/$file.gz" ] || { echo "FAILED: no $file"; failed=1; }
	done
}

# --- make install --------------------------------------------------------------------------------

cmake --install "$build" --prefix "$folder/usr" >"$folder/log" || { cat "$folder/log"; exit 1; }
whole "$folder/usr"
strip -o "$folder/stripped" "$folder/usr/bin/spillway"
check 'a stripped program' test -s "$folder/stripped"
check 'a program without paths of the build' test "$(grep -acF "$source_dir" "$folder/stripped")" = 0
mkdir "$folder/elsewhere"
# As somebody else where that can be done, in a folder of their own.
as=()
if [ "$(id -u)" = 0 ]; then
	chown nobody "$folder/elsewhere"
	chmod 755 "$folder"
	as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi
(cd "$folder/elsewhere" && "${as[@]}" env -i PATH=/usr/bin:/bin "$folder/usr/bin/spillway" run \
	n2-overload >"$folder/run") || { cat "$folder/run"; failed=1; }
check 'a run of the installed program' grep -q ' 0 fail, 0 inconc, 0 error, 0 na' "$folder/run"
for profile in "$folder"/usr/share/spillway/profiles/*.yaml; do
	check "the installed $profile" "$folder/usr/bin/spillway" profile check "$profile" \
		>/dev/null
done

# --- the Debian package --------------------------------------------------------------------------

if command -v dpkg-shlibdeps >/dev/null; then
	(cd "$build" && cpack -G DEB -B "$folder/package") >"$folder/log" 2>&1 || {
		cat "$folder/log"
		exit 1
	}
	package=("$folder"/package/*.deb)
	check 'one package' test ${#package[@]} = 1
	dpkg-deb -x "${package[0]}" "$folder/root"
	whole "$folder/root/usr"
	depends=$(dpkg-deb -f "${package[0]}" Depends)
	for library in libssl3 libusrsctp2 libnghttp2-14 libuv1 libjansson4 libyaml-0-2; do
		check "a dependency on $library" grep -q "$library" <<<"$depends"
	done
	if command -v lintian >/dev/null; then
		check 'lintian' lintian --fail-on error --allow-root "${package[0]}"
	fi
else
	echo 'no package made, for want of dpkg-shlibdeps (dpkg-dev)'
fi
exit $failed
