# OpenBench builds an engine with `make EXE=name`. Everyone else uses Cargo.

EXE ?= brier

ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif

.PHONY: all
all:
	RUSTFLAGS="-C target-cpu=native" cargo build --release --package brier
	cp target/release/brier$(SUFFIX) $(EXE)$(SUFFIX)
