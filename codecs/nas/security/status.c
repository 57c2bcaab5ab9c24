#include "codecs/nas/security/status.h"

const char *nas_security_status_name(enum nas_security_status status)
{
	switch (status) {
	case NAS_SECURITY_OK:
		return "ok";
	case NAS_SECURITY_BAD_LENGTH:
		return "bad length";
	case NAS_SECURITY_BAD_VALUE:
		return "bad value";
	case NAS_SECURITY_BAD_KEY:
		return "bad public key";
	case NAS_SECURITY_BAD_COUNT:
		return "bad NAS COUNT";
	case NAS_SECURITY_MAC_MISMATCH:
		return "MAC mismatch";
	case NAS_SECURITY_NO_SPACE:
		return "no space";
	case NAS_SECURITY_CRYPTO:
		return "OpenSSL failed";
	}
	return "unknown status";
}
