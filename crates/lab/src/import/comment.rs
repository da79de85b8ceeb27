//! What an engine says about a move in a PGN comment.
//!
//! Two styles are read:
//! - TCEC: `d=34, sd=52, …, pv=Bc4 Nh6 d4, …, wv=1.38,` with the score from White's side in pawns
//!   (`wv`, in old files `ev`; a number without a point is centipawns), mates as `M12`, `-M3` or `#5`;
//! - Cute Chess, fastchess and others: `+0.45/18 2.1s`, mates as `+M12/30`.

use data::ScoredMove;

/// Whose side a score takes.
#[derive(Copy, Clone, Debug, Eq, PartialEq, clap::ValueEnum)]
pub(crate) enum Side {
    /// The side that moves (Cute Chess, fastchess).
    Mover,
    /// Always White (old TCEC files).
    White,
}

/// A comment that holds a score.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Comment<'a> {
    /// As written; see `side`. Mates are ±(30000 - plies).
    pub(crate) score: i16,
    /// Whose side the score takes; none if the style leaves it open.
    pub(crate) side: Option<Side>,
    /// The depth of the search, if it is given.
    pub(crate) depth: Option<u32>,
    /// The principal variation from the move itself on, maybe empty.
    pub(crate) pv: &'a str,
}

impl<'a> Comment<'a> {
    /// Reads a comment; none if there is no score in it.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        Self::parse_fields(text).or_else(|| Self::parse_plain(text))
    }

    fn parse_fields(text: &'a str) -> Option<Self> {
        let (mut wv, mut ev, mut depth, mut pv) = (None, None, None, "");
        for field in text.split(',') {
            let Some((key, value)) = field.split_once('=') else { continue };
            match key.trim() {
                "wv" => wv = parse_score(value.trim()),
                "ev" => ev = parse_score(value.trim()),
                "d" => depth = value.trim().parse().ok(),
                "pv" => pv = value.trim(),
                _ => {}
            }
        }
        Some(Self { score: wv.or(ev)?, side: Some(Side::White), depth, pv })
    }

    fn parse_plain(text: &'a str) -> Option<Self> {
        let (score, rest) = text.split_once('/')?;
        let digits = rest.trim_start().split(|c: char| !c.is_ascii_digit()).next()?;
        // Some programs break lines inside numbers.
        let score: String = score.split_whitespace().collect();
        Some(Self {
            score: parse_score(&score)?,
            side: None,
            depth: Some(digits.parse().ok()?),
            pv: "",
        })
    }
}

/// `0.45`, `-15` (centipawns), `M12`, `-#3` …
fn parse_score(text: &str) -> Option<i16> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    if let Some(moves) = digits.strip_prefix(['M', '#']) {
        let moves: i32 = moves.parse().ok().filter(|moves| (0..1000).contains(moves))?;
        return Some(ScoredMove::mate(sign * (2 * moves).max(1)));
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    let centipawns = if digits.contains('.') { value * 100.0 } else { value };
    Some(ScoredMove::centipawns(sign * centipawns.round() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tcec_fields_are_read() {
        let text =
            "d=34, sd=52, pd=Nh6, mt=120609, s=42612199, pv=Bc4 Nh6 d4, h=57.2, wv=-1.38, R50=48,";
        let comment = Comment::parse(text).unwrap();
        assert_eq!(comment.score, -138);
        assert_eq!(comment.side, Some(Side::White));
        assert_eq!(comment.depth, Some(34));
        assert_eq!(comment.pv, "Bc4 Nh6 d4");
        assert_eq!(Comment::parse(" ev=-15,d=22,tl=01:36:35,pd=Qb6 ").unwrap().score, -15);
        assert_eq!(Comment::parse("ev=0.10, wv=0.20,").unwrap().score, 20);
    }

    #[test]
    fn plain_scores_are_read() {
        let comment = Comment::parse("+0.45/18 2.1s").unwrap();
        assert_eq!((comment.score, comment.side, comment.depth), (45, None, Some(18)));
        assert_eq!(Comment::parse("0.\n60/21 826").unwrap().score, 60);
        assert_eq!(Comment::parse("-M3/12 0.1s").unwrap().score, 6 - 30_000);
    }

    #[test]
    fn mates_count_as_plies() {
        let score = |text| Comment::parse(text).unwrap().score;
        assert_eq!(score("wv=M12,"), 30_000 - 24);
        assert_eq!(score("wv=-#3,"), 6 - 30_000);
        assert_eq!(score("wv=999999.00,"), 29_000);
    }

    #[test]
    fn anything_else_is_no_score() {
        for text in [
            "",
            "book, mb=+0+0,",
            "wv=, d=3",
            "wv=nan",
            "wv=inf,",
            "White resigns / 0-1",
            "/",
            "M/2",
        ] {
            assert_eq!(Comment::parse(text), None, "{text:?}");
        }
    }
}
