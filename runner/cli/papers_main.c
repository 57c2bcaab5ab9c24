/*
 * Makes one of the papers: papers NAME DATE FILE. Run by the build; not installed.
 */
#include <string.h>

#include "runner/cli/papers.h"
#include "runner/cli/program.h"

static const struct {
	const char *name;
	paper_print *print;
} papers[] = {
	{ "spillway.1", manual_program },     { "spillway-profile.5", manual_profile },
	{ "spillway-cases.7", manual_cases }, { "spillway.bash", completion_bash },
	{ "spillway.zsh", completion_zsh },   { "spillway.fish", completion_fish },
};

int main(int argc, char *argv[])
{
	const struct paper_source source = { .registry = &program_registry,
					     .date = argc == 4 ? argv[2] : "" };
	FILE *out;

	if (argc != 4) {
		fputs("usage: papers NAME DATE FILE\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < sizeof(papers) / sizeof(papers[0]); i++) {
		if (strcmp(papers[i].name, argv[1]) != 0)
			continue;
		out = fopen(argv[3], "we");
		if (!out) {
			perror(argv[3]);
			return 1;
		}
		papers[i].print(&source, out);
		if (fclose(out) != 0) {
			perror(argv[3]);
			return 1;
		}
		return 0;
	}
	fprintf(stderr, "papers: there is no %s\n", argv[1]);
	return 2;
}
