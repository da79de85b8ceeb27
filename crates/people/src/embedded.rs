//! The network that is built in.

use std::sync::{Arc, OnceLock};

use crate::Net;

/// The built-in network, read once for all who ask.
#[expect(clippy::missing_panics_doc, reason = "a test reads the same bytes")]
pub fn embedded() -> Arc<Net> {
    static NET: OnceLock<Arc<Net>> = OnceLock::new();
    let read = || {
        let net = Net::parse(include_bytes!("../data/people.net"));
        Arc::new(net.expect("the built-in network was checked by a test"))
    };
    Arc::clone(NET.get_or_init(read))
}
