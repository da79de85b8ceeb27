//! The progress bars that several commands share.

use indicatif::{ProgressBar, ProgressStyle};

fn style(template: &str) -> ProgressStyle {
    // The templates are the constants below; if one were wrong the default style would do.
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─")
}

/// A bar over things of a known number.
pub(crate) fn counter(what: &str, total: u64) -> ProgressBar {
    let template = format!(
        "{{bar:30.green}} {{human_pos}}/{{human_len}} {what}, {{elapsed}} gone, {{eta}} left  {{wide_msg}}"
    );
    ProgressBar::new(total).with_style(style(&template))
}

/// A bar over bytes.
pub(crate) fn bytes(total: u64) -> ProgressBar {
    let template = "{bar:30.green} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left  {wide_msg}";
    ProgressBar::new(total).with_style(style(template))
}
