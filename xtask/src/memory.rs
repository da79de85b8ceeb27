//! The memory of a running program over time, as Linux shows it: does it grow?

use std::fs;
use std::path::Path;

/// Resident memory in kilobytes, sample after sample.
#[derive(Default)]
pub(crate) struct Memory {
    samples: Vec<u64>,
}

impl Memory {
    /// Takes a sample of a process, if it is there still.
    pub(crate) fn sample(&mut self, process: u32) {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        self.samples.extend(resident(&status));
    }

    /// The mean of the tenth part of the run that begins after a fifth, of the last tenth, and the
    /// most. The first fifth is left out: a program fills its tables and buffers then.
    pub(crate) fn report(&self) -> String {
        let [early, late] = [2, 9].map(|tenth| {
            let part = &self.samples
                [self.samples.len() * tenth / 10..self.samples.len() * (tenth + 1) / 10];
            part.iter().sum::<u64>() as f64 / part.len().max(1) as f64 / 1024.0
        });
        let most = self.samples.iter().max().copied().unwrap_or_default() as f64 / 1024.0;
        let count = self.samples.len();
        format!(
            "{early:.1} MB after a fifth of the time, {late:.1} MB at the end, {most:.1} MB at most \
             ({count} samples)"
        )
    }
}

fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The process that runs this very file.
pub(crate) fn process_of(program: &Path) -> Option<u32> {
    let entries = fs::read_dir("/proc").ok()?;
    entries.flatten().find_map(|entry| {
        let running = fs::read_link(entry.path().join("exe")).ok()?;
        (running == program).then(|| entry.file_name().to_str()?.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_shows_between_the_early_and_the_late_part() {
        let mut memory = Memory::default();
        memory.samples.extend((0..100).map(|minute| 1024 * minute));
        assert!(
            memory.report().starts_with("24.5 MB after a fifth of the time, 94.5 MB at the end")
        );
        assert!(Memory::default().report().contains("0 samples"));
    }

    #[test]
    fn the_resident_size_is_read_from_the_status() {
        assert_eq!(resident("Name:\tbrier\nVmRSS:\t   1234 kB\nThreads:\t3\n"), Some(1234));
        assert_eq!(resident("Name:\tbrier\n"), None);
    }
}
