//! `brier site`: the page of `brier serve` as files that any web server can hand out, with an engine that runs in
//! the browser. Crate `serve` has the files.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use serve::site;

/// Most bytes of an engine for browsers: several times what it has.
const LARGEST: u64 = 64 << 20;

/// Where to write.
#[derive(Args)]
pub(crate) struct SiteArguments {
    /// The folder to write; its files of the same names are replaced
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The engine for browsers: brier.wasm.packed of the package brier-chess; the file beside the program if not
    /// given
    #[arg(long, value_name = "FILE")]
    engine: Option<PathBuf>,
}

/// Writes the files.
pub(crate) fn run(arguments: &SiteArguments) -> Result<(), String> {
    let SiteArguments { out, engine } = arguments;
    let engine = match engine {
        Some(engine) => engine.clone(),
        None => std::env::current_exe()
            .map_err(|error| format!("cannot find this program's folder: {error}"))?
            .with_file_name(site::MODULE),
    };
    let module = files::read(&engine, LARGEST).map_err(|error| {
        let hint =
            "the package for browsers has it: `cargo xtask dist wasm`, or npm's `brier-chess`";
        format!("expected the engine for browsers at {}: {error}; {hint}", engine.display())
    })?;
    let written = site::files(&module).map_err(|error| format!("{}: {error}", engine.display()))?;
    fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    for (name, bytes) in &written {
        let path = out.join(name);
        files::replace(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
