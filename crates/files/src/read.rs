//! Reading: regular files only, and no more of them than expected.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file. A pipe would make us wait for a writer, a device might never end: both
/// are refused before they are opened.
pub fn open(path: &Path) -> io::Result<File> {
    expect_regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // The name may stand for something else by now.
    expect_regular(&file.metadata()?)?;
    Ok(file)
}

/// Opens a regular file or a pipe, for those who use the bytes as they come. A device might never
/// end.
pub fn open_stream(path: &Path) -> io::Result<File> {
    expect_stream(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // The name may stand for something else by now.
    expect_stream(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of a regular file that has at most `most` of them.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_long(length, most));
    }
    let mut bytes = Vec::new();
    // A file may grow while it is read, and some of the kernel's say that they are empty.
    file.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        length if length > most => Err(too_long(length, most)),
        _ => Ok(bytes),
    }
}

fn expect_regular(metadata: &fs::Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(invalid(format!("expected a regular file, got {}", kind(metadata)))),
    }
}

fn expect_stream(metadata: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    let is_pipe = std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type());
    #[cfg(not(unix))]
    let is_pipe = !metadata.is_dir();
    match metadata.is_file() || is_pipe {
        true => Ok(()),
        false => {
            let got = if metadata.is_dir() { "a folder" } else { "a device or a socket" };
            Err(invalid(format!("expected a file or a pipe, got {got}")))
        }
    }
}

fn kind(metadata: &fs::Metadata) -> &'static str {
    if metadata.is_dir() { "a folder" } else { "a pipe, a device or a socket" }
}

fn too_long(length: u64, most: u64) -> io::Error {
    invalid(format!("expected at most {most} bytes, got {length} or more"))
}

fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::tests::Folder;

    #[test]
    fn a_file_within_its_limit_is_read_and_a_longer_one_is_refused() {
        let folder = Folder::new();
        let path = folder.0.join("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        let error = read(&path, 4).unwrap_err().to_string();
        assert!(error.contains("at most 4 bytes, got 5"), "{error}");
    }

    #[test]
    fn folders_are_refused() {
        let error = read(&std::env::temp_dir(), 9).unwrap_err().to_string();
        assert!(error.contains("regular file, got a folder"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused_without_waiting() {
        let folder = Folder::new();
        let pipe = folder.0.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()), "mkfifo is part of every Unix");
        assert!(read(&pipe, 9).unwrap_err().to_string().contains("a pipe"));
        assert!(read(Path::new("/dev/zero"), 9).unwrap_err().to_string().contains("a device"));
    }

    #[cfg(unix)]
    #[test]
    fn a_stream_may_be_a_pipe_but_no_device() {
        let folder = Folder::new();
        let pipe = folder.0.join("pipe");
        let script = "mkfifo \"$0\" && { echo abc > \"$0\" & }";
        let made = std::process::Command::new("sh").args(["-c", script]).arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()), "mkfifo is part of every Unix");
        let mut text = String::new();
        open_stream(&pipe).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc\n");
        let error = |path: &str| open_stream(Path::new(path)).unwrap_err().to_string();
        assert!(error("/dev/zero").contains("expected a file or a pipe, got a device"));
        assert!(error("/dev").contains("got a folder"));
    }
}
