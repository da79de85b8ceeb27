//! Which sides of a block read a row of the transformer.
//!
//! Going back, each side adds its gradient to the rows it has read. Row by row that is one sum in
//! registers, where side by side each row would be fetched and written for each of its readers.

/// For each row the sides that read it, in the order in which they were given.
#[derive(Default)]
pub(crate) struct Readers {
    /// Where the sides of each row begin, and a last place where those of the last row end.
    starts: Vec<u32>,
    sides: Vec<u32>,
}

impl Readers {
    /// Finds the readers of this many rows, from the rows of each side.
    pub(crate) fn find<'a>(
        &mut self,
        rows: usize,
        sides: impl Iterator<Item = (usize, &'a [u32])> + Clone,
    ) {
        // Counted two places further on: the sums up to there are where each row begins, and filling
        // moves them to where it ends, which is where the next begins.
        self.starts.clear();
        self.starts.resize(rows + 2, 0);
        for row in sides.clone().flat_map(|(_, rows)| rows) {
            self.starts[*row as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.sides.clear();
        self.sides.resize(sum as usize, 0);
        for (side, rows) in sides {
            for &row in rows {
                let place = &mut self.starts[row as usize + 1];
                self.sides[*place as usize] = side as u32;
                *place += 1;
            }
        }
    }

    /// The rows that are read at all, each with its readers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let ranges = self.starts.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        let read = ranges.enumerate().filter(|(_, range)| !range.is_empty());
        read.map(|(row, range)| (row, &self.sides[range]))
    }
}

#[cfg(test)]
mod tests {
    use super::Readers;

    #[test]
    fn rows_know_their_readers_in_order() {
        let mut readers = Readers::default();
        for _ in 0..2 {
            let sides: [(usize, &[u32]); 4] = [(7, &[3, 0]), (2, &[3, 3]), (9, &[]), (4, &[5, 3])];
            readers.find(6, sides.into_iter());
            let found: Vec<_> = readers.iter().map(|(row, sides)| (row, sides.to_vec())).collect();
            assert_eq!(found, [(0, vec![7]), (3, vec![7, 2, 2, 4]), (5, vec![4])]);
        }
        readers.find(3, [].into_iter());
        assert_eq!(readers.iter().count(), 0);
    }
}
