# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# The front door. Each target is a script in tools/ that can be read by itself.
#
#   make test VOUCH_ROS=OFF    the core alone, with plain CMake, without ROS 2

SHELL := /bin/bash
VOUCH_ROS ?= ON
VOUCH_COQ ?= ON
JOBS ?= $(shell nproc 2> /dev/null || echo 2)
export VOUCH_ROS VOUCH_COQ JOBS

.PHONY: help setup build demo check test test-long bench bench-smoke bench-peers lint theory deb clean
.NOTPARALLEL:

help:
	@echo 'make setup        install what is missing (Debian packages, ROS 2 into .venv/)'
	@echo 'make build        build into install/vouch/'
	@echo 'make demo         set up, build, and check the example trajectories'
	@echo 'make check        the fast tests, for daily work'
	@echo 'make test         all tests, linters and sanitizers (at most 15 minutes)'
	@echo 'make test-long    the campaigns that take an hour'
	@echo 'make bench        benchmarks; bench-smoke: a short run; bench-peers: against others'
	@echo 'make theory       the lemmas, proved with Coq (a minute)'
	@echo 'make lint         style and static analysis'
	@echo 'make deb          Debian packages without ROS 2, into build/deb/'
	@echo 'make clean        remove build/ and install/ (make distclean: .venv/ too)'
	@echo 'VOUCH_COQ=OFF     leaves the proofs out, of the set-up and of the tests'
	@echo 'VOUCH_ROS=OFF     as in "make test VOUCH_ROS=OFF": the core alone, without ROS 2'

setup:
	@tools/setup

build: setup
	@tools/build

demo: build
	@tools/demo

check: setup
	@tools/test check

test: setup
	@tools/test all

test-long: setup
	@tools/test long

bench bench-smoke bench-peers: setup
	@tools/bench $@

lint: setup
	@tools/lint

theory: setup
	@tools/theory

deb: setup
	@tools/deb

clean:
	@rm -rf build install log

.PHONY: distclean
distclean: clean
	@rm -rf .venv

.DEFAULT:
	@echo "make: there is no target '$@'; 'make help' lists the targets." >&2; exit 2
