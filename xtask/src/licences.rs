//! `cargo xtask check-licences`: what comes from outside may be used, and comes from one place.
//!
//! Every package that the workspace is built from must come from crates.io and have a licence
//! that fits a program under the GPL, version 3 or later. Versions of one package beside each
//! other are listed: they are a cost, not a fault. Known vulnerabilities are not looked up here, which
//! needs a database from outside: see [`crate::deny`].

use std::collections::BTreeMap;

use serde_json::Value;

use crate::shell;

/// Licences that may be part of a program under the GPL, version 3 or later.
const ALLOWED: &[&str] = &[
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "GPL-3.0-or-later",
    "ISC",
    "LGPL-2.1-or-later",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Fails with one line per package that may not be used.
pub(crate) fn check() -> Result<(), String> {
    let metadata = ["metadata", "--format-version", "1", "--locked"];
    let metadata = shell::output_of(&mut shell::cargo(&metadata))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let packages =
        metadata["packages"].as_array().ok_or("expected packages from cargo metadata")?;
    let faults: Vec<String> = packages.iter().filter_map(fault).collect();
    for (name, versions) in several_versions(packages) {
        println!("{name} in {} versions: {}", versions.len(), versions.join(", "));
    }
    match faults.is_empty() {
        true => {
            println!(
                "{} packages from crates.io or the workspace, all free to use",
                packages.len()
            );
            Ok(())
        }
        false => Err(format!("{} packages may not be used:\n{}", faults.len(), faults.join("\n"))),
    }
}

/// Why a package may not be used.
fn fault(package: &Value) -> Option<String> {
    let name = package["name"].as_str().unwrap_or("a package without a name");
    if let Some(source) = package["source"].as_str()
        && source != REGISTRY
    {
        return Some(format!("  {name}: expected it from crates.io, got {source}"));
    }
    match package["license"].as_str() {
        Some(licence) if allows(licence) => None,
        Some(licence) => Some(format!("  {name}: expected a licence that fits, got {licence}")),
        None => Some(format!("  {name}: expected a licence, got none")),
    }
}

fn several_versions(packages: &[Value]) -> Vec<(&str, Vec<&str>)> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        if let (Some(name), Some(version)) = (package["name"].as_str(), package["version"].as_str())
        {
            versions.entry(name).or_default().push(version);
        }
    }
    versions.into_iter().filter(|(_, versions)| versions.len() > 1).collect()
}

/// Whether an SPDX expression leaves a choice of allowed licences: any side of an `OR` will do,
/// all sides of an `AND` must. An exception (`WITH`) only allows more.
fn allows(expression: &str) -> bool {
    let text = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut words = words.as_slice();
    let allowed = any(&mut words);
    words.is_empty() && allowed
}

fn any(words: &mut &[&str]) -> bool {
    let mut allowed = all(words);
    while words.first() == Some(&"OR") {
        *words = &words[1..];
        allowed |= all(words);
    }
    allowed
}

fn all(words: &mut &[&str]) -> bool {
    let mut allowed = one(words);
    while words.first() == Some(&"AND") {
        *words = &words[1..];
        allowed &= one(words);
    }
    allowed
}

fn one(words: &mut &[&str]) -> bool {
    let Some((&word, rest)) = words.split_first() else { return false };
    *words = rest;
    if word == "(" {
        let allowed = any(words);
        let closed = words.first() == Some(&")");
        *words = words.get(1..).unwrap_or_default();
        return allowed && closed;
    }
    if words.first() == Some(&"WITH") {
        *words = words.get(2..).unwrap_or_default();
    }
    ALLOWED.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_spdx_means_them() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "Proprietary OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        ] {
            assert!(allows(good), "{good}");
        }
        for bad in ["", "Proprietary", "MIT AND Proprietary", "(MIT", "MIT Apache-2.0", "OR MIT"] {
            assert!(!allows(bad), "{bad}");
        }
    }

    #[test]
    fn a_package_from_elsewhere_is_a_fault() {
        let package =
            serde_json::json!({"name": "x", "license": "MIT", "source": "git+https://a/b"});
        assert!(fault(&package).unwrap().contains("expected it from crates.io"));
        let package = serde_json::json!({"name": "x", "license": "MIT", "source": REGISTRY});
        assert_eq!(fault(&package), None);
        let package = serde_json::json!({"name": "x", "license": null, "source": null});
        assert!(fault(&package).unwrap().contains("got none"));
    }
}
