# The front door. `make run` and `make test` install what is missing; see README.md.
JOBS ?= $(shell nproc)
FUZZ_TIME ?= 60
PROOF_TIME ?= 25
SEEDS ?= 1000
VARIANT_SEEDS ?= 50
ARGS ?=
PREFIX ?= /usr/local
SPILLWAY = build/release/bin/spillway

.PHONY: build run test bench fuzz fuzz-report fuzz-afl fuzz-differential fuzz-corpus fuzz-proof fuzz-triage seeds soak install package container-check clean setup-run setup-test setup-package setup-fuzz

build: setup-run
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS) -- --quiet

# The whole suite on the embedded reference IUT, in virtual time.
run: build
	@$(SPILLWAY) run $(ARGS)

test: setup-test
	@.ci/test

bench: build
	@.ci/bench build/release/bin

# FUZZ_TIME seconds of each libFuzzer harness; FUZZ_ARGS as .ci/fuzz takes them.
fuzz: setup-fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS) -- --quiet
	@.ci/fuzz build/fuzz --time $(FUZZ_TIME) $(FUZZ_ARGS)

# The long hunts, which CI only samples.
seeds: build
	@$(SPILLWAY) faults --seeds $(SEEDS) --jobs $(JOBS)
	@$(SPILLWAY) faults --seeds $(VARIANT_SEEDS) --variants --jobs $(JOBS)

# Figures of the last campaign: speed, coverage, what was never reached, how it grew.
fuzz-report:
	@.ci/fuzz-report build/fuzz

# JOBS instances of AFL++ over a synced folder, FUZZ_TIME seconds each of HARNESSES.
fuzz-afl: setup-fuzz
	@cmake --preset afl >/dev/null && cmake --preset afl-mutators >/dev/null
	@cmake --build --preset afl -j $(JOBS) -- --quiet
	@cmake --build --preset afl-mutators -j $(JOBS) -- --quiet
	@.ci/fuzz-afl build/afl build/afl-mutators $(JOBS) $(FUZZ_TIME) $(HARNESSES)

# The corpora in front of tshark and Erlang's asn1.
fuzz-differential: setup-fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS) -- --quiet
	@.ci/fuzz-differential build/fuzz

# Seeds from the suites' own traffic, minimised, into fuzz/corpus.
fuzz-corpus: build setup-fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS) -- --quiet
	@.ci/fuzz-corpus $(SPILLWAY) build/fuzz

# What the harnesses left behind: minimised, grouped by cause, written to fixtures/regress.
fuzz-triage: setup-fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS) -- --quiet
	@.ci/fuzz-triage build/fuzz

# How many of the planted bugs each mode finds in PROOF_TIME seconds of one core for each.
fuzz-proof: setup-fuzz
	@cmake --preset fuzz-proof >/dev/null
	@cmake --build --preset fuzz-proof -j $(JOBS) -- --quiet
	@.ci/fuzz-proof build/fuzz-proof $(PROOF_TIME)

soak:
	@$(MAKE) fuzz FUZZ_TIME=3600

install: build
	@cmake --install build/release --prefix $(DESTDIR)$(PREFIX) >/dev/null
	@echo "installed below $(DESTDIR)$(PREFIX)"

# A Debian package, in build/release.
package: setup-package build
	@cd build/release && cpack >/dev/null && ls -1 "$$PWD"/*.deb

# The lines of the Containerfile in bare chroots: does the package run on a clean Debian? As root.
container-check:
	@.ci/container || [ $$? = 77 ]

clean:
	@rm -rf build

setup-run:
	@.ci/setup run

setup-test:
	@.ci/setup run test

setup-package:
	@.ci/setup run package

setup-fuzz:
	@.ci/setup run fuzz
