/*
 * Run-time symbols of asn1c that only have to have an address of their own. Their declarations are
 * left out on purpose: a variable of one octet does for a function that nobody calls.
 */
#define STUB(name) char name;

STUB(CHOICE_constraint)
STUB(CHOICE_decode_ber)
STUB(CHOICE_decode_uper)
STUB(CHOICE_decode_xer)
STUB(CHOICE_encode_der)
STUB(CHOICE_encode_uper)
STUB(CHOICE_encode_xer)
STUB(CHOICE_outmost_tag)
STUB(CHOICE_print)
STUB(SEQUENCE_OF_encode_der)
STUB(SEQUENCE_OF_encode_uper)
STUB(SEQUENCE_OF_encode_xer)
STUB(SEQUENCE_constraint)
STUB(SEQUENCE_decode_ber)
STUB(SEQUENCE_decode_uper)
STUB(SEQUENCE_decode_xer)
STUB(SEQUENCE_encode_der)
STUB(SEQUENCE_encode_uper)
STUB(SEQUENCE_encode_xer)
STUB(SEQUENCE_print)
STUB(SET_OF_constraint)
STUB(SET_OF_decode_ber)
STUB(SET_OF_decode_uper)
STUB(SET_OF_decode_xer)
STUB(SET_OF_print)
STUB(UTF8String_length)
STUB(asn_INTEGER2long)
