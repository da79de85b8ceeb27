//! The rows: what each option is called, its type and bounds, and what it does.

use search::ELO_RANGE;

use super::{Kind, OptionId, Row};

/// All options, in the order of the listing.
pub const TABLE: &[Row] = &[
    Row {
        id: OptionId::Hash,
        name: "Hash",
        kind: Kind::Spin { default: 16, min: 1, max: 1 << 25, field: |o| &mut o.hash },
        about: "Size of the table of known positions in MB. If the memory cannot be had, the table before it stays.",
        hidden: false,
    },
    Row {
        id: OptionId::ClearHash,
        name: "Clear Hash",
        kind: Kind::Button,
        about: "Forgets everything learnt in earlier searches.",
        hidden: false,
    },
    Row {
        id: OptionId::Threads,
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: 1024, field: |o| &mut o.threads },
        about: "Threads that search together. One thread always gives the same result.",
        hidden: false,
    },
    Row {
        id: OptionId::MultiPv,
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: 500, field: |o| &mut o.multi_pv },
        about: "How many best lines to show. More than one costs strength.",
        hidden: false,
    },
    Row {
        id: OptionId::Ponder,
        name: "Ponder",
        kind: Kind::Check { default: false, field: |o| &mut o.ponder },
        about: "Tells the engine that it may be asked to think on the opponent's time.",
        hidden: false,
    },
    Row {
        id: OptionId::MoveOverhead,
        name: "Move Overhead",
        kind: Kind::Spin { default: 10, min: 0, max: 5000, field: |o| &mut o.move_overhead },
        about: "Milliseconds lost for each move between engine and clock, by a network or a slow GUI.",
        hidden: false,
    },
    Row {
        id: OptionId::Chess960,
        name: "UCI_Chess960",
        kind: Kind::Check { default: false, field: |o| &mut o.chess960 },
        about: "Writes castling as king takes rook. Both forms are always understood.",
        hidden: false,
    },
    Row {
        id: OptionId::ShowWdl,
        name: "UCI_ShowWDL",
        kind: Kind::Check { default: false, field: |o| &mut o.show_wdl },
        about: "Adds the chances of win, draw and loss, in thousandths, to each score.",
        hidden: false,
    },
    Row {
        id: OptionId::AnalyseMode,
        name: "UCI_AnalyseMode",
        kind: Kind::Check { default: false, field: |o| &mut o.analyse },
        about: "For analysis: always at full strength and in earnest; hunts forced mates beside the search \
                and looks harder for attacks on kings. Finds more sacrifices, plays games worse.",
        hidden: false,
    },
    Row {
        id: OptionId::LimitStrength,
        name: "UCI_LimitStrength",
        kind: Kind::Check { default: false, field: |o| &mut o.limit_strength },
        about: "Plays weaker, as `UCI_Elo` says.",
        hidden: false,
    },
    Row {
        id: OptionId::Elo,
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: 1500,
            min: *ELO_RANGE.start() as i64,
            max: *ELO_RANGE.end() as i64,
            field: |o| &mut o.elo,
        },
        about: "The rating to play at when `UCI_LimitStrength` is on; up to 2300 about that of Stockfish \
                15.1 with the same number.",
        hidden: false,
    },
    Row {
        id: OptionId::NodesTime,
        name: "nodestime",
        kind: Kind::Spin { default: 0, min: 0, max: 10_000, field: |o| &mut o.nodes_time },
        about: "For tests: counts this many nodes as a millisecond, so that games by the clock can be repeated. 0 is real time.",
        hidden: false,
    },
    Row {
        id: OptionId::Nonsense,
        name: "nonsense",
        kind: Kind::Check { default: false, field: |o| &mut o.nonsense },
        about: "A joke: the king goes for a walk, pawns become knights and bishops, and the engine babbles.",
        hidden: false,
    },
    Row {
        id: OptionId::EvalFile,
        name: "EvalFile",
        kind: Kind::Text { default: "<default>", field: |o| &mut o.eval_file },
        about: "The network: a file's path, `<default>` for the one in the program, `<classical>` for hand-written terms.",
        hidden: false,
    },
    Row {
        id: OptionId::Risk,
        name: "Risk",
        kind: Kind::Spin { default: 0, min: -100, max: 100, field: |o| &mut o.risk },
        about: "Below 0 prefers safe moves (at -100 it plays by the q10 of its judgement), above 0 \
                complications (at 100 by the q90). 0 plays for strength.",
        hidden: false,
    },
    Row {
        id: OptionId::UseWidth,
        name: "UseWidth",
        kind: Kind::Check { default: true, field: |o| &mut o.use_width },
        about: "For tests: lets the width of the evaluation set the margins of the search.",
        hidden: true,
    },
    Row {
        id: OptionId::OwnBook,
        name: "OwnBook",
        kind: Kind::Check { default: false, field: |o| &mut o.own_book },
        about: "Plays openings from its books, never in analysis.",
        hidden: false,
    },
    Row {
        id: OptionId::BookFile,
        name: "BookFile",
        kind: Kind::Text { default: "<default>", field: |o| &mut o.book_file },
        about: "Polyglot books, the most important first, separated as in PATH; `<default>` is the one in the program.",
        hidden: false,
    },
    Row {
        id: OptionId::BookDepth,
        name: "BookDepth",
        kind: Kind::Spin { default: 30, min: 0, max: 200, field: |o| &mut o.book_depth },
        about: "Half-moves of a game in which books are asked.",
        hidden: false,
    },
    Row {
        id: OptionId::BookVariety,
        name: "BookVariety",
        kind: Kind::Spin { default: 100, min: 0, max: 100, field: |o| &mut o.book_variety },
        about: "0 always plays a book's heaviest move, 100 chooses by the weights.",
        hidden: false,
    },
    Row {
        id: OptionId::PolicyFile,
        name: "PolicyFile",
        kind: Kind::Text { default: "<empty>", field: |o| &mut o.policy_file },
        about: "A GGUF file with a root policy; `<empty>` for none.",
        hidden: false,
    },
    Row {
        id: OptionId::UsePolicy,
        name: "UsePolicy",
        kind: Kind::Check { default: false, field: |o| &mut o.use_policy },
        about: "Lets the policy of `PolicyFile` order the moves of the root.",
        hidden: false,
    },
    Row {
        id: OptionId::SyzygyPath,
        name: "SyzygyPath",
        kind: Kind::Text { default: "<empty>", field: |o| &mut o.syzygy_path },
        about: "Folders with Syzygy tables, separated as in PATH.",
        hidden: false,
    },
    Row {
        id: OptionId::SyzygyProbeDepth,
        name: "SyzygyProbeDepth",
        kind: Kind::Spin { default: 1, min: 1, max: 100, field: |o| &mut o.syzygy_probe_depth },
        about: "Least remaining depth at which the largest tables are asked.",
        hidden: false,
    },
    Row {
        id: OptionId::SyzygyProbeLimit,
        name: "SyzygyProbeLimit",
        kind: Kind::Spin { default: 7, min: 0, max: 7, field: |o| &mut o.syzygy_probe_limit },
        about: "Most men on the board for which tables are asked; 0 never asks.",
        hidden: false,
    },
    Row {
        id: OptionId::Syzygy50MoveRule,
        name: "Syzygy50MoveRule",
        kind: Kind::Check { default: true, field: |o| &mut o.syzygy_fifty },
        about: "Counts table wins that the fifty-move rule spoils as draws.",
        hidden: false,
    },
];
