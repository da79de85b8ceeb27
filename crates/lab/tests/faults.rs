//! Kills and full disks: nothing old is lost, and a run that goes on ends like one without a break.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// A folder of its own for each test, empty.
fn fresh_folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn lab(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brier-lab"));
    command.args(arguments.split(' ')).current_dir(folder);
    command
}

fn lab_ok(folder: &Path, arguments: &str) {
    let output = lab(folder, arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
}

/// A run on a disk with room for files of this many kilobytes.
fn on_full_disk(folder: &Path, kilobytes: u32, arguments: &str) -> Output {
    // Without the trap the system ends the program instead of failing its write.
    let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$0\" {arguments}");
    let mut command = Command::new("bash");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_brier-lab")]);
    command.current_dir(folder).output().unwrap()
}

/// It failed, by itself, and said which file it could not write.
fn check_refusal(output: &Output, file: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("cannot") && errors.contains(file), "{errors}");
    assert!(!errors.contains("panicked"), "{errors}");
}

/// Starts a command several times, kills it a little later each time, and lets it end at last.
fn kill_and_resume(folder: &Path, arguments: &str, check: impl Fn()) {
    for pause in [1, 15, 40, 80, 150, 250] {
        let mut command = lab(folder, arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(pause));
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().unwrap();
        check();
    }
    lab_ok(folder, arguments);
}

const GAMES: &str = "--nodes 40-80 --eval-file <classical> --hash 1 --threads 1";
const POSITIONS: &str = "\
    r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n\
    rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5\n\
    8/5pk1/6p1/3R4/8/6P1/r4PK1/8 w - - 0 40\n\
    r2q1rk1/ppp2ppp/2n1bn2/3pp3/8/2PP1NP1/PP2PPBP/R1BQ1RK1 b - - 0 8\n";

#[test]
fn killed_runs_end_like_those_without_a_break() {
    let folder = fresh_folder("kills");
    let read = |name: &str| fs::read(folder.join(name)).unwrap();

    lab_ok(&folder, &format!("datagen -o whole.vf --games 30 {GAMES}"));
    kill_and_resume(&folder, &format!("datagen -o killed.vf --games 30 {GAMES}"), || ());
    assert_eq!(read("killed.vf"), read("whole.vf"));

    lab_ok(&folder, "shuffle whole.vf -o whole.pos --memory 1");
    fs::write(folder.join("killed.pos"), "the old file").unwrap();
    kill_and_resume(&folder, "shuffle whole.vf -o killed.pos --memory 1", || {
        let found = read("killed.pos");
        assert!(found == b"the old file" || found == read("whole.pos"), "neither old nor new");
    });
    assert_eq!(read("killed.pos"), read("whole.pos"));

    fs::write(folder.join("positions.fen"), POSITIONS).unwrap();
    let collect = "forecast collect positions.fen --budgets 30,60 --hash 1 --threads 1 --out";
    lab_ok(&folder, &format!("{collect} whole.txt"));
    kill_and_resume(&folder, &format!("{collect} killed.txt"), || ());
    assert_eq!(read("killed.txt"), read("whole.txt"));

    let train = "train whole.pos --positions 4000 --batch 200 --width 64 --warm-up 2 --plain --out";
    lab_ok(&folder, &format!("{train} whole"));
    kill_and_resume(&folder, &format!("{train} killed"), || ());
    for name in ["checkpoint", "log.csv"] {
        assert_eq!(read(&format!("killed/{name}")), read(&format!("whole/{name}")), "{name}");
    }
}

/// A kill or a full disk in the middle of a line.
#[test]
fn a_line_that_was_cut_off_is_made_again() {
    let folder = fresh_folder("cut-line");
    fs::write(folder.join("positions.fen"), POSITIONS).unwrap();
    let collect =
        "forecast collect positions.fen --budgets 30,60 --hash 1 --threads 1 --out samples.txt";
    lab_ok(&folder, collect);
    let path = folder.join("samples.txt");
    let whole = fs::read(&path).unwrap();
    for part in [1, 3, 5, 7, 9] {
        fs::write(&path, &whole[..whole.len() * part / 10]).unwrap();
        lab_ok(&folder, collect);
        assert!(fs::read(&path).unwrap() == whole, "cut after {part} tenths");
    }
}

#[test]
fn a_full_disk_is_reported_and_nothing_is_lost() {
    let folder = fresh_folder("full-disk");
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    lab_ok(&folder, &format!("datagen -o games.vf --games 30 {GAMES}"));
    let games = read("games.vf");

    // Games: those that were written stay, and the run goes on when there is room.
    let datagen =
        format!("datagen -o full.vf --games 30 {}", GAMES.replace("<classical>", "'<classical>'"));
    check_refusal(&on_full_disk(&folder, 2, &datagen), "full.vf");
    assert!(games.starts_with(&read("full.vf")));
    lab_ok(&folder, &format!("datagen -o full.vf --games 30 {GAMES}"));
    assert_eq!(read("full.vf"), games);

    // Records: the old file stays.
    fs::write(folder.join("records.pos"), "the old file").unwrap();
    for kilobytes in [0, 1, 8, 20] {
        check_refusal(
            &on_full_disk(&folder, kilobytes, "shuffle games.vf -o records.pos"),
            "records.pos",
        );
        assert_eq!(read("records.pos"), b"the old file");
    }

    // Samples: whole lines stay.
    fs::write(folder.join("positions.fen"), POSITIONS).unwrap();
    let collect = "forecast collect positions.fen --budgets 30,60 --hash 1 --threads 1 --out";
    lab_ok(&folder, &format!("{collect} whole.txt"));
    check_refusal(&on_full_disk(&folder, 1, &format!("{collect} samples.txt")), "samples.txt");
    lab_ok(&folder, &format!("{collect} samples.txt"));
    assert_eq!(read("samples.txt"), read("whole.txt"));

    // A trainer's checkpoint: the old one stays, and the run goes on from it.
    lab_ok(&folder, "shuffle games.vf -o records.pos");
    let train = "train records.pos --positions 4000 --batch 200 --width 64 --plain --out run";
    fs::create_dir(folder.join("run")).unwrap();
    check_refusal(&on_full_disk(&folder, 8, train), "checkpoint");
    assert!(!folder.join("run/checkpoint").exists());
    lab_ok(&folder, train);
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = fresh_folder("same-file");
    lab_ok(&folder, &format!("datagen -o games.vf --games 1 {GAMES}"));
    let games = fs::read(folder.join("games.vf")).unwrap();
    std::os::unix::fs::symlink("games.vf", folder.join("link.vf")).unwrap();
    for output in ["games.vf", "link.vf"] {
        let output = lab(&folder, &format!("shuffle games.vf -o {output}")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains("not an input"), "{errors}");
        assert_eq!(fs::read(folder.join("games.vf")).unwrap(), games);
    }
}
