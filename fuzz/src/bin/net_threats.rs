#![no_main]
brier_fuzz::target!("net_threats");
