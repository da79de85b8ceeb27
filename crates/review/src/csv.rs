//! Reviews as tables for spreadsheets: a row for each move, or for each line of a position.

use std::fmt::Display;

use pgn::Game;

use crate::record::{LineRecord, MoveRecord, PositionRecord, VerdictRecord};
use crate::review::Review;

/// The columns of [`game`].
pub const GAME_HEADER: &str = "game,white,black,result,eco,ply,number,side,san,uci,book,phase,mark,\
    loss,cp,mate,q10,q25,q50,q75,q90,points,clock,seconds,best_uci,best_san,best_cp,best_mate,\
    best_points,confidence,depth,nodes,found,rating\n";

/// The columns of [`position`].
pub const POSITION_HEADER: &str = "line,fen,rank,uci,san,cp,mate,q10,q25,q50,q75,q90,points,\
    confidence,depth,nodes\n";

/// A row for each move of a game.
pub fn game(review: &Review) -> String {
    let Game { number, result, .. } = &review.game;
    let name = |tag: &str| review.game.tag(tag).unwrap_or_default().to_owned();
    let (white, black) = (name("White"), name("Black"));
    let eco = review.known.opening.map_or("", |opening| opening.eco);
    let mut text = String::new();
    for place in review.steps.iter().enumerate() {
        let record = MoveRecord::new(place);
        let mut row = Row::default();
        row.add(number).add(&white).add(&black).add(result).add(eco);
        row.add(record.ply).add(record.number).add(record.side).add(&record.san).add(&record.uci);
        row.add(u8::from(record.book)).add(record.phase.word()).add(record.mark).add(record.loss);
        row.verdict(&record.verdict).option(record.clock).option(record.seconds);
        let best = &record.best;
        row.add(best.uci.join(" ")).add(best.san.join(" ")).option(best.verdict.cp);
        row.option(best.verdict.mate).add(best.verdict.points).effort(best);
        row.option(record.found).option(record.rating);
        text.push_str(&row.finish());
    }
    text
}

/// A row for each line of a position that was on this line of a file.
pub fn position(line: usize, fen: &str, record: &PositionRecord) -> String {
    let mut text = String::new();
    for (index, found) in record.lines.iter().enumerate() {
        let mut row = Row::default();
        row.add(line).add(fen).add(index + 1).add(found.uci.join(" ")).add(found.san.join(" "));
        row.verdict(&found.verdict).effort(found);
        text.push_str(&row.finish());
    }
    text
}

#[derive(Default)]
struct Row(Vec<String>);

impl Row {
    /// A value; in quotation marks where it needs them.
    fn add(&mut self, value: impl Display) -> &mut Self {
        let text = value.to_string();
        let is_plain = !text.contains([',', '"', '\n', '\r']);
        self.0.push(if is_plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) });
        self
    }

    fn option(&mut self, value: Option<impl Display>) -> &mut Self {
        match value {
            Some(value) => self.add(value),
            None => self.add(""),
        }
    }

    fn verdict(&mut self, verdict: &VerdictRecord) -> &mut Self {
        self.option(verdict.cp).option(verdict.mate);
        for index in 0..5 {
            self.option(verdict.quantiles.map(|quantiles| quantiles[index]));
        }
        self.add(verdict.points)
    }

    fn effort(&mut self, line: &LineRecord) -> &mut Self {
        self.option(line.confidence).add(line.depth).add(line.nodes)
    }

    fn finish(&self) -> String {
        let mut text = self.0.join(",");
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;
    use crate::review::tests::review;

    #[test]
    fn rows_have_as_many_fields_as_the_header() {
        let tags = [("White", "A, \"B\""), ("Black", "C")];
        let moves = [("f3", -30, "e4"), ("e5", -35, "e5"), ("g4", -31_999, "e4")];
        let text = game(&review(&Board::default(), &tags, &moves));
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("1,\"A, \"\"B\"\"\",C,*,,0,1,white,f3,f2f3,0,opening,"),
            "{text}"
        );
        // The quoted name has a comma of its own.
        let commas = GAME_HEADER.matches(',').count();
        assert!(lines.iter().all(|line| line.matches(',').count() == commas + 1), "{text}");
        assert!(lines[2].contains(",blunder,") && lines[2].contains(",,-1,,,,,,0,"), "{text}");
    }
}
