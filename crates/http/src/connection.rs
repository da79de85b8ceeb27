//! Connections: each with a deadline, a bounded number of them, and nobody who can hold them all.
//!
//! A thread serves a connection. When there are as many as there may be, a newcomer takes the place
//! of whoever has been sending its request longest, and is refused, without a thread, only when all
//! others are being answered. So clients that send a byte now and then cannot keep people out.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::message::{self, Status};

/// A request must arrive, and any piece of an answer must be taken, within this time.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most connections at a time; a browser opens six for each window.
const MOST: usize = 48;
/// A request that has been arriving for this long may lose its place.
const GRACE: Duration = Duration::from_secs(1);
/// Most bytes read after an answer, so that it is not lost on its way.
const LEFTOVERS: u64 = 64 << 10;

/// A stream that fails when its time is up, however small the steps in which it gets on.
pub struct Connection {
    stream: TcpStream,
    deadline: Instant,
}

impl Connection {
    /// A connection whose request has yet to come.
    pub fn new(stream: TcpStream) -> Self {
        // Both only make it quicker.
        let _ = stream.set_nodelay(true);
        Self { stream, deadline: Instant::now() + PATIENCE }
    }

    /// The next piece of an answer has its own time.
    pub fn renew(&mut self) {
        self.deadline = Instant::now() + PATIENCE;
    }

    /// What it goes through.
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Ends the answer. A connection closed over bytes that were not read may lose what was sent.
    pub fn close(mut self) {
        self.deadline = Instant::now() + GRACE;
        let _ = self.stream.shutdown(Shutdown::Write);
        let _ = io::copy(&mut (&mut self).take(LEFTOVERS), &mut io::sink());
    }

    /// The time that is left.
    fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// All open connections.
#[derive(Default)]
pub struct Places {
    open: Mutex<Vec<Open>>,
}

/// What is known of a connection.
struct Open {
    /// Its own, to be found again; the same as the connection's.
    stream: Arc<TcpStream>,
    since: Instant,
    stage: Stage,
}

#[derive(Copy, Clone, PartialEq)]
enum Stage {
    /// Its request is on the way.
    Arriving,
    /// It is being answered.
    Answered,
    /// It has lost its place, and its thread will notice at once.
    Ended,
}

/// A connection's place, free again when this is dropped.
pub struct Place {
    places: Arc<Places>,
    stream: Arc<TcpStream>,
}

impl Places {
    /// A place for a newcomer, if need be the one of a slow sender.
    pub fn enter(self: &Arc<Self>, stream: &TcpStream) -> Option<Place> {
        let mut open = self.lock();
        let busy = open.iter().filter(|other| other.stage != Stage::Ended).count();
        // Threads that are about to end are threads still.
        if busy >= MOST && (open.len() >= 2 * MOST || !evict(&mut open)) {
            return None;
        }
        let stream = Arc::new(stream.try_clone().ok()?);
        let since = Instant::now();
        open.push(Open { stream: Arc::clone(&stream), since, stage: Stage::Arriving });
        Some(Place { places: Arc::clone(self), stream })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Open>> {
        // Nothing that is done under the lock can leave the list half changed.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the connection whose request has been arriving longest; false if none has been for long.
fn evict(open: &mut [Open]) -> bool {
    let arriving = open.iter_mut().filter(|other| other.stage == Stage::Arriving);
    let Some(oldest) = arriving.min_by_key(|other| other.since) else { return false };
    if oldest.since.elapsed() < GRACE {
        return false;
    }
    oldest.stage = Stage::Ended;
    let _ = oldest.stream.shutdown(Shutdown::Both);
    true
}

impl Place {
    /// The request is there: nobody takes this place any more.
    pub fn arrived(&self) {
        let mut open = self.places.lock();
        let mine = open.iter_mut().find(|other| Arc::ptr_eq(&other.stream, &self.stream));
        if let Some(mine) = mine
            && mine.stage == Stage::Arriving
        {
            mine.stage = Stage::Answered;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().retain(|other| !Arc::ptr_eq(&other.stream, &self.stream));
    }
}

/// Those who were refused without a thread. They stay half open for a while, because a connection
/// closed over a request that was not read may lose the refusal; the oldest go first.
#[derive(Default)]
pub struct Refused {
    streams: VecDeque<TcpStream>,
}

impl Refused {
    /// Refuses a connection for want of a place.
    pub fn refuse(&mut self, mut stream: TcpStream) {
        let body = "{\"error\":\"too many connections, try again\"}";
        // A few hundred bytes fit into the system's buffer, so this never waits.
        if stream.set_nonblocking(true).is_ok() {
            let _ = message::answer(&mut stream, Status::Busy, "application/json", body, false);
            let _ = stream.shutdown(Shutdown::Write);
            self.streams.push_back(stream);
        }
        if self.streams.len() > MOST {
            self.streams.pop_front();
        }
    }
}
