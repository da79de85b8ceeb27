// Scores positions with Stockfish 18's static evaluation and keeps the quiet ones.
//
//   label IN OUT WITHOUT [FIRST COUNT [noisy]]
//
// IN and OUT are Brier's record files (crates/data/src/record_file.rs). Kept are positions that are
// not in check and whose quiescence search ends where it began; with "noisy" also those whose does
// not. WITHOUT is a text file of FENs, one
// in the first column of each line: positions to measure by, which no training may see. See
// README.md for how to build it.

#include "search.cpp"  // for its quiescence search, a template without an instance elsewhere

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <unordered_set>

#include "engine.h"

using namespace Stockfish;

namespace {

constexpr size_t RECORD = 32;
constexpr size_t COUNT_AT = 16;
constexpr int QUIET = 25;              // most that captures may change, in Stockfish's units
constexpr int DECIDED = 4000;          // centipawns; scores beyond this teach nothing
constexpr unsigned char NOISY = 2;     // RecordFlags: something can be won at once
constexpr unsigned char STATIC = 4;    // and: a static score

struct Counts {
  uint64_t seen, kept, checks, noisy, decided, apart;

  void print() const {
    std::fprintf(stderr, "%llu seen: %llu kept, %llu in check, %llu not quiet, %llu decided, %llu kept apart\n",
                 (unsigned long long) seen, (unsigned long long) kept, (unsigned long long) checks,
                 (unsigned long long) noisy, (unsigned long long) decided, (unsigned long long) apart);
  }
};

// The board of a record, seen from the side to move; empty if there is not one king each.
std::string board_of(const unsigned char* record) {
  uint64_t occupied;
  std::memcpy(&occupied, record, sizeof occupied);
  char board[64] = {};
  int index = 0, kings = 0;
  for (; occupied; occupied &= occupied - 1, ++index) {
      if (index == 32)
          return {};
      char piece = "PNBRQK??pnbrqk??"[record[8 + index / 2] >> 4 * (index % 2) & 15];
      board[__builtin_ctzll(occupied)] = piece;
      kings += piece == 'K' ? 1 : piece == 'k' ? 16 : piece == '?' ? 256 : 0;
  }
  if (kings != 17)
      return {};
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
      int empty = 0;
      for (int file = 0; file < 8; ++file) {
          char piece = board[8 * rank + file];
          if (!piece) { ++empty; continue; }
          if (empty) text += char('0' + empty);
          empty = 0;
          text += piece;
      }
      if (empty) text += char('0' + empty);
      if (rank) text += '/';
  }
  return text;
}

// The board of a FEN, seen from the side to move.
std::string board_of(const std::string& fen) {
  std::string board = fen.substr(0, fen.find(' '));
  if (fen.compare(board.size(), 2, " b") != 0)
      return board;
  std::string turned;
  for (size_t end = board.size(); end != std::string::npos;) {
      size_t slash = end ? board.rfind('/', end - 1) : std::string::npos;
      size_t begin = slash == std::string::npos ? 0 : slash + 1;
      if (!turned.empty()) turned += '/';
      for (char c : board.substr(begin, end - begin))
          turned += char(std::isupper(c) ? std::tolower(c) : std::toupper(c));
      end = slash;
  }
  return turned;
}

using Boards = std::unordered_set<std::string>;

class Labeller {
 public:
  Labeller(Search::Worker& someone, TranspositionTable& its_table, const Boards& kept_apart, bool noisy_too) :
      worker(someone), table(its_table), apart(kept_apart), keep_noisy(noisy_too) {
      worker.optimism[WHITE] = worker.optimism[BLACK] = VALUE_ZERO;
      worker.rootDepth = 1;
      worker.nmpMinPly = 0;
  }

  // Sets the score; false if the position is not to be kept.
  bool score(unsigned char* record) {
      if (++counts.seen % (1 << 20) == 0) {
          counts.print();
          table.new_search();
      }
      std::string board = board_of(record);
      if (board.empty())
          return false;
      if (apart.count(board)) { ++counts.apart; return false; }
      StateInfo state;
      Position pos;
      pos.set(board + " w - - 0 1", false, &state);
      if (pos.checkers()) { ++counts.checks; return false; }
      bool noisy = !quiet(pos);
      if (noisy && !keep_noisy) { ++counts.noisy; return false; }
      worker.accumulatorStack.reset();
      Value value = worker.evaluate(pos);
      int centipawns = UCIEngine::to_cp(value, pos);
      if (std::abs(centipawns) > DECIDED) { ++counts.decided; return false; }
      noisy = noisy || std::abs(quiescence(pos) - value) > QUIET;
      if (noisy && !keep_noisy) { ++counts.noisy; return false; }
      int16_t written = int16_t(centipawns);
      std::memcpy(record + 24, &written, 2);
      record[31] = STATIC | (noisy ? NOISY : 0);
      ++counts.kept;
      return true;
  }

  Counts counts = {};

 private:
  // No capture or promotion wins anything at once.
  static bool quiet(const Position& pos) {
      for (const auto& m : MoveList<CAPTURES>(pos))
          if (pos.legal(m) && pos.see_ge(m, 1))
              return false;
      return true;
  }

  Value quiescence(Position& pos) {
      Search::Stack stack[MAX_PLY + 10] = {}, *ss = stack + 7;
      for (int i = 1; i <= 7; ++i) {
          (ss - i)->continuationHistory = &worker.continuationHistory[0][0][NO_PIECE][0];
          (ss - i)->continuationCorrectionHistory = &worker.continuationCorrectionHistory[NO_PIECE][0];
          (ss - i)->staticEval = VALUE_NONE;
      }
      for (int i = 0; i <= MAX_PLY + 2; ++i)
          (ss + i)->ply = i;
      Move pv[MAX_PLY + 1];
      ss->pv = pv;
      return worker.qsearch<PV>(pos, ss, -VALUE_INFINITE, VALUE_INFINITE);
  }

  Search::Worker& worker;
  TranspositionTable& table;
  const Boards& apart;
  const bool keep_noisy;
};

int label(Labeller& labeller, const char* in, const char* out, uint64_t first, uint64_t count) {
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
  while (labeller.counts.seen < count && std::fread(record, RECORD, 1, input) == 1)
      if (labeller.score(record))
          std::fwrite(record, RECORD, 1, output);
  labeller.counts.print();
  std::fseek(output, COUNT_AT, SEEK_SET);
  std::fwrite(&labeller.counts.kept, sizeof labeller.counts.kept, 1, output);
  return std::fclose(output) ? 1 : 0;
}

} // namespace

int main(int argc, char* argv[]) {
  if (argc != 4 && argc != 6 && argc != 7) {
      std::fprintf(stderr, "usage: label IN OUT WITHOUT [FIRST COUNT [noisy]]\n");
      return 2;
  }
  Boards apart;
  std::ifstream without(argv[3]);
  for (std::string line; std::getline(without, line);)
      if (!line.empty() && line[0] != '#')
          apart.insert(board_of(line));
  if (apart.empty()) {
      std::fprintf(stderr, "label: expected positions to keep apart, got none in %s\n", argv[3]);
      return 1;
  }
  Bitboards::init();
  Position::init();
  Engine engine(argv[0]);
  Labeller labeller(*engine.threads.main_thread()->worker, engine.tt, apart, argc == 7);
  uint64_t first = argc >= 6 ? std::strtoull(argv[4], nullptr, 10) : 0;
  uint64_t count = argc >= 6 ? std::strtoull(argv[5], nullptr, 10) : UINT64_MAX;
  return label(labeller, argv[1], argv[2], first, count);
}
