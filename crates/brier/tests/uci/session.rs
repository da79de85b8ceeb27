//! A session holds whatever is said to it: order, nonsense, silence, sudden ends.

use crate::driver::{Engine, full_tests};
use engine::options::TABLE;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn count_best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}

#[test]
fn it_introduces_itself_with_all_options() {
    let mut engine = Engine::spawn();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Brier "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    let listed = TABLE.iter().filter(|row| !row.hidden);
    let options: Vec<_> = listed.map(ToString::to_string).collect();
    assert_eq!(lines[2..lines.len() - 1], options);
}

#[test]
fn it_is_ready_during_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for _ in 0..20 {
        assert_eq!(count_best_moves(&engine.sync()), 0);
    }
    engine.send("stop");
    engine.answer();
}

#[test]
fn it_takes_any_command_during_a_search_and_loses_no_answer() {
    for command in [
        "position startpos moves e2e4",
        "setoption name MultiPV value 2",
        "setoption name Hash value 2",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "setoption name UCI_Chess960 value true",
        "ucinewgame",
        "uci",
        "d",
        "eval",
        "debug on",
        "register later",
        "ponderhit",
        "isready",
        "go depth 1",
        "go perft 1",
        "bench 1",
        "nothing of the kind",
    ] {
        let mut engine = Engine::start();
        engine.send("go infinite");
        engine.send(command);
        engine.send("stop");
        // The answer may come before or after the next one; a further search shows that it came.
        engine.send("position startpos");
        engine.send("go depth 1");
        engine.send("stop");
        engine.close_input();
        let (status, lines) = engine.finish();
        let expected = if command == "go depth 1" { 3 } else { 2 };
        assert_eq!(count_best_moves(&lines), expected, "{command}: {lines:#?}");
        assert!(status.success(), "{command}");
    }
}

#[test]
fn stop_right_after_go_is_answered() {
    let mut engine = Engine::start();
    for go in ["go infinite", "go", "go ponder wtime 1000 btime 1000", "go depth 50", "go mate 9"] {
        for _ in 0..10 {
            engine.send(go);
            engine.send("stop");
            engine.answer();
        }
    }
    engine.send("stop");
    assert!(engine.sync().is_empty());
}

#[test]
fn a_ponder_search_waits_for_the_hit() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    engine.send("go ponder depth 2");
    assert_eq!(count_best_moves(&engine.sync()), 0);
    engine.send("ponderhit");
    engine.answer();
    engine.send("go ponder wtime 100 btime 100");
    engine.send("ponderhit");
    engine.answer();
}

#[test]
fn the_end_of_input_lets_a_limited_search_finish() {
    let mut engine = Engine::start();
    engine.send("go depth 5");
    engine.close_input();
    let (status, lines) = engine.finish();
    assert!(status.success());
    assert!(lines.iter().any(|line| line.starts_with("info depth 5 ")), "{lines:#?}");
    assert_eq!(count_best_moves(&lines), 1);
}

#[test]
fn the_end_of_input_stops_an_endless_search() {
    for (go, then) in [
        ("go infinite", ""),
        ("go infinite", "ponderhit"),
        ("go", ""),
        ("go mate 9", ""),
        ("go ponder wtime 9999999 btime 9999999", ""),
        ("go ponder", "ponderhit"),
    ] {
        let mut engine = Engine::start();
        engine.send(go);
        engine.send(then);
        engine.close_input();
        let (status, lines) = engine.finish();
        assert!(status.success());
        assert_eq!(count_best_moves(&lines), 1, "{go}, {then}");
    }
}

#[test]
fn it_ends_at_once_without_a_search() {
    let mut engine = Engine::spawn();
    engine.close_input();
    let (status, lines) = engine.finish();
    assert!(status.success() && lines.is_empty());
}

#[test]
fn quit_ends_everything() {
    for before in ["", "go infinite", "go perft 30"] {
        let mut engine = Engine::start();
        engine.send(before);
        engine.send("quit");
        assert!(engine.finish().0.success(), "{before}");
    }
}

#[test]
fn it_ends_when_nobody_reads() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    engine.close_output();
    engine.send("go infinite");
    // Its own lines fail to be written; input stays open.
    assert!(engine.finish().0.success());
}

#[test]
fn faults_give_one_line_and_change_nothing() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    engine.send("setoption name UCI_Chess960 value true");
    let before = engine.fen();
    for fault in [
        "position",
        "position startpos e2e4",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 xyz",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e2e4",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "position fen 9/8/8/8/8/8/8/8/8/8 w - - 0 1",
        "setoption",
        "setoption name",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value many",
        "setoption name Hash value -5",
        "setoption name Hash value 99999999999999999999",
        "setoption name Threads value 0",
        "setoption name UCI_Chess960 value maybe",
        "setoption name Contempt value 5",
        "setoption Hash 5",
        "setoption name EvalFile value no/such/file.nnue",
        "setoption name EvalFile value Cargo.toml",
        "setoption name PolicyFile value no/such/file.gguf",
        "setoption name PolicyFile value Cargo.toml",
        "setoption name Risk value 101",
        "debug maybe",
        "bench zero",
    ] {
        engine.send(fault);
        let lines = engine.sync();
        let [line] = lines.as_slice() else { panic!("{fault}: {lines:#?}") };
        let text = line.strip_prefix("info string ").expect("an info string");
        assert!(text.contains("expected"), "{fault}: {text}");
        for word in text.split_whitespace().take(2) {
            assert!(!word.to_lowercase().starts_with("error"), "{fault}: {text}");
        }
        assert_eq!(engine.fen(), before, "{fault}");
    }
}

#[test]
fn a_table_beyond_all_memory_is_refused_and_play_goes_on() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 33554432");
    let lines = engine.sync();
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].starts_with("info string setoption ignored: Hash: "), "{lines:#?}");
    engine.search("position startpos", "go depth 4");
}

#[test]
fn a_faulty_go_is_answered() {
    let mut engine = Engine::start();
    for (go, faults) in [
        ("go depth", 1),
        ("go depth x", 1),
        ("go movetime soon", 1),
        ("go wtime btime 5", 1),
        ("go searchmoves e2e5 depth 2", 1),
        ("go searchmoves depth 2", 0),
        ("go quickly depth 2 please", 0),
        ("go depth 2 depth 1", 0),
        ("go nodes 99999999999999999999 depth 2", 0),
    ] {
        let answer = engine.search("position startpos", go);
        assert_eq!(answer.messages().count(), faults, "{go}: {:?}", answer.texts);
    }
}

#[test]
fn unknown_words_are_skipped() {
    let mut engine = Engine::start();
    engine.send("hello world");
    engine.send("");
    engine.send("   \t  ");
    engine.send("xyzzy position startpos moves e2e4");
    assert!(engine.sync().is_empty());
    assert!(engine.fen().contains(" b KQkq"));
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xff\xfe\x00go\xc3");
    engine.send_bytes(b"position fen \xf0\x28\x8c\x28");
    engine.send_bytes(b"isready\r");
    engine.until("readyok");
    engine.search("position startpos", "go depth 1");
}

/// Random words of the protocol in random order; whatever it means, the engine stays alive.
#[test]
fn random_lines_do_no_harm() {
    const WORDS: [&str; 34] = [
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "e7e8q",
        "0000",
        "go",
        "depth",
        "nodes",
        "1",
        "2",
        "-7",
        "99999999999999999999",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "searchmoves",
        "stop",
        "setoption",
        "name",
        "value",
        "Hash",
        "MultiPV",
        "true",
        "debug",
        "on",
        "ponderhit",
        "ucinewgame",
        "8/8/8/8/8/4k3/4p3/4K3",
        "w",
        "\u{265a}",
    ];
    let mut rng = chess::Rng::new(1);
    let mut engine = Engine::start();
    let rounds = if full_tests() { 20_000 } else { 500 };
    for round in 0..rounds {
        let length = rng.below(9);
        let line: Vec<_> = (0..length).map(|_| WORDS[rng.below(WORDS.len())]).collect();
        engine.send(&line.join(" "));
        engine.send("stop");
        if round % 20 == 0 {
            engine.sync();
        }
    }
    engine.sync();
}

#[test]
#[expect(clippy::print_stderr, reason = "a check that is left out is named")]
fn stopped_and_restarted_many_times_it_neither_leaks_nor_hangs() {
    let mut engine = Engine::start();
    // A small table that is full before the count starts: untouched pages are no leak.
    engine.send("setoption name Hash value 1");
    engine.search("position startpos", "go nodes 300000");
    let rounds = if full_tests() { 10_000 } else { 300 };
    let mut early = None;
    for round in 0..rounds {
        engine.send("go infinite");
        if round % 3 == 0 {
            engine.send("isready");
        }
        engine.send("stop");
        engine.answer_past("readyok");
        if round == rounds / 2 {
            early = engine.memory();
        }
    }
    match early.zip(engine.memory()) {
        Some((early, late)) => {
            assert!(late < early + 4096, "memory grew from {early} kB to {late} kB");
        }
        None => eprintln!("memory not checked: this system does not tell it"),
    }
}

#[test]
fn perft_counts_and_can_be_stopped() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    engine.send("go perft 3");
    let lines = engine.until("Nodes");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 97862"));
    assert!(lines.contains(&"e1g1: 2059".to_owned()), "{lines:#?}");
    engine.send("go perft 30");
    engine.send("stop");
    engine.search("position startpos", "go depth 1");
    // Deeper than any stack.
    engine.send("go perft 100000");
    let refused = "info string expected a perft of at most 60 half-moves, got 100000";
    assert!(engine.sync().contains(&refused.to_owned()));
}

/// Whatever memory there is, threads start or are refused, and there is an answer.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_do_not_fit_are_refused() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let input = "setoption name Threads value 64\nucinewgame\nsetoption name Threads value 1\n\
                 position startpos\ngo depth 1\nquit\n";
    let mut refused = 0;
    for megabytes in (200..2000).step_by(90) {
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -v $1; exec \"$0\"", env!("CARGO_BIN_EXE_brier")])
            .arg((megabytes * 1024).to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("the engine reads");
        let output = child.wait_with_output().expect("an end");
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{megabytes} MB: {}: {errors}", output.status);
        assert!(text.contains("bestmove"), "{megabytes} MB: {text}");
        refused += usize::from(text.contains("expected 64 threads"));
    }
    assert!(refused >= 3, "only {refused} of 20 were refused");
}

#[test]
fn the_own_commands_answer() {
    let mut engine = Engine::start();
    engine.send("help");
    assert!(engine.sync().iter().any(|line| line.contains("bench nn")));
    engine.send("eval");
    assert!(engine.sync().iter().any(|line| line.contains("for White")));
    engine.send("bench 1");
    let last = loop {
        let line = engine.next_line().expect("a last line");
        if line.ends_with(" nps") {
            break line;
        }
    };
    let last: Vec<_> = last.split_whitespace().collect();
    let [nodes, "nodes", nps, "nps"] = last[..] else { panic!("{last:?}") };
    assert!(nodes.parse::<u64>().is_ok_and(|nodes| nodes >= 50) && nps.parse::<u64>().is_ok());
}

#[test]
fn nonsense_is_nonsense_and_stays_out_of_analysis() {
    let mut engine = Engine::start();
    engine.send("setoption name nonsense value true");
    let answer = engine.search("position startpos moves e2e4 e7e5", "go depth 3");
    assert_eq!(answer.best.as_deref(), Some("e1e2"));
    assert_ne!(answer.messages().count(), 0);
    engine.send("setoption name UCI_AnalyseMode value true");
    let answer = engine.search("position startpos moves e2e4 e7e5", "go depth 3");
    assert_eq!(answer.messages().count(), 0);
}
