# metaroce: the two commands of the README are `make demo` and `make test`; `make help` lists the rest.
SHELL := /bin/sh
.DELETE_ON_ERROR:
.PHONY: help tools build generate check-generated vet lint unit test demo bench doctor clean

BUG   ?=
SEED  ?=
COUNT ?=
OUT   ?= out/demo
METAROCE := bin/metaroce

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

tools: ## install what is missing, pinned: Debian packages (as root) and .venv
	@verification/setup/install.sh

build: ## build bin/metaroce
	@go build -o $(METAROCE) ./cmd/metaroce

generate: build ## write every file that is generated from gen/spec
	@$(METAROCE) gen

check-generated: build ## fail if a generated file is stale
	@$(METAROCE) gen --check

demo: tools build ## the main job, end to end; BUG=<name> seeds an RTL bug (see verification/bugs)
	@METAROCE=$(METAROCE) BUG='$(BUG)' SEED='$(SEED)' COUNT='$(COUNT)' OUT='$(OUT)' verification/demo/run.sh

vet:
	go vet ./...

lint: tools vet ## Verilator, Icarus and Yosys on rtl/; go vet
	go test -count=1 -timeout 40m ./verification/lint

unit: ## Go tests that need no simulation
	go test -short ./...

test: tools build check-generated vet ## all tests: unit, property, lint, co-simulation, seeded bugs, vectors
	go test -count=1 -timeout 60m ./...

bench: tools build ## model and RTL speed side by side, as a table and, in out/bench.json, JSON
	@mkdir -p out && $(METAROCE) bench --json out/bench.json

doctor: build ## list tools: wanted, found, and what misses without them
	@$(METAROCE) doctor

clean: ## remove what was built
	rm -rf bin build out
