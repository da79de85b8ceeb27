//! Endgame tablebases as the option `SyzygyPath` names them.

use std::env;
use std::sync::Arc;

use eval::Tablebase;
use tablebase::{SyzygyTables, TableKind};

/// Looks for tablebases in the folders of a list like PATH; none for `<empty>`.
pub(crate) fn open(list: &str) -> Option<Arc<SyzygyTables>> {
    if list == "<empty>" {
        return None;
    }
    let folders: Vec<_> = env::split_paths(list).collect();
    Some(Arc::new(SyzygyTables::open(&folders)))
}

/// What was found, in words.
pub(crate) fn describe(tables: &SyzygyTables) -> String {
    format!(
        "found {} WDL and {} DTZ tables, up to {} men",
        tables.inventory().count(TableKind::Wdl),
        tables.inventory().count(TableKind::Dtz),
        tables.max_men()
    )
}

/// What has gone wrong with files since the last call.
pub(crate) fn take_problems(tables: &SyzygyTables) -> Vec<String> {
    tables.take_problems().iter().map(ToString::to_string).collect()
}
