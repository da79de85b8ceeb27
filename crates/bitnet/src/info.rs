//! What is in a file: the text of `brier policy info`.

use std::fmt::Write;
use std::path::Path;

use crate::config::Config;
use crate::gguf::{Gguf, GgufError, read_file, verify};

/// Describes a file: its metadata, its tensors, and whether it is a model this engine can run.
pub fn describe(path: &Path) -> Result<String, GgufError> {
    let bytes = read_file(path)?;
    let file = Gguf::parse(&bytes)?;
    let mut out = text(&file, bytes.len());
    // Writing to a string cannot fail.
    let _ = match verify(&bytes) {
        Ok(()) => writeln!(out, "checksum: right"),
        Err(error) => writeln!(out, "checksum: {error}"),
    };
    Ok(out)
}

fn text(file: &Gguf<'_>, size: usize) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ =
        writeln!(out, "GGUF version {}, {size} bytes, alignment {}", file.version, file.alignment);
    let _ = writeln!(out, "\n{} keys", file.metadata.len());
    let width = file.metadata.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, value) in &file.metadata {
        // A long text in a file must not flood the terminal, nor send it control characters.
        let shown: String = value.to_string().chars().take(100).collect();
        let shown = shown.escape_debug();
        let _ = writeln!(
            out,
            "  {:width$}  {:6}  {shown}",
            key.escape_debug().to_string(),
            format!("{:?}", value.kind())
        );
    }
    let _ = writeln!(out, "\n{} tensors", file.tensors.len());
    let width = file.tensors.iter().map(|tensor| tensor.name.len()).max().unwrap_or(0);
    for tensor in &file.tensors {
        let shape: Vec<String> = tensor.shape.iter().map(u64::to_string).collect();
        let (name, kind, bytes) = (tensor.name, tensor.kind.name(), tensor.data.len());
        let shape = shape.join(" × ");
        let _ = writeln!(
            out,
            "  {:width$}  {kind:6}  {shape:12}  {bytes:>9} bytes",
            name.escape_debug().to_string()
        );
    }
    let _ = match Config::read(file) {
        Ok(c) => writeln!(
            out,
            "\n{} layers of width {}, {} heads of {} ({} for keys), feed-forward {}, context {}: \
             {:.2} million ternary weights",
            c.layers,
            c.width,
            c.heads,
            c.head_size,
            c.kv_heads,
            c.feed_forward,
            c.context,
            c.ternary_weights() as f64 / 1e6
        ),
        Err(error) => writeln!(out, "\nnot a policy of this engine: {error}"),
    };
    out
}

#[cfg(test)]
mod tests {
    use super::{Gguf, text};
    use crate::gguf::{TensorType, Value, Writer};

    #[test]
    fn lists_everything_and_escapes_control_characters() {
        let mut file = Writer::default();
        file.set("general.name", Value::String("a\u{1b}[31m"));
        file.tensor("t", TensorType::F32, &[2, 3], &[0; 24]);
        let bytes = file.to_bytes();
        let text = text(&Gguf::parse(&bytes).unwrap(), bytes.len());
        assert!(
            text.contains("general.name") && text.contains("2 × 3") && text.contains("24 bytes")
        );
        assert!(text.contains("general.architecture") && !text.contains('\u{1b}'), "{text}");
    }
}
