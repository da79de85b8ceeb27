// Scores positions with Stockfish 15.1's static evaluation and keeps the quiet ones.
//
//   label IN OUT [FIRST COUNT]
//
// IN and OUT are Brier's record files (crates/data/src/record_file.rs). Kept are positions that are
// not in check and whose quiescence search ends where it began. See README.md for how to build it.

#include "search.cpp"  // for its quiescence search, which has no name outside that file

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "bitboard.h"
#include "endgame.h"
#include "psqt.h"

using namespace Stockfish;

namespace {

constexpr size_t RECORD = 32;
constexpr size_t COUNT_AT = 16;
constexpr int QUIET = 25;              // most that captures may change, in Stockfish's units
constexpr int DECIDED = 40 * 361;      // scores beyond this teach nothing
constexpr unsigned char STATIC = 4;    // RecordFlags: a static score

struct Counts {
  uint64_t seen, kept, checks, noisy, decided;

  void print() const {
    std::fprintf(stderr, "%llu seen: %llu kept, %llu in check, %llu not quiet, %llu decided\n",
                 (unsigned long long) seen, (unsigned long long) kept, (unsigned long long) checks,
                 (unsigned long long) noisy, (unsigned long long) decided);
  }
};

// The board of a record, seen from the side to move; false if there is not one king each.
bool to_fen(const unsigned char* record, char* fen) {
  uint64_t occupied;
  std::memcpy(&occupied, record, sizeof occupied);
  char board[64] = {};
  int index = 0, kings = 0;
  for (; occupied; occupied &= occupied - 1, ++index) {
      if (index == 32)
          return false;
      char piece = "PNBRQK??pnbrqk??"[record[8 + index / 2] >> 4 * (index % 2) & 15];
      board[__builtin_ctzll(occupied)] = piece;
      kings += piece == 'K' ? 1 : piece == 'k' ? 16 : piece == '?' ? 256 : 0;
  }
  if (kings != 17)
      return false;
  for (int rank = 7; rank >= 0; --rank) {
      int empty = 0;
      for (int file = 0; file < 8; ++file) {
          char piece = board[8 * rank + file];
          if (!piece) { ++empty; continue; }
          if (empty) *fen++ = char('0' + empty);
          empty = 0;
          *fen++ = piece;
      }
      if (empty) *fen++ = char('0' + empty);
      if (rank) *fen++ = '/';
  }
  std::strcpy(fen, " w - - 0 1");
  return true;
}

Value quiescence(Position& pos) {
  Stack stack[MAX_PLY + 10], *ss = stack + 7;
  std::memset(stack, 0, sizeof stack);
  for (int i = 1; i <= 7; ++i)
      (ss - i)->continuationHistory = &pos.this_thread()->continuationHistory[0][0][NO_PIECE][0];
  for (int i = 0; i <= MAX_PLY + 2; ++i)
      (ss + i)->ply = i;
  Move pv[MAX_PLY + 1];
  ss->pv = pv;
  return qsearch<PV>(pos, ss, -VALUE_INFINITE, VALUE_INFINITE);
}

// Sets the score; false if the position is not to be kept.
bool score(unsigned char* record, Counts& counts) {
  char fen[128];
  if (!to_fen(record, fen))
      return false;
  StateInfo state;
  Position pos;
  pos.set(fen, false, &state, Threads.main());
  if (pos.checkers()) { ++counts.checks; return false; }
  Value value = Eval::evaluate(pos);
  if (std::abs(quiescence(pos) - value) > QUIET) { ++counts.noisy; return false; }
  if (std::abs(value) > DECIDED) { ++counts.decided; return false; }
  int16_t centipawns = int16_t(int(value) * 100 / UCI::NormalizeToPawnValue), later = INT16_MIN;
  std::memcpy(record + 24, &centipawns, 2);
  std::memcpy(record + 26, &later, 2);
  record[31] = STATIC;
  return true;
}

int label(const char* in, const char* out, uint64_t first, uint64_t count) {
  FILE* input = std::fopen(in, "rb");
  FILE* output = std::fopen(out, "wb");
  unsigned char head[RECORD], record[RECORD];
  if (!input || !output || std::fread(head, RECORD, 1, input) != 1
      || std::memcmp(head, "BRIERPOS", 8)) {
      std::fprintf(stderr, "label: expected a file of records and a file to write, got %s and %s\n", in, out);
      return 1;
  }
  std::fwrite(head, RECORD, 1, output);
  std::fseek(input, long(RECORD * (first + 1)), SEEK_SET);
  Counts counts = {};
  while (counts.seen < count && std::fread(record, RECORD, 1, input) == 1) {
      if (++counts.seen % (1 << 20) == 0) {
          counts.print();
          TT.new_search();
      }
      if (score(record, counts)) {
          std::fwrite(record, RECORD, 1, output);
          ++counts.kept;
      }
  }
  counts.print();
  std::fseek(output, COUNT_AT, SEEK_SET);
  std::fwrite(&counts.kept, sizeof counts.kept, 1, output);
  return std::fclose(output) ? 1 : 0;
}

} // namespace

int main(int argc, char* argv[]) {
  if (argc != 3 && argc != 5) {
      std::fprintf(stderr, "usage: label IN OUT [FIRST COUNT]\n");
      return 2;
  }
  CommandLine::init(argc, argv);
  UCI::init(Options);
  PSQT::init();
  Bitboards::init();
  Position::init();
  Bitbases::init();
  Endgames::init();
  Threads.set(1);
  Search::clear();
  Eval::NNUE::init();
  Threads.main()->rootDepth = 1;
  Threads.main()->optimism[WHITE] = Threads.main()->optimism[BLACK] = VALUE_ZERO;
  uint64_t first = argc == 5 ? std::strtoull(argv[3], nullptr, 10) : 0;
  uint64_t count = argc == 5 ? std::strtoull(argv[4], nullptr, 10) : UINT64_MAX;
  int status = label(argv[1], argv[2], first, count);
  Threads.set(0);
  return status;
}
