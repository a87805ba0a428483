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
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# The Swift runtime is inside the binaries: they need C libraries only.
RELEASE := -c release --static-swift-stdlib

.PHONY: help setup setup-build build demo test lint format bench install clean

help: ## Show the commands.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

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
	rm -rf .build $(VENV) manifests/out
