//! Everything a user can set: one table, from which the rest follows.
//!
//! [`TABLE`] has an entry for each option; `table.rs` says how to write one. This module reads
//! values, checks them against their bounds and writes the table for `uci` and for the
//! documentation. What is not here: what the engine does when an option changes (see
//! [`Engine`]).

mod macros;
mod table;

use std::fmt;
use std::ops::RangeInclusive;

use search::{Limits, Settings};

use crate::Engine;

use macros::options;
pub use table::{Options, TABLE};

/// An option's type, its default and bounds, and how its value is stored.
#[derive(Copy, Clone, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// Value at the start.
        default: bool,
        /// Stores a value.
        store: fn(&mut Options, bool),
    },
    /// A whole number.
    Spin {
        /// Value at the start.
        default: i64,
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
        /// Stores a value within the bounds.
        store: fn(&mut Options, i64),
    },
    /// Words, such as a file's path.
    Text {
        /// Value at the start.
        default: &'static str,
        /// Stores a value.
        store: fn(&mut Options, String),
    },
    /// Something to press; keeps no value.
    Button,
}

/// What the engine does when an option changes; an error leaves everything as it was.
pub(crate) type Action = fn(&mut Engine) -> Result<(), String>;

/// One option.
#[derive(Copy, Clone, Debug)]
pub struct Row {
    /// The name in the protocol; its case does not matter when it is set.
    pub name: &'static str,
    /// Type, default, bounds.
    pub kind: Kind,
    /// What it does, for the documentation.
    pub about: &'static str,
    /// Not listed by `uci`: for tests and tuning.
    pub hidden: bool,
    pub(crate) action: Option<Action>,
    setting: Option<fn(&mut Settings, &Options)>,
}

/// Why an option was not set; everything is as it was before.
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
        /// What came; none if no value was given.
        got: Option<String>,
    },
    /// The value is well-formed, but the engine could not do what it asks for.
    Refused {
        /// The option.
        name: &'static str,
        /// What was expected and what came.
        reason: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
            Self::Refused { name, reason } => write!(f, "{name}: {reason}"),
        }
    }
}

impl std::error::Error for OptionError {}

/// The beginning of somebody's input, fit for one line of a message.
fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?} …", &text[..end]),
        None => format!("{text:?}"),
    }
}

impl Row {
    /// Finds an option by its name, in any case.
    pub fn find(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name))
    }

    /// The least and the greatest value of a number; none for options that are no numbers.
    pub fn bounds(&self) -> Option<RangeInclusive<i64>> {
        match self.kind {
            Kind::Spin { min, max, .. } => Some(min..=max),
            _ => None,
        }
    }

    /// Checks a value and stores it; on a fault nothing changes.
    fn store(&self, options: &mut Options, value: Option<&str>) -> Result<(), OptionError> {
        let fault = |expected: String| OptionError::Value {
            name: self.name,
            expected,
            got: value.map(str::to_owned),
        };
        let text = value.map(str::trim);
        match self.kind {
            Kind::Check { store, .. } => {
                let truth = text.and_then(|text| text.to_ascii_lowercase().parse().ok());
                store(options, truth.ok_or_else(|| fault("true or false".to_owned()))?);
            }
            Kind::Spin { min, max, store, .. } => {
                let number: Option<i64> = text.and_then(|text| text.parse().ok());
                let number = number.filter(|number| (min..=max).contains(number));
                store(options, number.ok_or_else(|| fault(format!("{min} to {max}")))?);
            }
            Kind::Text { default, store } => {
                let text = text.ok_or_else(|| fault("a text".to_owned()))?;
                store(options, if text.is_empty() { default } else { text }.to_owned());
            }
            Kind::Button => {}
        }
        Ok(())
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

impl Options {
    /// Checks a value and stores it, without acting on it, and says which option it was.
    pub fn store(&mut self, name: &str, value: Option<&str>) -> Result<&'static Row, OptionError> {
        let row = Row::find(name).ok_or_else(|| OptionError::Name(name.to_owned()))?;
        row.store(self, value)?;
        Ok(row)
    }

    /// The rating to play at, if the strength is limited.
    pub fn rating(&self) -> Option<u32> {
        (self.limit_strength && !self.analyse).then_some(self.elo)
    }

    /// Limits that end a search without clock also when it is as sure as `UntilSure` says.
    pub(crate) fn until_sure(&self, limits: Limits) -> Limits {
        if self.until_sure == 0 || limits.clock.is_some() || limits.ponder {
            return limits;
        }
        let sure = limits.sure.or(Some(10 * self.until_sure));
        // It may answer by itself, which `infinite` would forbid.
        Limits { sure, infinite: false, ..limits }
    }

    /// The settings of the next search.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        for set in TABLE.iter().filter_map(|row| row.setting) {
            set(&mut settings, self);
        }
        settings
    }
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

    fn default_of(row: &Row) -> Option<String> {
        match row.kind {
            Kind::Check { default, .. } => Some(default.to_string()),
            Kind::Spin { default, .. } => Some(default.to_string()),
            Kind::Text { default, .. } => Some(default.to_owned()),
            Kind::Button => None,
        }
    }

    #[test]
    fn defaults_are_within_their_own_bounds() {
        for row in TABLE {
            if let Some(default) = default_of(row) {
                let mut options = Options::default();
                assert_eq!(options.store(row.name, Some(&default)).unwrap().name, row.name);
                assert_eq!(options, Options::default(), "{}", row.name);
            }
        }
    }

    #[test]
    fn every_field_is_its_own() {
        for (index, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..index].iter().all(|other| !other.name.eq_ignore_ascii_case(row.name)));
            let other = match row.kind {
                Kind::Check { default, .. } => (!default).to_string(),
                Kind::Spin { default, min, max, .. } => {
                    (if default == max { min } else { max }).to_string()
                }
                Kind::Text { .. } => "elsewhere".to_owned(),
                Kind::Button => continue,
            };
            let mut options = Options::default();
            options.store(row.name, Some(&other)).unwrap();
            assert_ne!(options, Options::default(), "{}", row.name);
            options.store(row.name, default_of(row).as_deref()).unwrap();
            assert_eq!(options, Options::default(), "{}", row.name);
        }
    }

    /// Whoever searches without options gets the engine that people get.
    #[test]
    fn the_search_has_the_same_defaults() {
        assert_eq!(Options::default().settings(), Settings::default());
    }

    #[test]
    fn names_and_truth_have_no_case() {
        let mut options = Options::default();
        assert_eq!(options.store("uci_showwdl", Some("TRUE")).unwrap().name, "UCI_ShowWDL");
        assert!(options.show_wdl);
        assert_eq!(options.store("clear hash", None).unwrap().name, "Clear Hash");
    }

    #[test]
    fn a_fault_changes_nothing() {
        for (name, value, message) in [
            ("Hsah", Some("1"), "expected an option that \"uci\" lists, got \"Hsah\""),
            ("Hash", Some("0"), "Hash: expected 1 to 33554432, got \"0\""),
            ("Hash", Some("99999999999999999999"), "Hash: expected 1 to 33554432"),
            ("Hash", Some("big"), "Hash: expected 1 to 33554432, got \"big\""),
            ("Hash", None, "Hash: expected \"value\" and 1 to 33554432, got neither"),
            ("Threads", Some("-1"), "Threads: expected 1 to 1024"),
            ("Ponder", Some("1"), "Ponder: expected true or false"),
        ] {
            let mut options = Options::default();
            let error = options.store(name, value).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(options, Options::default());
        }
    }

    #[test]
    fn quotes_are_short() {
        assert_eq!(quote("a\nb"), "\"a\\nb\"");
        assert_eq!(quote(&"é".repeat(100)).chars().count(), 64);
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
