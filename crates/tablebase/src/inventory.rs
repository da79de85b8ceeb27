//! Which tables there are, which there could be, and which are missing.

use std::collections::BTreeSet;

use crate::TableKind;

/// The letters of the men that follow a king, strongest first.
const MEN: [char; 5] = ['Q', 'R', 'B', 'N', 'P'];

/// The most men that Syzygy tables exist for.
const MOST_MEN: usize = 7;

/// The names of all tables with this many men, strongest side first, as the files are called.
///
/// ```
/// assert_eq!(tablebase::material_names(3), ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
/// assert_eq!(tablebase::material_names(4).len(), 30);
/// assert_eq!(tablebase::material_names(5).len(), 110);
/// ```
pub fn material_names(men: usize) -> Vec<String> {
    let Some(others) = men.checked_sub(2) else { return Vec::new() };
    let mut names = Vec::new();
    // The stronger side never has fewer men, and with equal numbers comes first in the order.
    for weak in 0..=others / 2 {
        let strong_sides = sides(others - weak);
        let weak_sides = sides(weak);
        for (index, strong) in strong_sides.iter().enumerate() {
            let from = if others == 2 * weak { index } else { 0 };
            for weak in &weak_sides[from..] {
                names.push(format!("K{strong}vK{weak}"));
            }
        }
    }
    names
}

/// All sets of this many men besides the king, in the order of strength.
fn sides(men: usize) -> Vec<String> {
    let mut sides = vec![String::new()];
    for _ in 0..men {
        sides = sides
            .iter()
            .flat_map(|side| {
                let last = side.chars().last().unwrap_or('Q');
                let from = MEN.iter().position(|&man| man == last).unwrap_or(0);
                MEN[from..].iter().map(move |man| format!("{side}{man}"))
            })
            .collect();
    }
    sides
}

/// Is this the name of a table, as the files are called?
///
/// ```
/// use tablebase::is_material_name;
/// assert!(is_material_name("KQvKR") && is_material_name("KNNvKQ"));
/// assert!(!is_material_name("KRvKQ") && !is_material_name("KNQvK") && !is_material_name("KvK"));
/// ```
pub fn is_material_name(name: &str) -> bool {
    let sides = name.strip_prefix('K').and_then(|rest| rest.split_once("vK"));
    let Some((strong, weak)) = sides.filter(|_| name.len() <= MOST_MEN + 1) else { return false };
    match (places(strong), places(weak)) {
        (Some(strong), Some(weak)) if strong.len() == weak.len() => {
            !strong.is_empty() && strong <= weak
        }
        (Some(strong), Some(weak)) => strong.len() > weak.len(),
        _ => false,
    }
}

/// The places of a side's men in the order of strength, if they stand in that order.
fn places(side: &str) -> Option<Vec<usize>> {
    let place = |man| MEN.iter().position(|&known| known == man);
    side.chars().map(place).collect::<Option<Vec<usize>>>().filter(|places| places.is_sorted())
}

/// The tables that were found, by name and kind.
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    found: BTreeSet<(String, TableKind)>,
}

impl Inventory {
    pub(crate) fn insert(&mut self, material: &str, kind: TableKind) -> bool {
        self.found.insert((material.to_owned(), kind))
    }

    /// Is this table there?
    pub fn contains(&self, material: &str, kind: TableKind) -> bool {
        self.found.contains(&(material.to_owned(), kind))
    }

    /// How many tables of a kind there are.
    pub fn count(&self, kind: TableKind) -> usize {
        self.found.iter().filter(|(_, found)| *found == kind).count()
    }

    /// The names of tables with this many men that are not there.
    pub fn missing(&self, men: usize, kind: TableKind) -> Vec<String> {
        let names = material_names(men).into_iter();
        names.filter(|name| !self.contains(name, kind)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every word of these letters up to five men, and every name on the lists.
    #[test]
    fn a_name_is_one_of_the_list() {
        let lists: BTreeSet<String> = (3..=MOST_MEN).flat_map(material_names).collect();
        assert!(lists.iter().all(|name| is_material_name(name)));
        let mut words = vec![String::new()];
        for _ in 0..6 {
            let letters = ["K", "v", "Q", "R", "B", "N", "P"];
            words =
                words.iter().flat_map(|word| letters.map(|next| format!("{word}{next}"))).collect();
            for word in &words {
                assert_eq!(is_material_name(word), lists.contains(word), "{word}");
            }
        }
        for bad in ["KQQQQQQvK", "KQQQvKQQQ", "kqvk", "KQvK ", "KQ\u{fc}vK", ""] {
            assert!(!is_material_name(bad), "{bad}");
        }
    }
}
