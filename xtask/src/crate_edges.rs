//! Compares the crates' dependencies with the table in ARCHITECTURE.md.
//!
//! The table is the rule and `cargo metadata` the fact: an edge of the workspace that the
//! table does not allow is an error, and so is a crate without a row or a row without a
//! crate. An allowed edge need not exist.

use crate::shell;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const DOCUMENT: &str = "ARCHITECTURE.md";
const HEADER: [&str; 4] = ["Crate", "Uses", "From outside", "Tests also use"];

/// What one crate depends on, or may depend on.
#[derive(Default, Debug, PartialEq)]
struct Edges {
    inside: BTreeSet<String>,
    outside: BTreeSet<String>,
    tests: BTreeSet<String>,
}

/// Fails with one line per edge that the table does not allow.
pub(crate) fn check() -> Result<(), String> {
    let document = fs::read_to_string(shell::root().join(DOCUMENT))
        .map_err(|error| format!("cannot read {DOCUMENT}: {error}"))?;
    let allowed = read_table(&document)?;
    let metadata = ["metadata", "--format-version", "1", "--no-deps"];
    let found = read_metadata(&shell::output_of(&mut shell::cargo(&metadata))?)?;
    let faults = compare(&found, &allowed);
    if faults.is_empty() {
        println!("{} crates agree with the table in {DOCUMENT}", found.len());
        return Ok(());
    }
    Err(format!("{} faults against the table in {DOCUMENT}:\n{}", faults.len(), faults.join("\n")))
}

fn compare(found: &BTreeMap<String, Edges>, allowed: &BTreeMap<String, Edges>) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, edges) in found {
        let Some(rule) = allowed.get(name) else {
            faults.push(format!("  {name} has no row in the table"));
            continue;
        };
        for other in edges.inside.difference(&rule.inside) {
            faults.push(format!("  {name} uses {other}, which its row does not allow"));
        }
        for other in edges.outside.difference(&rule.outside) {
            faults.push(format!("  {name} uses {other} from outside, which its row does not name"));
        }
        let anywhere: BTreeSet<_> =
            [&rule.inside, &rule.outside, &rule.tests].into_iter().flatten().cloned().collect();
        for other in edges.tests.difference(&anywhere) {
            faults.push(format!("  the tests of {name} use {other}, which its row does not name"));
        }
    }
    for name in allowed.keys().filter(|name| !found.contains_key(*name)) {
        faults.push(format!("  the table has a row for {name}, which is no crate"));
    }
    faults
}

/// Reads the table below [`HEADER`]; cells hold names between backquotes.
fn read_table(document: &str) -> Result<BTreeMap<String, Edges>, String> {
    let mut lines = document.lines().map(cells).skip_while(|cells| *cells != HEADER);
    if lines.next().is_none() {
        return Err(format!("expected a table in {DOCUMENT} with the columns {HEADER:?}"));
    }
    let mut table = BTreeMap::new();
    for cells in lines.skip(1).take_while(|cells| !cells.is_empty()) {
        let [name, inside, outside, tests] = cells[..] else {
            return Err(format!("expected {} cells in a row, got {cells:?}", HEADER.len()));
        };
        let edges = Edges { inside: names(inside), outside: names(outside), tests: names(tests) };
        table.insert(name.trim_matches('`').to_owned(), edges);
    }
    Ok(table)
}

fn cells(line: &str) -> Vec<&str> {
    match line.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) {
        Some(row) => row.split('|').map(str::trim).collect(),
        None => Vec::new(),
    }
}

/// The names between backquotes.
fn names(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Reads the workspace's crates; they are named as code names them, without the prefix
/// that the packages carry on crates.io.
fn read_metadata(text: &str) -> Result<BTreeMap<String, Edges>, String> {
    let strange = || "cargo metadata answered in an unknown form".to_owned();
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let packages = value["packages"].as_array().ok_or_else(strange)?;
    let mut crates = BTreeMap::new();
    for package in packages {
        let mut edges = Edges::default();
        for dependency in package["dependencies"].as_array().ok_or_else(strange)? {
            let name = short_name(dependency["name"].as_str().ok_or_else(strange)?);
            let kind = match dependency["kind"].as_str() {
                Some("dev") => &mut edges.tests,
                _ if dependency["path"].is_string() => &mut edges.inside,
                _ => &mut edges.outside,
            };
            kind.insert(name);
        }
        crates.insert(short_name(package["name"].as_str().ok_or_else(strange)?), edges);
    }
    Ok(crates)
}

fn short_name(package: &str) -> String {
    package.strip_prefix("brier-").unwrap_or(package).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
text

| Crate | Uses | From outside | Tests also use |
|---|---|---|---|
| `chess` | | | `divan` |
| `search` | `chess`, `eval` | | |

more text | with a bar
";

    const METADATA: &str = r#"{"packages": [
        {"name": "brier-chess", "dependencies": [{"name": "divan", "kind": "dev"}]},
        {"name": "brier-search", "dependencies": [
            {"name": "brier-chess", "kind": null, "path": "crates/chess"},
            {"name": "brier-chess", "kind": "dev", "path": "crates/chess"}]}]}"#;

    #[test]
    fn edges_of_the_table_are_allowed() {
        let found = read_metadata(METADATA).unwrap();
        assert_eq!(compare(&found, &read_table(TABLE).unwrap()), [""; 0]);
    }

    #[test]
    fn each_kind_of_fault_is_reported() {
        let found = read_metadata(
            &METADATA.replace("brier-search", "brier-uci").replace("\"dev\"", "null"),
        )
        .unwrap();
        let faults = compare(&found, &read_table(TABLE).unwrap()).join("\n");
        assert!(faults.contains("chess uses divan from outside"), "{faults}");
        assert!(faults.contains("uci has no row"), "{faults}");
        assert!(faults.contains("row for search, which is no crate"), "{faults}");
    }

    #[test]
    fn an_upward_edge_is_a_fault() {
        let found = read_metadata(&METADATA.replace(
            r#"{"name": "divan", "kind": "dev"}"#,
            r#"{"name": "brier-search", "kind": null, "path": "crates/search"}"#,
        ))
        .unwrap();
        let faults = compare(&found, &read_table(TABLE).unwrap());
        assert_eq!(faults, ["  chess uses search, which its row does not allow"]);
    }

    #[test]
    fn a_document_without_the_table_is_an_error() {
        assert!(read_table("no table here").is_err());
    }
}
