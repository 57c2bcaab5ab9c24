#!/bin/bash
# OSS-Fuzz and ClusterFuzzLite call this to build the harnesses: $SRC holds the project as
# $SRC/spillway, the programs go to $OUT with their seeds (X_seed_corpus.zip), dictionaries (X.dict)
# and options (X.options). $CC, $CFLAGS, $LIB_FUZZING_ENGINE and $SANITIZER are theirs.
set -eu
: "${CC:=clang}" "${CFLAGS:=}" "${WORK:=$SRC/work}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
case ${SANITIZER:=address} in
address) checks=address,undefined ;;
undefined) checks=undefined ;;
memory) checks=memory ;;
coverage) checks= ;;
*) echo "build.sh: SANITIZER=$SANITIZER is not known" >&2; exit 2 ;;
esac
# Where $CFLAGS has the sanitizer already (as on their machines), it is not set a second time.
case $CFLAGS in *-fsanitize=*) checks= ;; esac
[ -z "$checks" ] || checks=$checks,fuzzer-no-link
source=$SRC/spillway
[ -d "$source" ] || source=$(cd "$(dirname "$0")/../.." && pwd)
build=$WORK/spillway-$SANITIZER
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	-DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" \
	-DSPILLWAY_TESTS=OFF -DSPILLWAY_FUZZ=ON -DSPILLWAY_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
	-DSPILLWAY_SANITIZE="$checks" >/dev/null
cmake --build "$build" --target harnesses -- --quiet

mkdir -p "$OUT"
for program in "$build"/bin/fuzz_*; do
	name=$(basename "$program")
	harness=${name#fuzz_}
	[ "$harness" != vendor ] || continue
	cp "$program" "$OUT/"
	rm -f "$OUT/${name}_seed_corpus.zip"
	(cd "$build/corpus/$name" && find . -type f | LC_ALL=C sort |
		cmake -E tar cf "$OUT/${name}_seed_corpus.zip" --format=zip --files-from=/dev/stdin)
	"$build/bin/dictionary" "$harness" >"$OUT/$name.dict"
	{
		printf '[libfuzzer]\nmax_len = 65536\ntimeout = 20\n'
		if [ -s "$OUT/$name.dict" ]; then printf 'dict = %s.dict\n' "$name"; fi
	} >"$OUT/$name.options"
done
