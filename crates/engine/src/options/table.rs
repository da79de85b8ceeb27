//! Every option of Brier, one entry each.
//!
//! An entry has the form
//!
//! ```text
//! kind "Name" field (default and bounds): "what it does"
//!     [hidden] [-> setting] [=> action];
//! ```
//!
//! and that is all an option needs: from it follow the field of [`Options`], its default, the
//! checks of `setoption`, the line for `uci` and the row in `docs/uci.md`. `action` is what the
//! engine does at once when the value changes, `setting` what it means for the next search.

use std::time::Duration;

use search::ELO_RANGE;

use super::options;
use crate::Engine;

options! {
    spin "Hash" hash (usize = 16, 1, 1 << 25):
        "Size of the hash table in MB. If the memory cannot be had, the table before it stays."
        => Engine::resize_table;
    button "Clear Hash" clear_hash ():
        "Forgets everything learnt in earlier searches."
        => Engine::forget;
    spin "Threads" threads (usize = 1, 1, 1024):
        "Threads that search together. One thread always gives the same result."
        => Engine::start_threads;
    spin "MultiPV" multi_pv (usize = 1, 1, 500):
        "How many best lines to show. More than one costs strength."
        -> |settings, options| settings.multi_pv = options.multi_pv;
    check "Ponder" ponder (false):
        "Says that the engine may be asked to think on the opponent's time.";
    spin "Move Overhead" move_overhead (u64 = 10, 0, 5000):
        "Milliseconds lost for each move between engine and clock, by a network or a slow GUI."
        -> |settings, options| {
            settings.move_overhead = Duration::from_millis(options.move_overhead);
        };
    check "UCI_Chess960" chess960 (false):
        "Writes castling as king takes rook. Both forms are always understood.";
    check "UCI_ShowWDL" show_wdl (false):
        "Adds the chances of win, draw and loss, in thousandths, to each score: if both sides think as \
         long about each move as this search has so far (500 to 20,000 nodes).";
    check "UCI_AnalyseMode" analyse (false):
        "For analysis: at full strength, without book or jokes; hunts forced mates beside the \
         search and looks harder for attacks on kings. Finds more sacrifices, plays games worse."
        -> |settings, options| settings.analysis = options.analyse;
    check "UCI_LimitStrength" limit_strength (false):
        "Plays weaker, as `UCI_Elo` says."
        -> |settings, options| settings.elo = options.rating();
    spin "UCI_Elo" elo (u32 = 1500, *ELO_RANGE.start(), *ELO_RANGE.end()):
        "The rating to play at when `UCI_LimitStrength` is on; up to 2300 about that of Stockfish \
         15.1 with the same number."
        -> |settings, options| settings.elo = options.rating();
    check "LikePeople" like_people (true):
        "Below a `UCI_Elo` of 2200 chooses among the moves that people of the rating play, if the \
         program was built with them. Off, all levels misjudge positions instead.";
    spin "nodestime" nodes_time (u64 = 0, 0, 10_000):
        "For tests: counts this many nodes as a millisecond, so that games by the clock can be \
         repeated. 0 is real time."
        -> |settings, options| settings.nodes_per_ms = options.nodes_time;
    check "nonsense" nonsense (false):
        "A joke: the king goes for a walk, pawns become knights and bishops, and the engine babbles.";
    text "EvalFile" eval_file ("<default>"):
        "The network: a file's path, `<default>` for the one in the program, `<classical>` for \
         hand-written terms."
        => Engine::load_evaluator;
    spin "Risk" risk (i32 = 0, -100, 100):
        "Below 0 prefers safe moves (at -100 it plays by the q10 of its judgement), above 0 \
         complications (at 100 by the q90). 0 plays for strength."
        -> |settings, options| settings.risk = options.risk;
    spin "UntilSure" until_sure (u16 = 0, 0, 99):
        "Thinks until the confidence in the move is this many percent, `go infinite` too, or until \
         more thought makes it no surer. 0 thinks until the limits or `stop` end it.";
    check "UseWidth" use_width (true):
        "For tests: lets the width of the evaluation set the margins of the search."
        hidden
        -> |settings, options| settings.use_width = options.use_width;
    check "OwnBook" own_book (false):
        "Plays openings from its books, never in analysis.";
    text "BookFile" book_file ("<default>"):
        "Polyglot books, the most important first, separated as in PATH; `<default>` is the one \
         in the program."
        => Engine::open_books;
    spin "BookDepth" book_depth (u32 = 30, 0, 200):
        "Half-moves of a game in which books are asked.";
    spin "BookVariety" book_variety (u8 = 100, 0, 100):
        "0 always plays a book's heaviest move, 100 chooses by the weights.";
    text "PolicyFile" policy_file ("<empty>"):
        "A GGUF file with a root policy; `<empty>` for none."
        => Engine::load_policy;
    check "UsePolicy" use_policy (false):
        "Lets the policy of `PolicyFile` order the moves of the root."
        => Engine::load_policy;
    check "MCTS" mcts (false):
        "An experiment: searches by a tree that grows where the odds are best, and shows how its \
         visits divide among the moves. Plays worse than the usual search."
        => Engine::choose_search;
    text "SyzygyPath" syzygy_path ("<empty>"):
        "Folders with Syzygy tablebases, separated as in PATH."
        => Engine::open_tablebases;
    spin "SyzygyProbeDepth" syzygy_probe_depth (i32 = 1, 1, 100):
        "Least remaining depth at which the largest tablebases are probed."
        -> |settings, options| settings.tb_probe_depth = options.syzygy_probe_depth;
    spin "SyzygyProbeLimit" syzygy_probe_limit (usize = 7, 0, 7):
        "Most men on the board for which tablebases are probed; 0 for none."
        -> |settings, options| settings.tb_probe_limit = options.syzygy_probe_limit;
    check "Syzygy50MoveRule" syzygy_fifty (true):
        "Counts tablebase wins that the fifty-move rule spoils as draws."
        -> |settings, options| settings.tb_fifty_move_rule = options.syzygy_fifty;
}
