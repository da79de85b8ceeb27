//! Everything a user can set: one table, from which the rest follows.
//!
//! [`TABLE`] yields the `option` lines of `uci`, the checks of `setoption`, the defaults and the
//! table in the documentation. A new option is one field of [`Options`], one [`OptionId`] and one
//! row here; only options that need an action at once are named in the session.

mod table;

use std::fmt;
use std::time::Duration;

use search::Settings;

use crate::words::{quote, read_number};

pub use table::TABLE;

/// The current values, one field per option that keeps one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Options {
    /// `Hash`, in MB.
    pub hash: i64,
    /// `Threads`.
    pub threads: i64,
    /// `MultiPV`.
    pub multi_pv: i64,
    /// `Ponder`.
    pub ponder: bool,
    /// `Move Overhead`, in milliseconds.
    pub move_overhead: i64,
    /// `UCI_Chess960`.
    pub chess960: bool,
    /// `UCI_ShowWDL`.
    pub show_wdl: bool,
    /// `UCI_AnalyseMode`.
    pub analyse: bool,
    /// `UCI_LimitStrength`.
    pub limit_strength: bool,
    /// `UCI_Elo`.
    pub elo: i64,
    /// `nodestime`, in nodes per millisecond.
    pub nodes_time: i64,
    /// `nonsense`.
    pub nonsense: bool,
    /// `EvalFile`.
    pub eval_file: String,
    /// `Risk`.
    pub risk: i64,
    /// `UseWidth`.
    pub use_width: bool,
    /// `OwnBook`.
    pub own_book: bool,
    /// `BookFile`.
    pub book_file: String,
    /// `BookDepth`, in half-moves.
    pub book_depth: i64,
    /// `BookVariety`, in percent.
    pub book_variety: i64,
    /// `PolicyFile`.
    pub policy_file: String,
    /// `UsePolicy`.
    pub use_policy: bool,
    /// `SyzygyPath`.
    pub syzygy_path: String,
    /// `SyzygyProbeDepth`.
    pub syzygy_probe_depth: i64,
    /// `SyzygyProbeLimit`.
    pub syzygy_probe_limit: i64,
    /// `Syzygy50MoveRule`.
    pub syzygy_fifty: bool,
}

/// Names an option in code.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
#[expect(missing_docs, reason = "each is described by its row of the table")]
pub enum OptionId {
    Hash,
    ClearHash,
    Threads,
    MultiPv,
    Ponder,
    MoveOverhead,
    Chess960,
    ShowWdl,
    AnalyseMode,
    LimitStrength,
    Elo,
    NodesTime,
    Nonsense,
    EvalFile,
    Risk,
    UseWidth,
    PolicyFile,
    UsePolicy,
    OwnBook,
    BookFile,
    BookDepth,
    BookVariety,
    SyzygyPath,
    SyzygyProbeDepth,
    SyzygyProbeLimit,
    Syzygy50MoveRule,
}

/// An option's type, its default and bounds, and the field that holds its value.
#[derive(Copy, Clone, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// Value at the start.
        default: bool,
        /// Where it is kept.
        field: fn(&mut Options) -> &mut bool,
    },
    /// A whole number.
    Spin {
        /// Value at the start.
        default: i64,
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
        /// Where it is kept.
        field: fn(&mut Options) -> &mut i64,
    },
    /// Words, such as a file's path.
    Text {
        /// Value at the start.
        default: &'static str,
        /// Where it is kept.
        field: fn(&mut Options) -> &mut String,
    },
    /// Something to press; keeps no value.
    Button,
}

/// One row of the table.
#[derive(Copy, Clone, Debug)]
pub struct Row {
    /// The name in code.
    pub id: OptionId,
    /// The name in the protocol; `setoption` does not mind its case.
    pub name: &'static str,
    /// Type, default, bounds, field.
    pub kind: Kind,
    /// What it does, for the documentation.
    pub about: &'static str,
    /// Not listed by `uci`: for tests and tuning.
    pub hidden: bool,
}

/// Why an option was not set.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OptionError {
    /// No option has this name.
    Name(String),
    /// A value of the wrong type or beyond the bounds.
    Value {
        /// The option.
        name: &'static str,
        /// What its values look like.
        expected: String,
        /// What came; none if the word `value` is missing.
        got: Option<String>,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("setoption ignored: ")?;
        match self {
            Self::Name(name) => {
                write!(f, "expected an option that \"uci\" lists, got {}", quote(name))
            }
            Self::Value { name, expected, got: Some(got) } => {
                write!(f, "{name}: expected {expected}, got {}", quote(got))
            }
            Self::Value { name, expected, got: None } => {
                write!(f, "{name}: expected \"value\" and {expected}, got neither")
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl Row {
    /// Finds an option by its name, in any case.
    pub fn find(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name))
    }

    fn apply(&self, options: &mut Options, value: Option<&str>) -> Result<(), OptionError> {
        let fault = |expected: String| OptionError::Value {
            name: self.name,
            expected,
            got: value.map(str::to_owned),
        };
        let text = value.map(str::trim);
        match self.kind {
            Kind::Check { field, .. } => {
                let truth = text.and_then(|text| text.to_ascii_lowercase().parse().ok());
                *field(options) = truth.ok_or_else(|| fault("true or false".to_owned()))?;
            }
            Kind::Spin { min, max, field, .. } => {
                let number = text.and_then(read_number).filter(|n| (min..=max).contains(n));
                *field(options) = number.ok_or_else(|| fault(format!("{min} to {max}")))?;
            }
            Kind::Text { default, field } => {
                let text = text.ok_or_else(|| fault("a text".to_owned()))?;
                *field(options) = if text.is_empty() { default } else { text }.to_owned();
            }
            Kind::Button => {}
        }
        Ok(())
    }

    fn reset(&self, options: &mut Options) {
        match self.kind {
            Kind::Check { default, field } => *field(options) = default,
            Kind::Spin { default, field, .. } => *field(options) = default,
            Kind::Text { default, field } => default.clone_into(field(options)),
            Kind::Button => {}
        }
    }
}

impl fmt::Display for Row {
    /// The line for `uci`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Text { default, .. } => write!(f, "string default {default}"),
            Kind::Button => f.write_str("button"),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            hash: 0,
            threads: 0,
            multi_pv: 0,
            ponder: false,
            move_overhead: 0,
            chess960: false,
            show_wdl: false,
            analyse: false,
            limit_strength: false,
            elo: 0,
            nodes_time: 0,
            nonsense: false,
            eval_file: String::new(),
            risk: 0,
            use_width: false,
            own_book: false,
            book_file: String::new(),
            book_depth: 0,
            book_variety: 0,
            policy_file: String::new(),
            use_policy: false,
            syzygy_path: String::new(),
            syzygy_probe_depth: 0,
            syzygy_probe_limit: 0,
            syzygy_fifty: false,
        };
        for row in TABLE {
            row.reset(&mut options);
        }
        options
    }
}

impl Options {
    /// Sets one option and says which; on a fault nothing changes.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<OptionId, OptionError> {
        let row = Row::find(name).ok_or_else(|| OptionError::Name(name.to_owned()))?;
        row.apply(self, value)?;
        Ok(row.id)
    }

    /// The rating to play at, if the strength is limited.
    pub fn rating(&self) -> Option<u32> {
        (self.limit_strength && !self.analyse).then(|| positive(self.elo) as u32)
    }

    /// The settings of the next search.
    pub fn settings(&self) -> Settings {
        Settings {
            multi_pv: positive(self.multi_pv),
            move_overhead: Duration::from_millis(self.move_overhead.unsigned_abs()),
            elo: self.rating(),
            nodes_per_ms: self.nodes_time.unsigned_abs(),
            tb_probe_depth: positive(self.syzygy_probe_depth) as i32,
            tb_probe_limit: positive(self.syzygy_probe_limit),
            tb_fifty_move_rule: self.syzygy_fifty,
            use_width: self.use_width,
            risk: self.risk as i32,
            analysis: self.analyse,
        }
    }
}

/// A spin value for the engine; its bounds in the table are positive and small.
fn positive(value: i64) -> usize {
    usize::try_from(value).unwrap_or(1)
}

/// The table for the documentation, in Markdown.
pub fn markdown() -> String {
    let mut text = "| option | values | default | what it does |\n|---|---|---|---|\n".to_owned();
    for row in TABLE.iter().filter(|row| !row.hidden) {
        let (values, default) = match row.kind {
            Kind::Check { default, .. } => ("true, false".to_owned(), default.to_string()),
            Kind::Spin { default, min, max, .. } => {
                (format!("{min} to {max}"), default.to_string())
            }
            Kind::Text { default, .. } => ("a text".to_owned(), format!("`{default}`")),
            Kind::Button => ("a button".to_owned(), String::new()),
        };
        text += &format!("| `{}` | {values} | {default} | {} |\n", row.name, row.about);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_within_their_own_bounds() {
        for row in TABLE {
            let mut options = Options::default();
            let default = match row.kind {
                Kind::Check { default, .. } => default.to_string(),
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Text { default, .. } => default.to_owned(),
                Kind::Button => continue,
            };
            assert_eq!(options.set(row.name, Some(&default)), Ok(row.id));
            assert_eq!(options, Options::default(), "{}", row.name);
        }
    }

    #[test]
    fn every_field_is_its_own() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(Row::find(row.name).map(|found| found.id), Some(row.id), "{}", row.name);
            assert!(TABLE[..index].iter().all(|other| other.id != row.id));
            let mut options = Options::default();
            let other = match row.kind {
                Kind::Check { default, .. } => (!default).to_string(),
                Kind::Spin { default, min, max, .. } => {
                    (if default == max { min } else { max }).to_string()
                }
                Kind::Text { .. } => "elsewhere".to_owned(),
                Kind::Button => continue,
            };
            options.set(row.name, Some(&other)).unwrap();
            assert_ne!(options, Options::default(), "{}", row.name);
            row.reset(&mut options);
            assert_eq!(options, Options::default(), "{}", row.name);
        }
    }

    #[test]
    fn names_and_truth_have_no_case() {
        let mut options = Options::default();
        assert_eq!(options.set("uci_showwdl", Some("TRUE")), Ok(OptionId::ShowWdl));
        assert!(options.show_wdl);
        assert_eq!(options.set("clear hash", None), Ok(OptionId::ClearHash));
    }

    #[test]
    fn a_fault_changes_nothing() {
        for (name, value, message) in [
            ("Hsah", Some("1"), "expected an option that \"uci\" lists, got \"Hsah\""),
            ("Hash", Some("0"), "Hash: expected 1 to 33554432, got \"0\""),
            ("Hash", Some("big"), "Hash: expected 1 to 33554432, got \"big\""),
            ("Hash", None, "Hash: expected \"value\" and 1 to 33554432, got neither"),
            ("Threads", Some("-1"), "Threads: expected 1 to 1024"),
            ("Ponder", Some("1"), "Ponder: expected true or false"),
        ] {
            let mut options = Options::default();
            let error = options.set(name, value).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(options, Options::default());
        }
    }

    #[test]
    fn analysis_is_at_full_strength() {
        let mut options = Options { limit_strength: true, elo: 900, ..Options::default() };
        assert_eq!(options.settings().elo, Some(900));
        options.analyse = true;
        assert_eq!(options.settings().elo, None);
    }

    #[test]
    fn the_listing_has_the_protocols_form() {
        let lines: Vec<_> = TABLE.iter().map(ToString::to_string).collect();
        assert_eq!(lines[0], "option name Hash type spin default 16 min 1 max 33554432");
        assert_eq!(lines[1], "option name Clear Hash type button");
        assert!(lines.contains(&"option name Ponder type check default false".to_owned()));
    }

    #[test]
    fn the_documentation_has_this_table() {
        let page = include_str!("../../../../docs/uci.md");
        assert!(page.contains(&markdown()), "docs/uci.md needs this table:\n{}", markdown());
    }
}
