//! Every number of the search that is fair game for tuning, each declared once with its bounds.
//!
//! A call site reads `rfp::margin() * depth`: the heuristic's name is the namespace. Without the
//! feature `tune` each getter is a constant; with it a static that UCI options can set.
//! Words: `max_depth`/`min_depth` are gates, `base` is flat, `margin` and `slope` grow with depth,
//! `divisor` divides. Scores are centipawns; reductions are in 1024ths of a ply.

/// One row of the parameter table, for options, documentation and tuners.
#[derive(Debug)]
pub struct Param {
    /// `group_name`.
    pub name: &'static str,
    /// The value it is built with.
    pub default: i32,
    /// Lower bound.
    pub min: i32,
    /// Upper bound.
    pub max: i32,
    /// A sensible step for a tuner.
    pub step: i32,
    /// Reads the current value.
    pub get: fn() -> i32,
    /// Where the value lives while tuning.
    #[cfg(feature = "tune")]
    pub cell: &'static core::sync::atomic::AtomicI32,
}

macro_rules! tunables {
    ($( $(#[$group_doc:meta])* mod $group:ident {
        $( $(#[$doc:meta])* $name:ident = $default:expr, $min:expr => $max:expr, $step:expr; )*
    } )*) => {
        $( $(#[$group_doc])* pub(crate) mod $group { $(
            const _: () = assert!(
                $min <= $default && $default <= $max && $step < $max - $min,
                concat!(stringify!($group), "_", stringify!($name), " is out of its bounds")
            );
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 { $default }
            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                self::cells::$name.load(core::sync::atomic::Ordering::Relaxed)
            }
        )*
            #[cfg(feature = "tune")]
            #[expect(non_upper_case_globals, reason = "named like their getters")]
            pub(super) mod cells { $(
                pub(in super::super) static $name: core::sync::atomic::AtomicI32 =
                    core::sync::atomic::AtomicI32::new($default);
            )* }
        } )*

        /// All parameters, in the order of their declaration.
        pub static PARAMS: &[Param] = &[ $( $( Param {
            name: concat!(stringify!($group), "_", stringify!($name)),
            default: $default,
            min: $min,
            max: $max,
            step: $step,
            get: || $group::$name(),
            #[cfg(feature = "tune")]
            cell: &$group::cells::$name,
        }, )* )* ];
    };
}

tunables! {
    /// Aspiration windows around the last iteration's score.
    mod aspiration {
        /// Half the first window.
        base = 14, 4 => 50, 2;
        /// Thousandths by which the window grows after each failure.
        growth = 541, 100 => 2000, 50;
        /// From this depth on.
        min_depth = 4, 2 => 8, 1;
        /// Wider by a centipawn for this much of the expected score ...
        score_divisor = 100, 30 => 400, 10;
        /// ... up to this score.
        score_max = 2000, 500 => 4000, 100;
        /// A window that has become wider than this is opened.
        widest = 1000, 200 => 3000, 50;
        /// Most plies that repeated fails high take off the depth.
        reduction_max = 3, 0 => 6, 1;
    }
    /// Razoring: far below alpha a quiescence search decides.
    mod razoring {
        /// Deepest depth at which it applies.
        max_depth = 4, 1 => 8, 1;
        /// Flat part of the margin.
        base = 213, 50 => 600, 20;
        /// Centipawns per depth squared.
        slope = 90, 20 => 300, 10;
    }
    /// Reverse futility pruning: stop when the static eval clears beta by a margin.
    mod rfp {
        /// Deepest depth at which it applies.
        max_depth = 9, 4 => 14, 1;
        /// Centipawns per ply.
        margin = 65, 30 => 150, 5;
        /// Taken off when our position is improving.
        improving = 49, 0 => 150, 5;
        /// Taken off when the opponent's last move made the position worse for him.
        worsening = 24, 0 => 100, 5;
        /// Percent of the evaluation in the score that is returned, the rest of beta.
        blend = 58, 0 => 100, 5;
    }
    /// Null-move pruning.
    mod nmp {
        /// Shallowest depth.
        min_depth = 3, 1 => 6, 1;
        /// Flat reduction in plies.
        base = 5, 2 => 6, 1;
        /// Plies of depth per ply of reduction.
        divisor = 4, 2 => 8, 1;
        /// Centipawns above beta per ply of reduction.
        eval_divisor = 202, 80 => 400, 20;
        /// The evaluation must be above beta by this much ...
        eval_base = 130, 0 => 300, 10;
        /// ... less this much per ply of depth.
        eval_slope = 17, 0 => 60, 2;
        /// Most plies of reduction for an evaluation above beta.
        eval_max = 3, 1 => 8, 1;
        /// From this depth on a cutoff is verified by a search without null moves.
        verify_depth = 14, 8 => 20, 1;
        /// For this percentage of the remaining depth.
        verify_share = 75, 0 => 100, 5;
    }
    /// ProbCut: a good capture that beats beta by a margin at low depth beats beta.
    mod probcut {
        /// Shallowest depth.
        min_depth = 6, 4 => 8, 1;
        /// Margin above beta.
        margin = 183, 80 => 400, 10;
        /// Taken off when improving.
        improving = 56, 0 => 120, 10;
        /// Plies taken off the depth.
        reduction = 4, 2 => 6, 1;
    }
    /// Singular extensions: is the table's move the only good one?
    mod singular {
        /// Shallowest depth.
        min_depth = 6, 4 => 10, 1;
        /// Sixteenths of a centipawn per ply below the table's score.
        margin = 17, 6 => 48, 2;
        /// Below the singular window by this much: extend twice.
        double_margin = 22, 0 => 60, 3;
        /// Below it by this much: extend three times.
        triple_margin = 102, 40 => 250, 10;
        /// The table's entry may be this many plies less deep.
        table_depth = 3, 0 => 6, 1;
        /// Depth of the test, in percent of the node's.
        depth_share = 40, 30 => 70, 5;
        /// Plies taken off if the table's score is at least beta and the move is not singular.
        fail_high = 2, 0 => 4, 1;
        /// Plies taken off if the node is expected to be cut and the move is not singular.
        cut = 2, 0 => 3, 1;
    }
    /// All extensions.
    mod extension {
        /// None beyond this percentage of the iteration's depth, so that lines come to an end.
        ply_limit = 200, 100 => 400, 20;
    }
    /// Internal iterative reduction: a node without a table move is searched less deep.
    mod iir {
        /// Shallowest depth.
        min_depth = 3, 2 => 8, 1;
    }
    /// Cutoffs by the table's score.
    mod table_cutoff {
        /// Not from this half-move clock on.
        max_halfmoves = 90, 60 => 100, 5;
    }
    /// What the table keeps when a cluster is full.
    mod table {
        /// Plies of depth that one search of age costs an entry.
        age = 4, 1 => 16, 1;
        /// A new entry of the same position may be this many plies less deep.
        keep = 3, 0 => 8, 1;
        /// The same, more on a main line.
        keep_pv = 2, 0 => 8, 1;
    }
    /// Endgame tablebases.
    mod tablebase {
        /// How much deeper than the node an answer counts in the hash table.
        depth_bonus = 6, 0 => 12, 1;
    }
    /// The static evaluation.
    mod static_eval {
        /// Beyond this it is neither corrected nor doubted.
        sure = 9000, 2000 => 20000, 500;
        /// It fades by this part for each half-move towards the fifty-move rule.
        fifty_divisor = 265, 120 => 400, 10;
    }
    /// Check extensions, in analysis and when a mate is asked for.
    mod check {
        /// Shallowest depth.
        min_depth = 2, 1 => 30, 1;
    }
    /// Late-move pruning: enough quiet moves have been tried.
    mod lmp {
        /// Moves at depth 0.
        base = 6, 1 => 8, 1;
        /// Hundredths of a move per depth squared; half of both if the position is not improving.
        slope = 134, 40 => 250, 10;
    }
    /// The depth by which pruning of single moves judges: less the reduction of a late move.
    mod reduced_depth {
        /// History per ply.
        history_divisor = 8142, 3000 => 16000, 300;
    }
    /// Futility pruning of quiet moves.
    mod futility {
        /// Deepest reduced depth.
        max_depth = 7, 4 => 12, 1;
        /// Flat part of the margin.
        base = 88, 20 => 300, 10;
        /// Added while no move has raised alpha.
        hopeful = 57, 0 => 200, 10;
        /// Centipawns per ply.
        margin = 84, 40 => 180, 5;
        /// History per centipawn of margin.
        history_divisor = 122, 24 => 400, 10;
    }
    /// Futility pruning of captures.
    mod capture_futility {
        /// Deepest reduced depth.
        max_depth = 7, 4 => 12, 1;
        /// Flat part of the margin.
        base = 279, 80 => 500, 15;
        /// Centipawns per ply.
        margin = 147, 80 => 400, 10;
        /// Capture history per centipawn of margin.
        history_divisor = 33, 8 => 120, 4;
    }
    /// Pruning of quiet moves with a bad history.
    mod history_pruning {
        /// Deepest reduced depth.
        max_depth = 5, 2 => 8, 1;
        /// History per ply.
        margin = 4605, 1500 => 7000, 200;
    }
    /// Pruning of moves that lose material.
    mod see_pruning {
        /// Centipawns per reduced depth squared, quiet moves.
        quiet = 26, 8 => 60, 2;
        /// Centipawns per ply, captures.
        noisy = 94, 40 => 200, 5;
        /// Capture history per centipawn.
        history_divisor = 46, 16 => 120, 4;
    }
    /// Late-move reductions, in 1024ths of a ply.
    mod lmr {
        /// Shallowest depth.
        min_depth = 2, 1 => 5, 1;
        /// Flat part, quiet moves.
        quiet_base = 727, 300 => 1500, 40;
        /// Divides ln(depth) * ln(moves), in hundredths, quiet moves.
        quiet_divisor = 250, 150 => 400, 8;
        /// Flat part, captures.
        noisy_base = 125, -300 => 900, 40;
        /// Divides ln(depth) * ln(moves), in hundredths, captures.
        noisy_divisor = 364, 200 => 500, 10;
        /// Less in nodes that are or were on a main line.
        tt_pv = 1018, 0 => 2500, 60;
        /// Still less if the node is on the main line now.
        pv = 405, 0 => 1500, 50;
        /// More in nodes expected to be cut.
        cut_node = 1463, 0 => 3000, 80;
        /// Still more if such a node has no table move.
        no_tt_move = 595, 0 => 1500, 50;
        /// More when the position is not improving.
        not_improving = 787, 0 => 1800, 50;
        /// More when the table's move is a capture.
        tt_noisy = 776, 0 => 1800, 50;
        /// Less when the move gives check.
        gives_check = 750, 0 => 2000, 50;
        /// Less for evasions of a check.
        evasion = 600, 0 => 2000, 50;
        /// More when the node below has been cut often.
        many_cutoffs = 899, 0 => 2000, 50;
        /// Often is more than this.
        cutoffs = 3, 0 => 8, 1;
        /// History per ply.
        history_divisor = 10517, 4000 => 16000, 300;
        /// Capture history per ply.
        noisy_history_divisor = 6731, 3000 => 16000, 300;
        /// Score above the best for a deeper re-search.
        deeper = 38, 10 => 120, 5;
    }
    /// How cutoffs change the histories, and how the histories are read.
    mod history {
        /// Bonus per ply.
        bonus_slope = 205, 60 => 300, 10;
        /// Taken off the bonus.
        bonus_base = 53, 0 => 200, 10;
        /// Largest bonus.
        bonus_max = 2201, 800 => 3000, 100;
        /// Malus per ply.
        malus_slope = 152, 60 => 400, 10;
        /// Taken off the malus.
        malus_base = 42, 0 => 200, 10;
        /// Largest malus.
        malus_max = 1918, 600 => 3000, 100;
        /// Taken off the malus of quiet moves for each of them that failed, down to a quarter.
        malus_crowd = 27, 0 => 100, 5;
        /// Bonus of a reduced move that raised alpha in its full search and did not cut, in percent.
        research = 72, 0 => 200, 10;
        /// Fail-low bonus of the opponent's last move, in percent of the bonus.
        fail_low = 75, 0 => 200, 10;
        /// The same for its plain history.
        fail_low_plain = 61, 0 => 200, 10;
        /// Bonus of the opponent's last move for each centipawn by which it changed the evaluation ...
        swing = 9, 0 => 40, 2;
        /// ... up to this many.
        swing_max = 85, 20 => 300, 10;
        /// Weight of the continuation history four plies back, in 128ths.
        four_plies = 58, 0 => 256, 8;
    }
    /// Corrections of the static evaluation, weights in 1024ths.
    mod correction {
        /// By pawns.
        pawn = 904, 0 => 2400, 60;
        /// By the other pieces, each color.
        non_pawn = 816, 0 => 2400, 60;
        /// By knights, bishops and kings.
        minor = 698, 0 => 2400, 60;
        /// By the last two moves.
        continuation = 941, 0 => 2400, 60;
        /// Units of an entry per centipawn.
        grain = 19, 4 => 40, 1;
        /// An entry moves by the error times the depth over this.
        depth_divisor = 8, 2 => 24, 1;
        /// The most an entry moves at once, of 1024.
        bonus_max = 182, 64 => 512, 16;
    }
    /// How the doubt of the evaluation moves the margins; weights in percent, 0 for not at all.
    mod doubt {
        /// A usual distance between the median and q10 or q90.
        usual = 272, 50 => 500, 20;
        /// A gap counts as at most this much less than usual, in 1024ths ...
        least = 768, 256 => 1024, 32;
        /// ... and as at most this much more.
        most = 1536, 512 => 4096, 64;
        /// Reverse futility, by the lower gap.
        rfp = 66, 0 => 150, 10;
        /// Razoring, by the upper gap.
        razoring = 22, 0 => 150, 10;
        /// Futility of quiet moves, by the upper gap.
        futility = 44, 0 => 150, 10;
        /// Futility of captures, by the upper gap.
        capture_futility = 40, 0 => 150, 10;
        /// Delta pruning in quiescence, by the upper gap.
        quiescence = 25, 0 => 150, 10;
        /// ProbCut, by the lower gap.
        probcut = 39, 0 => 150, 10;
        /// Null move: centipawns asked above beta, by the lower gap.
        nmp = 35, 0 => 120, 10;
        /// Null move: centipawns above beta per ply of reduction, by the lower gap.
        nmp_reduction = 28, 0 => 120, 10;
        /// Less late-move reduction, in 1024ths of a ply, by both gaps.
        lmr = 208, 0 => 1024, 50;
        /// Singular margin, by both gaps.
        singular = 26, 0 => 150, 10;
        /// Aspiration window, by both gaps.
        aspiration = 16, 0 => 150, 10;
        /// Thinking time, by both gaps.
        clock = 15, 0 => 60, 5;
    }
    /// What analysis does otherwise than play: it looks harder for attacks on kings.
    mod analysis {
        /// Divides ln(depth) * ln(moves), in hundredths, quiet moves, in place of that of play.
        quiet_divisor = 350, 150 => 400, 8;
        /// Reverse futility: centipawns for each attacked square around the king.
        king = 100, 0 => 200, 5;
        /// Attacked squares that do not count.
        king_free = 1, 0 => 4, 1;
    }
    /// The mate hunter; shares of a thread's nodes are in hundredths.
    mod hunt {
        /// In analysis.
        analysis = 5, 0 => 100, 1;
        /// When a mate is asked for.
        mate = 50, 0 => 100, 5;
        /// Replies that a quiet threat is expected to leave, for the order of the search.
        parries = 4, 1 => 16, 1;
    }
    /// The root policy.
    mod policy {
        /// History that one unit of log-odds is worth.
        weight = 2500, 0 => 10000, 250;
    }
    /// Levels that choose among people's moves. A move that loses this many centipawns by a small search is
    /// taken e times less often than people's games say, at a rating of ...
    mod guard {
        /// ... 800,
        at_800 = 900, 20 => 10000, 50;
        /// ... 1200,
        at_1200 = 265, 10 => 1500, 20;
        /// ... 1600,
        at_1600 = 145, 4 => 400, 5;
        /// ... 2200.
        at_2200 = 7, 1 => 100, 1;
        /// Nodes of that search, in percent of those that a level without people's moves has.
        nodes = 100, 20 => 2000, 20;
    }
    /// The order of moves.
    mod order {
        /// Captures: units of history per centipawn captured.
        victim = 16, 4 => 64, 1;
        /// Captures: score per centipawn that an early capture may lose.
        see_divisor = 53, 16 => 160, 4;
        /// A quiet check may lose this much and still come early.
        check_see = -75, -200 => 0, 10;
        /// For a knight or bishop that leaves a pawn's attack, in units of history.
        escape_minor = 10637, 0 => 24000, 500;
        /// For a rook that leaves a minor piece's attack.
        escape_rook = 9777, 0 => 30000, 500;
        /// For a queen that leaves a rook's attack.
        escape_queen = 16581, 0 => 40000, 1000;
        /// What a check is worth, in units of history.
        check = 11803, 0 => 32000, 1000;
    }
    /// Quiescence.
    mod quiescence {
        /// A capture must come this close to alpha.
        futility = 123, 40 => 300, 10;
        /// Captures must not lose more than this.
        see = -21, -120 => 40, 10;
        /// Quiet checks with less history than this are not tried.
        check_history = 0, -4000 => 4000, 500;
        /// Quiet checks must win at least this much.
        check_see = 0, -120 => 40, 10;
        /// Percent of the score in what standing pat returns, the rest of beta.
        stand_pat_blend = 57, 0 => 100, 5;
        /// The same for a capture that fails high.
        fail_high_blend = 65, 0 => 100, 5;
    }
    /// The clock, in thousandths.
    mod clock {
        /// Share of the remaining time for a move, without a move count.
        share = 48, 20 => 90, 3;
        /// Share of the increment.
        increment = 800, 400 => 1000, 25;
        /// The hard bound as a multiple of the soft one.
        hard = 4500, 2000 => 8000, 250;
        /// Most of the remaining time a move may take.
        most = 600, 300 => 850, 25;
        /// Kept back for what a busy machine may take at any moment, in milliseconds.
        reserve = 150, 0 => 400, 10;
        /// But not more than this multiple of the increment.
        reserve_increments = 4000, 1000 => 10000, 500;
        /// Share of the time up to the control, with a move count.
        moves_to_go = 900, 600 => 1000, 20;
        /// The phase of the game: how much less the latest moves get.
        phase = 250, 0 => 600, 25;
        /// At this half-move the phase would take everything off.
        phase_plies = 400, 150 => 800, 20;
    }
    /// How the soft bound stretches with what the search finds, factors in thousandths.
    mod stretch {
        /// For a best move that has just changed ...
        stability = 1350, 1000 => 2000, 30;
        /// ... less this for each iteration it has stayed the same ...
        stability_slope = 70, 0 => 150, 5;
        /// ... up to this many.
        stability_max = 9, 4 => 16, 1;
        /// More for each centipawn the score fell ...
        falling = 8, 0 => 30, 1;
        /// ... at least this ...
        falling_least = 750, 500 => 1000, 20;
        /// ... and at most this.
        falling_most = 1600, 1000 => 2500, 50;
        /// More for each recent change of the best move ...
        changes = 300, 0 => 800, 20;
        /// ... up to this many.
        changes_max = 3, 1 => 6, 1;
        /// How much of a change is left after an iteration.
        changes_decay = 800, 500 => 950, 20;
        /// For a best move that took no nodes ...
        nodes = 1750, 1200 => 2500, 40;
        /// ... less this for one that took all of them ...
        nodes_slope = 1050, 300 => 2000, 40;
        /// ... at least this ...
        nodes_least = 600, 300 => 1000, 20;
        /// ... and at most this.
        nodes_most = 1800, 1200 => 2500, 40;
        /// The least factor for a narrow evaluation.
        doubt_least = 800, 500 => 1000, 20;
        /// The largest factor for a wide one.
        doubt_most = 1300, 1000 => 2000, 20;
    }
    /// The vote of the threads.
    mod vote {
        /// Centipawns added to each thread's score above the worst.
        base = 14, 0 => 60, 2;
    }
}
