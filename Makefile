# The commands that must always work. `make help` lists them.

SWIFT  ?= swift
PREFIX ?= /usr/local
PYTHON ?= python3
VENV   := .venv

# What the build links, and what the tests and the demo run.
PACKAGES := libyaml-dev libcurl4-openssl-dev libsqlite3-dev libgeos-dev libproj-dev proj-data libarchive-dev \
            libsimdjson-dev libssl-dev zlib1g-dev libexpat1-dev liblerc-dev libmicrohttpd-dev libcairo2-dev libjpeg62-turbo-dev \
            pkg-config g++ binutils ca-certificates curl fonts-dejavu-core
TEST_PACKAGES := proj-bin gdal-bin openssl systemd python3 python3-venv sqlite3 unzip chromium
# Under the sanitizers tests run one after the other: slowed down, they would wait for one another and miss their moments.
SANITIZED := $(SWIFT) test --no-parallel --skip-build --skip EndToEndTests --skip EnduranceTests --scratch-path
# The search for leaks needs ptrace; where that is refused: make test-address LEAKS=0
LEAKS ?= 1
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# The Swift runtime is inside the binaries: they need C libraries only.
RELEASE := -c release --static-swift-stdlib

.PHONY: help setup setup-build build demo test pictures test-faults test-address test-thread lint format bench install clean \
        judge-qgis judge-arcgis judge-kerberos judge-systemd

help: ## Show the commands.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

setup-build:
	@missing=$$(for package in $(PACKAGES); do dpkg -s $$package >/dev/null 2>&1 || echo $$package; done); \
	if [ -n "$$missing" ]; then echo "Installing" $$missing; \
	  $(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi

setup: setup-build ## Install what is missing for building and testing.
	@missing=$$(for package in $(TEST_PACKAGES); do dpkg -s $$package >/dev/null 2>&1 || echo $$package; done); \
	if [ -n "$$missing" ]; then echo "Installing" $$missing; \
	  $(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi
	@if [ ! -e $(VENV)/complete ] || [ Tests/judges/requirements.txt -nt $(VENV)/complete ]; then echo "Installing the Python judges"; \
	  $(PYTHON) -m venv $(VENV) && $(VENV)/bin/pip install -q --disable-pip-version-check -r Tests/judges/requirements.txt \
	  && touch $(VENV)/complete; fi

build: setup-build ## Build the release binaries.
	$(SWIFT) build $(RELEASE)

demo: build ## Take the demo portal's map offline and show it.
	@scripts/demo.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

test: setup ## Build and run every test.
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --skip EndToEndTests
	@# Apart: they stop and kill programs at chosen moments, which a machine full of other tests would miss.
	$(SWIFT) test --skip-build --filter EndToEndTests

test-faults: setup ## Play the whole fault matrix: every fault, 200 kills, 200 power cuts (25 minutes).
	$(SWIFT) build --build-tests
	OFFLINE_BATCH_FAULTS=all $(SWIFT) test --skip-build --filter 'FaultMatrixTests|KillTests|StumblingTests'

pictures: setup ## Draw morning pages in Chromium, into .build/test-output/morning-page.
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --filter ScreenshotTests
	@ls .build/test-output/morning-page/*.png .build/test-output/morning-page/*.pdf 2>/dev/null || echo "There is no Chromium here: nothing was drawn."

# Beside the usual build, which stays as it is. Without the end-to-end tests, whose programs would be too slow for their moments, and without the
# one that measures memory, which is the sanitizer's there. What is
# no fault of ours is named, with its reason, in Tests/sanitizers.
test-address: setup ## Run the tests under the address sanitizer, and look for leaks.
	$(SWIFT) build --build-tests --sanitize=address --scratch-path .build-address
	ASAN_OPTIONS=detect_leaks=$(LEAKS) LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/sanitizers/leaks.txt:print_suppressions=0 \
	  $(SANITIZED) .build-address --sanitize=address

test-thread: setup ## Run the tests under the thread sanitizer.
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build-thread
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/sanitizers/races.txt $(SANITIZED) .build-thread --sanitize=thread

# Not part of `test` or CI: each brings hundreds of megabytes. Tests/judges/README.md says what they found.
QGIS_PACKAGES     := python3-qgis qgis-providers
KERBEROS_PACKAGES := krb5-kdc krb5-admin-server krb5-user python3-gssapi

judge-qgis: setup ## Let QGIS read the demo portal and a published map (optional, large).
	@dpkg -s $(QGIS_PACKAGES) >/dev/null 2>&1 || DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $(QGIS_PACKAGES) >/dev/null
	$(SWIFT) build
	@scripts/judge.sh qgis "$$($(SWIFT) build --show-bin-path)"

judge-arcgis: setup ## Let Esri's ArcGIS API for Python do the same (optional, large, under Esri's licence).
	@[ -e $(VENV)-arcgis/complete ] || { $(PYTHON) -m venv $(VENV)-arcgis && $(VENV)-arcgis/bin/pip install -q --disable-pip-version-check \
	  arcgis==2.4.4 arcgis-mapping==5.1.0 && touch $(VENV)-arcgis/complete; }
	$(SWIFT) build
	@scripts/judge.sh arcgis "$$($(SWIFT) build --show-bin-path)"

judge-kerberos: setup ## Sign in with a ticket of a Kerberos realm of its own (optional).
	@dpkg -s $(KERBEROS_PACKAGES) >/dev/null 2>&1 || DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $(KERBEROS_PACKAGES) >/dev/null
	$(SWIFT) build
	@scripts/judge.sh kerberos "$$($(SWIFT) build --show-bin-path)"

judge-systemd: build ## Boot a Debian of its own, where systemd runs the nights (optional, needs root).
	@dpkg -s debootstrap >/dev/null 2>&1 || DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
	@$(SUDO) Tests/judges/systemd-nights.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

lint: ## Check the format of the code.
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Package.swift

format: ## Put the code into format.
	$(SWIFT) format --in-place --recursive --parallel Sources Tests Package.swift

bench: build ## Measure; prints ratios.
	@Benchmarks/run.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

install: build ## Install below PREFIX (and DESTDIR).
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/offline-batch
	install -s -m 755 "$$($(SWIFT) build $(RELEASE) --show-bin-path)/offline-batch" $(DESTDIR)$(PREFIX)/bin/
	install -m 644 schemas/*.schema.json $(DESTDIR)$(PREFIX)/share/offline-batch/

clean: ## Remove what was built and the demo's output.
	rm -rf .build .build-address .build-thread $(VENV) $(VENV)-arcgis manifests/out
