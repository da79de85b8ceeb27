//! A clock that runs by nodes: games by the clock that are the same on every machine, however busy it is.
//!
//! The engine counts nodes as milliseconds (option `nodestime`), and so does this clock. What the engine
//! decides by its clock can be studied so, and a game takes no longer than its nodes.

use std::str::FromStr;

use anyhow::{anyhow, ensure};
use uci::{ClockText, Go};

/// Nodes that count as a millisecond. The engine polls its clock every 512 nodes: with fewer nodes to a
/// millisecond it would notice its limits late.
pub(crate) const NODES_PER_MS: u64 = 100;

/// A time control in nodes: base time for the game and increment for each move.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Control {
    base: u64,
    increment: u64,
}

impl FromStr for Control {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let numbers = text.split_once('+').and_then(|(base, increment)| {
            Some((base.trim().parse().ok()?, increment.trim().parse().ok()?))
        });
        let (base, increment) =
            numbers.ok_or_else(|| anyhow!("expected NODES+NODES, got {text:?}"))?;
        let least = 100 * NODES_PER_MS;
        ensure!(base >= least, "expected at least {least} nodes for a game, got {base}");
        Ok(Self { base, increment })
    }
}

/// One player's clock.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Clock {
    control: Control,
    left: u64,
}

impl Clock {
    /// A clock before the first move.
    pub(crate) fn new(control: Control) -> Self {
        Self { control, left: control.base }
    }

    /// As before the first move.
    pub(crate) fn reset(&mut self) {
        self.left = self.control.base;
    }

    /// The command to think by this clock; both sides get it, since an engine looks at its own.
    pub(crate) fn go(&self) -> Go {
        let milliseconds = |nodes: u64| i64::try_from(nodes / NODES_PER_MS).ok();
        let clock = ClockText {
            time: milliseconds(self.left),
            increment: milliseconds(self.control.increment),
        };
        Go { white: clock, black: clock, ..Go::default() }
    }

    /// A move took this many nodes. Nobody loses by the flag: who has nothing left lives on increments.
    pub(crate) fn press(&mut self, nodes: u64) {
        self.left = self.left.saturating_sub(nodes) + self.control.increment;
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, Control};

    #[test]
    fn controls_are_read() {
        let control: Control = "400000+4000".parse().unwrap();
        assert_eq!(control, Control { base: 400_000, increment: 4000 });
        for text in ["", "400000", "+", "a+b", "5000+0", "-1+3"] {
            let error = text.parse::<Control>().unwrap_err().to_string();
            assert!(error.contains("expected") && error.contains("got"), "{error}");
        }
    }

    #[test]
    fn a_clock_runs_by_nodes() {
        let mut clock = Clock::new("400000+4000".parse().unwrap());
        assert_eq!(clock.go().to_string(), "go wtime 4000 btime 4000 winc 40 binc 40");
        clock.press(104_000);
        assert_eq!(clock.go().white.time, Some(3000));
        clock.press(300_001);
        assert_eq!(clock.go().black.time, Some(40));
    }
}
