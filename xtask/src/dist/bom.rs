//! The bill of materials: every package inside a binary, with version and licence.
//!
//! The form is CycloneDX 1.5, which scanners of known faults read. It comes from Cargo's own
//! list of what the binary is built from on one system; packages only used by tests or while
//! building are left out.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use crate::shell;

/// The bill for the package `brier` on the system `triple`.
pub(crate) fn bill(triple: &str) -> Result<Value, String> {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", triple];
    let text = shell::output_of(&mut shell::cargo(&arguments))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    from_metadata(&metadata)
}

fn from_metadata(metadata: &Value) -> Result<Value, String> {
    let packages: HashMap<&str, &Value> =
        list(&metadata["packages"]).map(|package| (text(&package["id"]), package)).collect();
    let nodes: HashMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();
    let root = packages
        .values()
        .find(|package| package["name"] == "brier")
        .ok_or("expected a package `brier` in cargo metadata, got none")?;

    let mut inside = BTreeSet::new();
    let mut waiting = vec![text(&root["id"])];
    while let Some(id) = waiting.pop() {
        if inside.insert(id) {
            let dependencies = nodes.get(id).into_iter().flat_map(|node| list(&node["deps"]));
            waiting.extend(dependencies.filter(|dep| is_linked(dep)).map(|dep| text(&dep["pkg"])));
        }
    }
    inside.remove(text(&root["id"]));
    let parts: Vec<Value> =
        inside.iter().filter_map(|id| packages.get(id)).map(component).collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(root) },
        "components": parts,
    }))
}

/// Is it part of the program, not only of its build or its tests?
fn is_linked(dependency: &Value) -> bool {
    list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null())
}

fn component(package: &&Value) -> Value {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    json!({
        "type": if name == "brier" { "application" } else { "library" },
        "name": name,
        "version": version,
        "purl": format!("pkg:cargo/{name}@{version}"),
        "licenses": [{ "expression": text(&package["license"]).replace('/', " OR ") }],
    })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str) -> Value {
        json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0" })
    }

    fn edge(to: &str, kind: Value) -> Value {
        json!({ "pkg": to, "dep_kinds": [{ "kind": kind }] })
    }

    #[test]
    fn what_is_linked_is_listed_and_nothing_else() {
        let names = ["brier", "linked", "below", "only-tests", "only-build"];
        let metadata = json!({
            "packages": names.map(package),
            "resolve": { "nodes": [
                { "id": "brier", "deps": [edge("linked", Value::Null),
                    edge("only-tests", json!("dev")), edge("only-build", json!("build"))] },
                { "id": "linked", "deps": [edge("below", Value::Null)] },
            ] },
        });
        let bill = from_metadata(&metadata).unwrap();
        let listed: Vec<&str> = list(&bill["components"]).map(|part| text(&part["name"])).collect();
        assert_eq!(listed, ["below", "linked"]);
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["metadata"]["component"]["type"], "application");
        assert!(from_metadata(&json!({})).is_err());
    }
}
