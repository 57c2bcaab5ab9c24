# Compiler flags and the three functions that every CMakeLists.txt of the house uses.

find_program(CCACHE ccache)
if(CCACHE)
	set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
if(SPILLWAY_TESTS)
	pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)
endif()

add_library(spillway_flags INTERFACE)
target_include_directories(spillway_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(spillway_flags INTERFACE _GNU_SOURCE)
target_compile_options(spillway_flags INTERFACE
	-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
	-fno-strict-aliasing -fno-common)
if(SPILLWAY_WERROR)
	target_compile_options(spillway_flags INTERFACE -Werror)
endif()
if(SPILLWAY_SANITIZE)
	# The instrumented code hides value ranges from gcc, which then warns of conversions that
	# are safe. The other presets still check them.
	target_compile_options(spillway_flags INTERFACE -Wno-conversion -Wno-sign-conversion)
	target_compile_options(spillway_flags INTERFACE
		-fsanitize=${SPILLWAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
	target_compile_definitions(spillway_flags INTERFACE SPILLWAY_SANITIZED)
	target_link_options(spillway_flags INTERFACE -fsanitize=${SPILLWAY_SANITIZE})
endif()
if(SPILLWAY_COVERAGE)
	set(coverage --coverage)
	if(CMAKE_C_COMPILER_ID MATCHES Clang)
		set(coverage -fprofile-instr-generate -fcoverage-mapping)
	endif()
	target_compile_options(spillway_flags INTERFACE ${coverage})
	target_link_options(spillway_flags INTERFACE ${coverage})
endif()

# spillway_library(NAME SOURCES file... [LIBS target...])
function(spillway_library name)
	cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
	add_library(${name} STATIC ${ARG_SOURCES})
	target_link_libraries(${name} PUBLIC spillway_flags ${ARG_LIBS})
endfunction()

# spillway_test(NAME SOURCES file... [LIBS target...] [TIMEOUT seconds]): a Check program that
# ctest runs. It gets the source tree's path in SPILLWAY_SOURCE_DIR.
function(spillway_test name)
	if(NOT SPILLWAY_TESTS)
		return()
	endif()
	cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBS" ${ARGN})
	if(NOT ARG_TIMEOUT)
		set(ARG_TIMEOUT 180)
	endif()
	add_executable(${name} ${ARG_SOURCES})
	target_link_libraries(${name} PRIVATE ${ARG_LIBS} PkgConfig::CHECK Threads::Threads)
	add_test(NAME ${name} COMMAND ${name})
	set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT}
		ENVIRONMENT "SPILLWAY_SOURCE_DIR=${CMAKE_SOURCE_DIR};CK_FORK=no")
endfunction()

# spillway_harness(NAME REACH codec [TEXT] [MUTATOR mutate [cross]] [SOURCES file...] LIBS target...
# INPUTS path...): fuzz/harness/fuzz_NAME.c as up to three programs: fuzz_NAME for libFuzzer and
# afl_NAME for AFL++, where the build is made for them, and replay_NAME, which runs files and is a
# test over INPUTS. With TEXT the vectors of INPUTS are text, else hexadecimal. MUTATOR names the
# functions mutate_<mutate> and cross_<cross> of fuzz/mutator/mutator.h; without it the engine mutates
# octets alone.
add_custom_target(harnesses)
add_custom_target(afl_mutators)
function(spillway_harness name)
	cmake_parse_arguments(ARG "TEXT" "REACH" "MUTATOR;SOURCES;LIBS;INPUTS" ${ARGN})
	set(folder ${CMAKE_SOURCE_DIR}/fuzz/harness)
	add_library(harness_${name} OBJECT EXCLUDE_FROM_ALL
		${folder}/fuzz_${name}.c ${folder}/reach_${ARG_REACH}.c ${ARG_SOURCES})
	target_link_libraries(harness_${name} PUBLIC spillway_flags ${ARG_LIBS})
	add_executable(replay_${name} ${folder}/replay.c)
	target_link_libraries(replay_${name} PRIVATE harness_${name})
	add_dependencies(harnesses replay_${name})
	# What once was a bug: of this harness, and of the one that shares its inputs.
	string(REPLACE _print "" sibling ${name})
	foreach(regress ${sibling} ${name})
		if(EXISTS ${CMAKE_SOURCE_DIR}/fixtures/regress/${regress})
			list(APPEND ARG_INPUTS ${CMAKE_SOURCE_DIR}/fixtures/regress/${regress})
		endif()
	endforeach()
	list(REMOVE_DUPLICATES ARG_INPUTS)
	set(text "")
	if(ARG_TEXT)
		set(text --text)
	endif()
	if(SPILLWAY_TESTS)
		add_test(NAME replay_${name} COMMAND replay_${name} ${text} ${ARG_INPUTS})
	endif()
	set(mutate MUTATE=mutate_octets CROSS=cross_octets)
	if(ARG_MUTATOR)
		list(GET ARG_MUTATOR 0 mutator)
		list(GET ARG_MUTATOR -1 crosser)
		set(mutate MUTATE=mutate_${mutator} CROSS=cross_${crosser})
	endif()
	if(SPILLWAY_FUZZ)
		add_executable(fuzz_${name})
		if(ARG_MUTATOR)
			target_sources(fuzz_${name} PRIVATE ${CMAKE_SOURCE_DIR}/fuzz/mutator/libfuzzer.c)
			target_compile_definitions(fuzz_${name} PRIVATE ${mutate})
			target_link_libraries(fuzz_${name} PRIVATE mutators)
		endif()
		target_link_libraries(fuzz_${name} PRIVATE harness_${name})
		target_link_options(fuzz_${name} PRIVATE ${SPILLWAY_FUZZ_ENGINE})
		add_dependencies(harnesses fuzz_${name})
	endif()
	if(SPILLWAY_FUZZ OR SPILLWAY_AFL)
		add_custom_command(TARGET replay_${name} POST_BUILD
			COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/corpus
			COMMAND replay_${name} ${text} --seeds ${CMAKE_BINARY_DIR}/corpus/fuzz_${name}
				${ARG_INPUTS})
	endif()
	if(SPILLWAY_AFL)
		add_executable(afl_${name} ${folder}/afl.c)
		target_link_libraries(afl_${name} PRIVATE harness_${name})
		add_dependencies(harnesses afl_${name})
	endif()
	if(SPILLWAY_AFL_MUTATORS AND ARG_MUTATOR)
		add_library(mutate_${name} MODULE ${CMAKE_SOURCE_DIR}/fuzz/mutator/afl.c)
		target_compile_definitions(mutate_${name} PRIVATE ${mutate})
		target_link_libraries(mutate_${name} PRIVATE mutators)
		set_target_properties(mutate_${name} PROPERTIES PREFIX ""
			LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
		add_dependencies(afl_mutators mutate_${name})
	endif()
endfunction()
