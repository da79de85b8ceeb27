//! The command `help` of a session.

/// All commands in a few lines.
pub(crate) const HELP: &str = "\
The protocol's commands (docs/uci.md has the details):
  uci                              lists name and options, then says uciok
  isready                          answers readyok, also during a search
  setoption name N [value V]       sets an option
  ucinewgame                       forgets the last game
  position startpos|fen F [moves M…]
  go [depth N] [nodes N] [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N]
     [mate N] [infinite] [ponder] [searchmoves M…] [perft N]
  stop, ponderhit, debug on|off, register, quit
Our own:
  d                                shows the board
  eval                             shows the evaluation of the board without a search
  bench [depth] [threads] [hash]   searches fixed positions
  bench nn                         measures the evaluation alone
  bench policy                     measures the root policy
  help                             shows this
Try: position startpos moves e2e4, then go movetime 1000";
