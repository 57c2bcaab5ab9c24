#!/bin/sh
# Runs asn1c on the module and puts its tables, which it spreads over some 260 files, into one
# source that a compiler reads in a second. usage: asn1c_tables.sh ASN1C MODULE FOLDER OUTPUT
#
# Only static names that asn1c numbers without the type's name collide in one source: the
# alphabets of character strings.
set -e
asn1c=$1
module=$2
folder=$3
output=$4

rm -rf "$folder"
mkdir -p "$folder"
(cd "$folder" && "$asn1c" -R -gen-PER -fcompound-names -findirect-choice "$module" \
	>asn1c.log 2>&1) || {
	cat "$folder/asn1c.log" >&2
	exit 1
}

types=$(sed -n 's/^\([A-Z][A-Za-z0-9-]*\) *::=.*/\1/p' "$module")
{
	for type in $types; do
		c=$(echo "$type" | tr - _)
		sed "s/permitted_alphabet_/permitted_alphabet_${c}_/g" "$folder/$type.c"
	done
	echo 'asn_TYPE_descriptor_t *const asn1c_types[] = {'
	for type in $types; do
		echo "	&asn_DEF_$(echo "$type" | tr - _),"
	done
	echo '	0 };'
} >"$output"
