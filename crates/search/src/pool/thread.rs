//! The life of a search thread: wait for a command, do it, wait again.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use eval::Evaluator;

use super::command::{Command, obey};
use super::engine::Factory;
use super::worker::{Worker, has_room};

/// The stack of a thread, in bytes.
const STACK: usize = 16 << 20;

/// What GNU's allocator may set apart for a new thread at its first allocation, in bytes. It does without
/// if there is less; but if just as much is left, it takes all.
const POOL: usize = if cfg!(target_env = "gnu") { 64 << 20 } else { 0 };

/// Memory that must be free when a thread is started, in bytes: its stack, its pool, its histories, and
/// as much again for the rest. In one block of more than 32 MB, because GNU's allocator gets such blocks
/// from the system and gives them back at once; a smaller one it might keep.
const ROOM: usize = STACK + POOL + (20 << 20);

/// A thread as the engine has it.
pub(crate) struct Thread<E> {
    commands: Sender<Command<E>>,
    handle: JoinHandle<()>,
}

impl<E: Evaluator + 'static> Thread<E> {
    /// Starts a thread and waits until it has all the memory it needs.
    pub(crate) fn start(id: usize, factory: &Factory<E>) -> io::Result<Self> {
        // The first steps of a thread are the standard library's: without memory for them it ends
        // the program. So the stack must not be the last that fits.
        if !has_room(ROOM) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let (commands, inbox) = channel();
        let (ready, answer) = channel();
        let factory = Arc::clone(factory);
        let handle = Builder::new()
            .name(format!("search {id}"))
            .stack_size(STACK)
            .spawn(move || run(id, &factory, &ready, &inbox))?;
        let thread = Self { commands, handle };
        if answer.recv() != Ok(true) {
            thread.end();
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        Ok(thread)
    }

    /// Asks it to do something; a thread that is gone has nothing to do any more.
    pub(crate) fn send(&self, command: Command<E>) {
        let _ = self.commands.send(command);
    }
}

impl<E> Thread<E> {
    /// Lets it go and waits until it is gone.
    pub(crate) fn end(self) {
        drop(self.commands);
        let _ = self.handle.join();
    }
}

/// Makes a worker, says through `ready` whether there was memory for it, and runs until the engine
/// lets go of the other end of the channel.
fn run<E: Evaluator>(
    id: usize,
    factory: &Factory<E>,
    ready: &Sender<bool>,
    inbox: &Receiver<Command<E>>,
) {
    let worker = Worker::try_new(id, factory);
    // Nobody may be waiting any more; the inbox is closed then.
    let _ = ready.send(worker.is_some());
    let Some(mut worker) = worker else { return };
    for command in inbox {
        obey(&mut worker, command);
    }
}
