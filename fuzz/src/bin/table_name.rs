#![no_main]
brier_fuzz::target!("table_name");
