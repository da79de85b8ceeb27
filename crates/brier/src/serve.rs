//! `brier serve`: a page in the browser, on this computer, to move pieces on a board and see what
//! the engine thinks and how sure it is. Crate `serve` is the server.

use std::net::IpAddr;
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use serve::{Port, Setup};

use crate::flags::{EngineArguments, number_of};
use crate::{Failure, output};

/// Where to listen, and how hard to think.
#[derive(Args)]
pub(crate) struct ServeArguments {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 8127, value_name = "N")]
    port: u16,
    /// The address to listen on; 0.0.0.0 serves other computers of the network too
    #[arg(long, default_value = "127.0.0.1", value_name = "IP")]
    address: IpAddr,
    /// Most seconds to think about a position
    #[arg(long, default_value_t = 120, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// Think less than that about a position if the engine is this sure of its move, in percent
    #[arg(long, value_name = "PERCENT")]
    #[arg(value_parser = number_of("UntilSure"))]
    until_sure: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    engine: EngineArguments,
}

/// The table of the engine that plays, in megabytes; its searches are short.
const PLAY_HASH: usize = 16;

/// Serves until it is killed.
pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    // A thread answers each question, and a question may have a megabyte.
    simd::give_back_large_blocks();
    let &ServeArguments { port, address, seconds, .. } = arguments;
    let own = &arguments.engine;
    let engine = |arguments: &EngineArguments| arguments.engine().map_err(Failure::Other);
    let small = EngineArguments { hash: Some(own.hash().min(PLAY_HASH)), ..own.clone() };
    let mut watched = own.clone();
    let until_sure = arguments.until_sure.map(|sure| ("UntilSure".to_owned(), sure.to_string()));
    watched.options.extend(until_sure);
    let setup = Setup {
        watched: engine(&watched)?,
        reviewing: engine(own)?,
        playing: engine(&small)?,
        threads: own.threads(),
        hash: own.hash(),
        longest: Duration::from_secs(u64::from(seconds)),
    };
    let port = Port::bind(address, port).map_err(|error| {
        let hint = "choose another --port, or 0 for any that is free";
        Failure::Other(format!("cannot listen on {address}, port {port}: {error}; {hint}"))
    })?;
    let page = port.page();
    let say = |text: &str| output::line(text).map_err(Failure::Output);
    say(&format!("Brier is at {page} until Ctrl+C ends it"))?;
    if arguments.open && !open(&page) {
        say("No browser was found to open it")?;
    }
    if port.is_public() {
        say("Warning: other computers can reach this server: whoever has the address above can \
             use the engine, and the connection is not encrypted")?;
    }
    port.serve(setup).map_err(|error| Failure::Other(error.to_string()))
}

/// Asks the system for its browser.
fn open(address: &str) -> bool {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}
