/*
 * Any octets as a profile. The reader takes a path, so the octets are put into a file that exists
 * in memory alone. A run ends when a profile is refused without a fault that names the place, when
 * a good one has no summary, or when a second reading disagrees.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/harness/harness.h"
#include "runner/case/profile.h"

enum { PROFILE_MAX = 65536, TEXT_MAX = 1 << 20 };

static char said[TEXT_MAX];
static char said_again[TEXT_MAX];

static struct profile *read_into(const char *path, char *buffer, struct text *errors)
{
	text_init(errors, buffer, TEXT_MAX);
	return profile_read(path, errors);
}

static void check_refusal(const char *path, const char *errors)
{
	size_t len = strlen(path);

	require(errors[0] != '\0');
	for (const char *line = errors; *line;) {
		const char *end = strchr(line, '\n');

		require(strncmp(line, path, len) == 0 && line[len] == ':');
		if (!end)
			return;
		line = end + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text errors;
	struct text errors_again;
	struct profile *profile;
	struct profile *again;
	char path[64];
	int fd;

	if (size > PROFILE_MAX)
		return 0;
	fd = memfd_create("profile", MFD_CLOEXEC);
	if (fd < 0)
		return 0;
	if (write(fd, data, size) != (ssize_t)size) {
		close(fd);
		return 0;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	profile = read_into(path, said, &errors);
	again = read_into(path, said_again, &errors_again);
	require((profile == NULL) == (again == NULL) && strcmp(said, said_again) == 0);
	if (!profile) {
		check_refusal(path, said);
	} else {
		require(errors.len == 0 && profile->digest == again->digest);
		text_init(&errors, said, TEXT_MAX);
		profile_summary(profile, &errors);
		require(errors.len > 0);
	}
	profile_free(profile);
	profile_free(again);
	close(fd);
	return 0;
}
