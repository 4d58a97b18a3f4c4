# make          builds ./q3dissect
# make test     what the README says
# make long     what go test leaves out: tests of large samples and of the reference recordings; minutes
# make whole    the tests that are cut short otherwise, as a whole: every prefix and every flip of every sample; hours
# make slow     the twenty slowest tests
# make mutate   which small mistakes in the package FOLDER its own tests do not notice
# make ci       everything that has to pass, see .ci/run
# make fuzz     CHECKS of every property with values left to chance, then every fuzz target for FUZZTIME
# make soak     floods, and play without end, through the program: SOAK="-play 1G -pairs 100000" for less
# make bench    the figures of docs/performance.md; COUNT=10 runs of each, in benchstat's format, in $(BENCH)
# make instructions  the instructions of the table in docs/performance.md; PROGRAMS="./q3dissect old/q3dissect" side by side
# make many     what a second processor is worth for many small captures; FILES=10000 of them
# make cover    statements covered by the tests, for each package and in all
# make fmt      formats the Go code, and the pages' scripts where Node is installed
# make docs     writes docs/fields.md and docs/fields again
# make docs-pictures  the pictures in docs/ again, taken by the tests of the pages; look at each
# make site     the viewer as static files in site/, with the dissector as WebAssembly
# make first-rows  how long the viewer takes to show a gigabyte, and how it scrolls; VIEW_SIZE=1250M for ten million packets
# make wasm-time   how long the page without a server takes to list 20 MB
# make browser  the tests of the pages, in a real browser
# make dataset  the samples as anonymised tables with a card, in dataset/
# make dist     binaries, packages, bill of materials and checksums in dist/

include .ci/tools

SHELL       := bash
.SHELLFLAGS := -o pipefail -c

FUZZTIME ?= 30s
CHECKS   ?= 1000
COUNT    ?= 10
SIZE     ?= 200M
BENCH    ?= $(or $(TMPDIR),/tmp)/q3dissect-bench

.PHONY: build test long whole slow mutate ci race vet fmt lint fuzz bench instructions tshark-difference many cover docs docs-pictures site first-rows wasm-time browser dataset dist clean

build:
	go build ./cmd/q3dissect

test:
	go test ./...

# What LONG has more of, by package; all in one go test, which runs two packages at a time.
LONG := ResultsSay|Wireshark(Tree|Reader|Filters|Profile)|Tshark(Forms|Habits|IO)|FramesOfReference|CutDemos|ClientDemos|ExportedRecords|\
    Samples$$|Reference$$|Group|Stored|Columns$$|TsharkDifference|(Files|Headers)AsGoogle|SavedStatesGive|AnswersAre|FieldsAreThose|\
    Conformance|FloodOfSessions|NoFalseAttacks|EveryBit|Leaps|ForgedFamilies|FiltersAgree|RecordsFit|DemosChangeNothing|RecoveredMOHAA|\
    GamesApart|Captures$$|Demos$$|Calibration|Synthetic|MatchNumbers|InputAgrees|StatisticsTake|CatalogueSchema|\
    Truth|Recordings|RecordsOfReferences|RecordedStates|Damage|DemosGames|Workers|Frames$$|Harmed$$|FinalScores|KillsOfCut|\
    Forced|MoreIsNotLess|Teeworlds(Truth|Loss|DemosAgree)
LONG_PACKAGES := $(addprefix ./,cmd/q3dissect/command cmd/internal/parquet \
    $(addprefix dissect/,all all/forged all/records all/truth anonymize capture convert quake3 quake3/internal/recover quake3/truth \
    quake3/truth/events teeworlds/internal/message teeworlds/truth view/browse view/outliers))

long:
	Q3DISSECT_LONG=1 go test -count 1 -timeout 2h -run '^Test($(subst | ,|,$(LONG)))' $(LONG_PACKAGES)

whole:
	Q3DISSECT_LONG=whole go test -count 1 -timeout 12h ./dissect/all/... ./dissect/quake3/internal/recover ./cmd/internal/parquet
	Q3DISSECT_LONG=whole go test -count 1 ./dissect/gamestudio -rapid.checks 1400

slow:
	go test -count 1 -json ./... | \
	    sed -n 's/.*"Action":"pass","Package":"\([^"]*\)","Test":"\([^"/]*\)","Elapsed":\([0-9.]*\)}.*/\3 \1 \2/p' | sort -rn | head -n 20

FOLDER ?= huffcodec
mutate:
	go run $(GREMLINS) unleash --workers 1 --timeout-coefficient 30 -S lc ./$(FOLDER)

ci:
	.ci/run

race:
	go test -race -timeout 60m ./...

vet:
	go vet ./...

fmt:
	go run $(GOFUMPT) -w .
	! command -v npx >/dev/null || npx --yes $(PRETTIER) --write --log-level warn "$(SCRIPTS)"

lint: vet
	@unformatted=$$(go run $(GOFUMPT) -l .); [ -z "$$unformatted" ] || { echo "not formatted:" $$unformatted; exit 1; }
	go run $(STATICCHECK) ./...

fuzz:
	RAPID_SEED=0 RAPID_CHECKS=$(CHECKS) go test -count 1 $(sort $(dir $(shell grep -rl --include='*_test.go' pgregory.net/rapid .)))
	.ci/fuzz $(FUZZTIME)

soak:
	go run ./samples/gen/soak $(SOAK)

# The captures of the benchmarks are made from the recording with the most clients where the reference recordings are
# at hand, and from a sample where they are not. The two give different figures: say which it was.
Q3DISSECT_REFERENCE ?= ../shared
recording := $(wildcard $(Q3DISSECT_REFERENCE)/captures/quake3/q3-multi-3clients-2servers.pcap)
source    := $(or $(recording),samples/quake3/68-natrebind.pcap)

$(BENCH)/play.pcap: samples/gen/*.go $(source)
	@mkdir -p $(BENCH)
	go run ./samples/gen repeat -size $(SIZE) -o $@ $(source)

$(BENCH)/foreign.pcap: samples/gen/*.go $(source)
	@mkdir -p $(BENCH)
	go run ./samples/gen repeat -size $(SIZE) -foreign 99 -o $@ $(source)

bench: $(BENCH)/play.pcap $(BENCH)/foreign.pcap
	@echo "captures made from $(source)"
	go test -run '^$$' -bench . -count $(COUNT) ./huffcodec ./reassembly ./dissect/capture | tee $(BENCH)/parts.txt
	Q3DISSECT_BENCH=$(abspath $(BENCH)) go test -run '^$$' -bench . -benchtime 1x -count $(COUNT) -timeout 2h ./dissect/all ./dissect/quake3/truth ./dissect/teeworlds/truth | tee $(BENCH)/whole.txt
	go run $(BENCHSTAT) $(BENCH)/parts.txt
	go run $(BENCHSTAT) $(BENCH)/whole.txt

# Ten megabytes are enough: instructions do not scatter as times do.
$(BENCH)/instructions-play.pcap: samples/gen/*.go $(source)
	@mkdir -p $(BENCH)
	go run ./samples/gen repeat -size 10M -o $@ $(source)

$(BENCH)/instructions-foreign.pcap: samples/gen/*.go $(source)
	@mkdir -p $(BENCH)
	go run ./samples/gen repeat -size 10M -foreign 99 -o $@ $(source)

PROGRAMS ?= ./q3dissect
instructions: build $(BENCH)/instructions-play.pcap $(BENCH)/instructions-foreign.pcap
	@rm -rf $(BENCH)/demos
	@./q3dissect export demo $(source) -o $(BENCH)/demos >$(BENCH)/demos.txt 2>&1 || { cat $(BENCH)/demos.txt; exit 1; }
	@echo "captures and demos made from $(source)"
	@.ci/instructions $(BENCH)/instructions-play.pcap $(BENCH)/instructions-foreign.pcap $(BENCH)/demos $(PROGRAMS)

# The table of differences between tshark's datagrams and ours over all captures below a folder.
FOLDER ?= $(Q3DISSECT_REFERENCE)/captures
tshark-difference:
	@TSHARK_FOLDER=$(abspath $(FOLDER)) go test ./dissect/capture -count 1 -run '^TestTsharkDifference$$' -v -timeout 24h

FILES ?= 10000
many:
	.ci/many $(FILES)

cover:
	@mkdir -p $(BENCH)
	go test -coverpkg ./... -coverprofile $(BENCH)/cover.out ./...
	go tool cover -func $(BENCH)/cover.out | tail -n 1

docs:
	go test ./dissect/all -run '^TestFieldsDocument$$' -update

docs-pictures:
	.ci/browser -run 'TestReportPictures|TestSiteFirstPage|^TestViewer' -update

site:
	.ci/site

VIEW_SIZE ?= 1G
$(BENCH)/view-%.pcap: samples/gen/*.go $(source)
	@mkdir -p $(BENCH)
	go run ./samples/gen repeat -size $* -o $@ $(source)

first-rows: $(BENCH)/view-$(VIEW_SIZE).pcap
	@echo "$< is made from $(source)"
	VIEW_CAPTURE=$(abspath $<) .ci/browser -v -run TestViewerShowsALargeCapture

wasm-time: $(BENCH)/view-20M.pcap
	@echo "$< is made from $(source)"
	SITE_CAPTURE=$(abspath $<) .ci/browser -v -run TestSiteListsALargeCapture

browser:
	.ci/browser

dataset:
	.ci/dataset dataset

dist:
	.ci/dist

clean:
	rm -rf $(addprefix $(BENCH)/,play.pcap foreign.pcap instructions-*.pcap demos demos.txt view-*.pcap parts.txt whole.txt cover.out) bin dataset dist site q3dissect
