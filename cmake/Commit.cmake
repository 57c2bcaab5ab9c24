# Run at each build: writes which commit is built, and touches the header only where that changed.
# cmake -D SOURCE=dir -D HEADER=file [-D GIVEN=commit] -P Commit.cmake
cmake_minimum_required(VERSION 3.25)
set(commit "${GIVEN}")
if(NOT commit)
	find_program(GIT git)
	if(GIT)
		execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
			OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
		# A tarball that was unpacked inside somebody else's repository is of none of its commits.
		execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-prefix
			OUTPUT_VARIABLE inside OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
		if(inside)
			set(commit "")
		endif()
		execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no
			OUTPUT_VARIABLE changes ERROR_QUIET)
	endif()
	if(commit AND changes)
		string(APPEND commit ", changed")
	endif()
endif()
if(NOT commit)
	set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define SPILLWAY_COMMIT \"@commit@\"\n" @ONLY)
