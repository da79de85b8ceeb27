//! Test positions from EPD lines.

use std::fmt;

use chess::notation::epd::Epd;

use super::{Problem, Problems, Task};

/// All problems of a file.
pub(super) fn read(text: &str) -> Result<Problems, String> {
    let mut problems = Vec::new();
    let mut left_out = 0;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |reason: &dyn fmt::Display| format!("line {}: {reason}", index + 1);
        let epd = Epd::parse(line).map_err(|error| at(&error))?;
        let name = epd.string("id").map_or_else(|| format!("line {}", index + 1), str::to_owned);
        match task(&epd).map_err(|reason| at(&reason))? {
            Some(task) => {
                problems.push(Problem { name, board: epd.board.clone(), task, rating: None });
            }
            None => left_out += 1,
        }
    }
    Ok(Problems { problems, left_out })
}

fn task(epd: &Epd<'_>) -> Result<Option<Task>, String> {
    for opcode in ["bm", "am"] {
        let Some(operation) = epd.operation(opcode) else { continue };
        let words: Vec<&str> = operation.operands().collect();
        if let Some(distance) = words.first().and_then(|word| word.strip_prefix('#')) {
            let distance = distance
                .parse()
                .map_err(|_| format!("expected a mate like #5 or #-5, got \"#{distance}\""))?;
            return Ok(Some(Task::Mate(distance)));
        }
        let moves = words
            .iter()
            .map(|word| epd.board.parse_san(word).map_err(|error| format!("{word}: {error}")))
            .collect::<Result<Vec<_>, _>>()?;
        return Ok(Some(if opcode == "bm" { Task::Best(moves) } else { Task::Avoid(moves) }));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_moves_and_mates() {
        let text = "# a comment\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id \"back rank\";\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am h3;\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm #1;\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -\n";
        let Problems { problems, left_out } = read(text).unwrap();
        assert_eq!((problems.len(), left_out), (3, 1));
        assert_eq!(problems[0].name, "back rank");
        assert!(matches!(problems[2].task, Task::Mate(1)));
    }

    #[test]
    fn faults_name_their_line() {
        let faulty = "6k1/8/8/8/8/8/8/3R2K1 w - - bm Re8;";
        assert!(read(faulty).err().unwrap().starts_with("line 1: Re8"));
        assert!(read("nonsense").err().unwrap().starts_with("line 1: "));
    }
}
