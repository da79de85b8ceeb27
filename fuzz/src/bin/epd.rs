#![no_main]
brier_fuzz::target!("epd");
