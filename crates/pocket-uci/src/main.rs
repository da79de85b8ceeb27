//! `brier-pocket-uci`: the pocket engine as a UCI program, so that it can play matches on a desktop
//! with exactly the moves it would play on a calculator with as many nodes.
//!
//! A thread reads the input so that `stop` reaches a running search; everything else happens in
//! [`session`].

mod command;
mod notation;
mod session;

use std::io::{self, BufRead};
use std::sync::mpsc;
use std::thread;

fn main() -> io::Result<()> {
    let (sender, receiver) = mpsc::channel();
    let mut session = session::Session::new(io::stdout(), receiver);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.is_empty() {
        return match command::parse(&arguments.join(" ")) {
            Ok(command) => session.obey(command),
            Err(error) => Err(io::Error::new(io::ErrorKind::InvalidInput, error.to_string())),
        };
    }
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            match command::parse(&line) {
                Ok(command) => {
                    let quit = command == command::Command::Quit;
                    if sender.send(command).is_err() || quit {
                        break;
                    }
                }
                // Whole lines, so that they do not cut into the other thread's.
                Err(error) => {
                    use io::Write;
                    let _ = writeln!(io::stdout(), "info string {error}");
                }
            }
        }
    });
    session.run()
}
