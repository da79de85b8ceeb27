//! Where a server listens, and the engines it starts with.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use engine::{Engine, Limits, OptionError};
use http::connection::{Places, Refused};
use http::gate::{self, Gate};
use review::searcher::Searcher;

use crate::contract::AboutAnswer;
use crate::player::Player;
use crate::server::{Engines, Server};
use crate::work::{Usual, networks};

/// The largest table that the page may ask for, in megabytes, if no larger one was asked for
/// when the server was started.
const HASH: u32 = 1024;

/// The engines that work for the page, and what it may ask of them.
pub struct Setup {
    /// Searches positions that people look at.
    pub watched: Engine,
    /// Searches whole games.
    pub reviewing: Engine,
    /// Plays games.
    pub playing: Engine,
    /// Threads of a search, if the page does not say.
    pub threads: u16,
    /// Megabytes of a search's table, if the page does not say.
    pub hash: usize,
    /// The longest search of one position.
    pub longest: Duration,
}

/// A place at which a server listens.
pub struct Port {
    listener: TcpListener,
    gate: Gate,
    place: SocketAddr,
}

impl Port {
    /// Takes a port; 0 is any that is free.
    pub fn bind(address: IpAddr, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((address, port))?;
        let place = listener.local_addr()?;
        Ok(Self { listener, gate: Gate::new(place), place })
    }

    /// Can other computers reach it?
    pub fn is_public(&self) -> bool {
        self.gate.token().is_some()
    }

    /// What to type into a browser, token and all. The token is in the part that browsers keep to
    /// themselves.
    pub fn page(&self) -> String {
        let mut place = gate::shown(self.place);
        if place.ip().is_unspecified() {
            place.set_ip(own_address().unwrap_or(place.ip()));
        }
        match self.gate.token() {
            None => format!("http://{place}/"),
            Some(token) => format!("http://{place}/#token={token}"),
        }
    }

    /// Serves until the program ends.
    pub fn serve(self, setup: Setup) -> Result<(), OptionError> {
        let Setup { watched, reviewing, playing, threads, hash, longest } = setup;
        let (threads, hash) = (u32::from(threads), u32::try_from(hash).unwrap_or(u32::MAX));
        // Others may use what the owner has set aside; the owner may use the whole computer.
        let alone = !self.is_public();
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let tablebases = watched.tablebases();
        let usual = Usual {
            networks: networks(&watched.options().eval_file),
            risk: watched.options().risk,
            sure: u32::from(watched.options().until_sure),
            probe_limit: watched.options().syzygy_probe_limit,
        };
        let about = AboutAnswer {
            version: env!("CARGO_PKG_VERSION"),
            threads,
            most_threads: if alone { cores.max(threads) } else { threads },
            hash,
            most_hash: if alone { HASH.max(hash) } else { hash },
            networks: usual.networks.iter().map(|(name, _)| name.clone()).collect(),
            sure: usual.sure,
            tablebases: tablebases.as_ref().map_or(0, |tables| tables.max_men()),
        };
        let engines = Engines {
            watched: Searcher::new(watched, Limits::default()),
            reviewing: Searcher::new(reviewing, Limits::default()),
            playing: Player::new(playing)?,
            tablebases,
        };
        let server = Arc::new(Server::new(about, usual, engines, longest, self.gate));
        let (places, mut turned_away) = (Arc::new(Places::default()), Refused::default());
        for stream in self.listener.incoming() {
            let Ok(stream) = stream else {
                // Too many open files, most likely: some will be closed soon.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let Some(place) = places.enter(&stream) else {
                turned_away.refuse(stream);
                continue;
            };
            let server = Arc::clone(&server);
            // If there is no thread to be had the connection is closed, and the browser says so.
            let _ = thread::Builder::new().spawn(move || server.serve(stream, &place));
        }
        Ok(())
    }
}

/// This computer's address on its network, if it is on one: where packets to elsewhere would come
/// from. None is sent; the other address is one that documents use.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind(("0.0.0.0", 0)).ok()?;
    socket.connect(("192.0.2.1", 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}
