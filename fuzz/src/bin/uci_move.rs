#![no_main]
brier_fuzz::target!("uci_move");
