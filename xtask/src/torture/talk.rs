//! A conversation with a UCI engine that may never answer.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::shell;

/// No answer takes this long; it is no measure of speed.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine, killed at the end.
pub(super) struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
    pub(super) fn start(command: &mut Command) -> Result<Talk, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let output = child.stdout.take().ok_or("the engine has no output")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
            // Nobody may be listening any more.
            lines
                .map(|line| String::from_utf8_lossy(&line).into_owned())
                .try_for_each(|line| sender.send(line))
        });
        Ok(Talk { input: child.stdin.take(), child, lines })
    }

    /// Sends text; a program that could not start does not read it.
    pub(super) fn send(&mut self, text: impl AsRef<[u8]>) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(text.as_ref());
        }
    }

    /// Ends the engine's input.
    pub(super) fn close(&mut self) {
        self.input = None;
    }

    /// Waits for a line that begins with a word, and returns it with those before it.
    pub(super) fn until(&self, word: &str) -> Result<Vec<String>, String> {
        let end = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                return Err(format!("no `{word}`, after {lines:?}"));
            };
            let found = line.starts_with(word);
            lines.push(line);
            if found {
                return Ok(lines);
            }
        }
    }

    /// Waits for the end of the engine, and returns what it has written since.
    pub(super) fn end(mut self) -> Result<(ExitStatus, Vec<String>), String> {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                // The reader ends with the pipe, and the lines with the reader.
                return Ok((status, self.lines.iter().collect()));
            }
            thread::sleep(Duration::from_millis(5));
        }
        Err(format!("did not end within {} s", PATIENCE.as_secs()))
    }

    pub(super) fn signal(&self, name: &str) -> Result<(), String> {
        let process = self.child.id().to_string();
        shell::output_of(&mut shell::program("kill", &[name, &process])).map(drop)
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
