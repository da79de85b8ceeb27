//! Commands that programs embed in comments: `[%clk 0:05:00]`, `[%eval -1.25,18]`, `[%emt 0:07]`.

use std::time::Duration;

use crate::Played;

/// What `[%eval …]` says, for White.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Eval {
    /// In pawns.
    Pawns(f64),
    /// Mate in this many moves; negative if Black mates.
    Mate(i32),
}

impl Played {
    /// The text of a command: `0:05:00` of `[%clk 0:05:00]`.
    pub fn command(&self, name: &str) -> Option<&str> {
        commands(&self.comment).find(|command| command.name == name).map(|command| command.value)
    }

    /// What the player's clock showed after the move.
    pub fn clock(&self) -> Option<Duration> {
        duration(self.command("clk")?)
    }

    /// How long the move took, if a command says so.
    pub fn elapsed(&self) -> Option<Duration> {
        duration(self.command("emt")?)
    }

    /// What another program thought of the position after the move.
    pub fn eval(&self) -> Option<Eval> {
        let value = self.command("eval")?.split(',').next()?.trim();
        match value.strip_prefix('#') {
            Some(moves) => moves.parse().ok().map(Eval::Mate),
            None => value.parse().ok().filter(|pawns: &f64| pawns.is_finite()).map(Eval::Pawns),
        }
    }

    /// Takes the commands of this name out of the comment.
    pub fn remove_command(&mut self, name: &str) {
        self.comment = self.without(|command| command.name == name);
    }

    /// The comment without any command: what a person wrote.
    pub fn remark(&self) -> String {
        self.without(|_| true)
    }

    fn without(&self, goes: impl Fn(&Command<'_>) -> bool) -> String {
        let mut text = String::new();
        let mut at = 0;
        for command in commands(&self.comment).filter(goes) {
            text.push_str(&self.comment[at..command.start]);
            at = command.end;
        }
        text.push_str(&self.comment[at..]);
        text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
    }
}

struct Command<'a> {
    name: &'a str,
    value: &'a str,
    start: usize,
    end: usize,
}

fn commands(comment: &str) -> impl Iterator<Item = Command<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + comment[at..].find("[%")?;
        let end = start + comment[start..].find(']')? + 1;
        at = end;
        let body = &comment[start + 2..end - 1];
        let (name, value) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        Some(Command { name, value: value.trim(), start, end })
    })
}

/// `1:02:03`, `2:03.5`, `12`
fn duration(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        let value: f64 = part.trim().parse().ok()?;
        seconds = 60.0 * seconds + value;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;

    fn played(comment: &str) -> Played {
        let mv = Board::default().parse_uci("e2e4").unwrap();
        Played { comment: comment.to_owned(), ..Played::new(mv) }
    }

    #[test]
    fn clocks_and_scores() {
        let said = played("good [%eval -1.25,18] [%clk 1:02:03.5][%emt 0:07] move");
        assert_eq!(said.eval(), Some(Eval::Pawns(-1.25)));
        assert_eq!(said.clock(), Some(Duration::from_millis(3_723_500)));
        assert_eq!(said.elapsed(), Some(Duration::from_secs(7)));
        assert_eq!(said.remark(), "good move");
        assert_eq!(played("[%eval #-3]").eval(), Some(Eval::Mate(-3)));
        for nothing in
            ["", "[%clk", "[%clk]", "[%clk x:y]", "[%clk -1]", "[%eval nan]", "[%clk 1e300]"]
        {
            let said = played(nothing);
            assert_eq!((said.clock(), said.eval()), (None, None), "{nothing}");
        }
    }

    #[test]
    fn a_command_can_be_taken_out() {
        for (comment, left) in [
            ("[%eval 1.0] good [%eval 2,5]", "good"),
            ("[%eval 1.0] [%clk 0:01]", "[%clk 0:01]"),
            ("[%eval", "[%eval"),
            ("", ""),
        ] {
            let mut said = played(comment);
            said.remove_command("eval");
            assert_eq!(said.comment, left);
        }
    }
}
