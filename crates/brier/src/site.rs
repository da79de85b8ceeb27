//! `brier site`: the page of `brier serve` as files that any web server can hand out, with an engine that runs in
//! the browser. Crate `serve` has the files.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serve::site;

/// Most bytes of a file of an engine for browsers: several times what it has.
const LARGEST: u64 = 64 << 20;

/// Where archives have such an engine, and where packages of Linux do, beside the folder of the program.
const PLACES: [&str; 2] = ["browser", "../share/brier"];

/// Where to write.
#[derive(Args)]
pub(crate) struct SiteArguments {
    /// The folder to write; its files of the same names are replaced
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The engine for browsers: the folder with brier.wasm.packed and default.nnue.packed, as `js` of the package
    /// brier-chess; if not given, the folder `browser` beside the program
    #[arg(long, value_name = "FOLDER")]
    engine: Option<PathBuf>,
}

/// Writes the files.
pub(crate) fn run(arguments: &SiteArguments) -> Result<(), String> {
    let SiteArguments { out, engine } = arguments;
    let engine = match engine {
        Some(engine) => engine.clone(),
        None => own_engine()?,
    };
    let [module, network] = site::ENGINE_FILES.map(|name| read(&engine.join(name)));
    let parts = [module?, network?];
    let written = site::files(&parts).map_err(|error| format!("{}: {error}", engine.display()))?;
    fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    for (name, bytes) in &written {
        let path = out.join(name);
        files::replace(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// The folder of the engine that came with this program.
fn own_engine() -> Result<PathBuf, String> {
    let program = std::env::current_exe()
        .map_err(|error| format!("cannot find this program's folder: {error}"))?;
    let [beside, shared] = PLACES.map(|place| program.with_file_name(place));
    Ok(if shared.is_dir() { shared } else { beside })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    files::read(path, LARGEST).map_err(|error| {
        let hint =
            "the package for browsers has it: `cargo xtask dist wasm`, or npm's `brier-chess`";
        format!("expected the engine for browsers at {}: {error}; {hint}", path.display())
    })
}
