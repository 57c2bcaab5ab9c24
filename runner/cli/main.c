#include "runner/cli/program.h"

int main(int argc, char *argv[])
{
	return cli_main(&program_registry, argc, argv);
}
