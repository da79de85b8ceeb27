//! Puzzles from a table (CSV) whose first line names the columns.
//!
//! Lichess's own table has `FEN` before the opponent's mistake, and `Moves` that begin with it.
//! Others have already made that move and call the solution `PV`. `PuzzleId` and `Rating` may be
//! there; other columns do not matter.

use chess::{Board, Move};

use super::{Problem, Problems, Task};

/// Where the columns stand.
struct Columns {
    id: Option<usize>,
    fen: usize,
    moves: usize,
    /// The first of the moves is the opponent's.
    mistake_first: bool,
    rating: Option<usize>,
}

impl Columns {
    fn new(header: &str) -> Result<Self, String> {
        let at = |name: &str| header.split(',').position(|column| column.trim() == name);
        let (moves, mistake_first) = match (at("Moves"), at("PV")) {
            (Some(moves), _) => (moves, true),
            (None, Some(line)) => (line, false),
            (None, None) => return Err(missing("Moves or PV", header)),
        };
        let fen = at("FEN").ok_or_else(|| missing("FEN", header))?;
        Ok(Self { id: at("PuzzleId"), fen, moves, mistake_first, rating: at("Rating") })
    }

    fn problem(&self, line: &str) -> Result<Problem, String> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let field = |at: usize| fields.get(at).copied().unwrap_or_default();
        let mut board = field(self.fen).parse::<Board>().map_err(|error| error.to_string())?;
        let mut moves = parse(&board, field(self.moves))?;
        if self.mistake_first && !moves.is_empty() {
            board = board.after(moves.remove(0));
        }
        if moves.is_empty() {
            return Err("expected the moves of a solution, got none".into());
        }
        let rating = self.rating.map(|at| {
            let text = field(at);
            text.parse().map_err(|_| format!("expected a rating, got \"{text}\""))
        });
        let name = self.id.map_or("puzzle", field).to_owned();
        Ok(Problem { name, board, task: Task::Line(moves), rating: rating.transpose()? })
    }
}

fn missing(column: &str, header: &str) -> String {
    format!("line 1: expected a column {column}, got \"{header}\"")
}

/// Moves in UCI notation, played one after the other.
fn parse(board: &Board, text: &str) -> Result<Vec<Move>, String> {
    let mut board = board.clone();
    let play = |word: &str| {
        let mv = board.parse_uci(word).map_err(|error| format!("{word}: {error}"))?;
        board.make_move(mv, &mut ());
        Ok(mv)
    };
    text.split_whitespace().map(play).collect()
}

/// All problems of a table, whose first line is `header`.
pub(super) fn read(header: &str, text: &str) -> Result<Problems, String> {
    let columns = Columns::new(header)?;
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1) {
        if !line.trim().is_empty() {
            let problem = columns.problem(line);
            problems.push(problem.map_err(|reason| format!("line {}: {reason}", index + 1))?);
        }
    }
    Ok(Problems { problems, left_out: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        read(text.lines().next().unwrap(), text).err().unwrap()
    }

    #[test]
    fn both_kinds_of_table_give_the_same_puzzle() {
        let of = |text: &str| {
            let mut problems = read(text.lines().next().unwrap(), text).unwrap().problems;
            let Problem { name, board, task, rating } = problems.remove(0);
            let Task::Line(line) = task else { panic!("not a line") };
            (name, board.to_string(), line, rating)
        };
        let lichess = of("PuzzleId,FEN,Moves,Rating,Themes\n\
             a,6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1,h7h6 d1d8 g8h7,812,mate\n");
        let other = of("FEN,PV,Rating,PuzzleId\n\
             6k1/5pp1/7p/8/8/8/5PPP/3R2K1 w - - 0 2,d1d8 g8h7,812,a\n");
        assert_eq!(lichess, other);
        assert_eq!((lichess.2.len(), lichess.3), (2, Some(812)));
    }

    #[test]
    fn faults_name_their_line_and_what_was_expected() {
        assert!(fault("PuzzleId,FEN\n").contains("expected a column Moves or PV"));
        assert!(fault("PuzzleId,PV\n").contains("expected a column FEN"));
        let row = |row: &str| fault(&format!("FEN,PV,Rating\n\n{row}\n"));
        assert!(row("8/8,e2e4,800").starts_with("line 3: "));
        assert!(row("6k1/8/8/8/8/8/8/3R2K1 w - - 0 1,d1e8,800").starts_with("line 3: d1e8"));
        assert!(row("6k1/8/8/8/8/8/8/3R2K1 w - - 0 1,,800").contains("got none"));
        assert!(row("6k1/8/8/8/8/8/8/3R2K1 w - - 0 1,d1d8,hard").contains("\"hard\""));
    }
}
