/*
 * The symbols of asn1c's run-time that its tables point to. The compiler of our own tables reads
 * data only, so they need to exist and to differ, not to work; free_struct alone is called, because
 * asn1c completes an alias's descriptor at its first use.
 */
#include <asn_application.h>
#include <INTEGER.h>
#include <constr_CHOICE.h>
#include <constr_SEQUENCE.h>
#include <constr_SEQUENCE_OF.h>

static void nothing(asn_TYPE_descriptor_t *td, void *value, int contents_only)
{
	(void)td;
	(void)value;
	(void)contents_only;
}

#define BASE(type, n)                                                                        \
	static const ber_tlv_tag_t type##_tags[] = { (ASN_TAG_CLASS_UNIVERSAL | (n << 2)) }; \
	asn_TYPE_descriptor_t asn_DEF_##type = { .name = #type,                              \
						 .free_struct = nothing,                     \
						 .all_tags = type##_tags,                    \
						 .all_tags_count = 1 };

BASE(INTEGER, 2)
BASE(NativeInteger, 2)
BASE(BIT_STRING, 3)
BASE(OCTET_STRING, 4)
BASE(NativeEnumerated, 10)
BASE(UTF8String, 12)
BASE(PrintableString, 19)
BASE(VisibleString, 26)

void CHOICE_free(asn_TYPE_descriptor_t *td, void *value, int contents_only)
{
	nothing(td, value, contents_only);
}

void SEQUENCE_free(asn_TYPE_descriptor_t *td, void *value, int contents_only)
{
	nothing(td, value, contents_only);
}

void SET_OF_free(asn_TYPE_descriptor_t *td, void *value, int contents_only)
{
	nothing(td, value, contents_only);
}
