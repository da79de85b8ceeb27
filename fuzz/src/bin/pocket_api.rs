#![no_main]
brier_fuzz::target!("pocket_api");
