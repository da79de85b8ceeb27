//! Files against the `gguf` package of the GGML projects, and scores against PyTorch itself.
//!
//! Each test skips, and says so, where Python does not have the packages it needs.

use std::path::{Path, PathBuf};
use std::process::Command;

use bitnet::gguf::{Gguf, TensorType, Value, Writer, decode_ternary, encode_ternary};
use bitnet::synthetic::random_file;
use bitnet::{Config, Model};

/// Runs a Python program; `None`, with the reason on standard error, if a package is missing.
#[expect(clippy::print_stderr, reason = "a skipped test says why")]
fn python(packages: &str, arguments: &[&str]) -> Option<String> {
    let import = format!("import {packages}");
    let found = Command::new("python3").args(["-c", &import]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 with the packages {packages} is not here");
        return None;
    }
    let output = Command::new("python3").args(arguments).output().expect("python3 was found");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file that is removed in the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        Temporary(std::env::temp_dir().join(format!("brier-{}-{name}", std::process::id())))
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("the name is plain")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It may never have been written.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn weights() -> Vec<i8> {
    (0..1024).map(|i| (i * i / 7 % 3) as i8 - 1).collect()
}

const READ: &str = "
import sys, gguf, numpy
reader = gguf.GGUFReader(sys.argv[1])
for name in ('general.architecture', 'count', 'ratio', 'yes'):
    print(name, reader.fields[name].contents())
for tensor in reader.tensors:
    data = tensor.data
    if tensor.tensor_type.name.startswith('TQ'):
        data = gguf.quants.dequantize(data, tensor.tensor_type)
    numbers = numpy.array(data).flatten().astype(float)
    print(tensor.name, tensor.tensor_type.name, *tensor.shape, '|', *numbers[:300])
";

#[test]
fn the_gguf_package_reads_what_we_write() {
    let mut file = Writer::default();
    file.set("general.architecture", Value::String("brier"));
    file.set("count", Value::U64(1 << 40));
    file.set("ratio", Value::F32(0.5));
    file.set("yes", Value::Bool(true));
    let halves = [1.0f32, -2.0].map(|x| bitnet::gguf::f32_to_f16(x).to_le_bytes()).concat();
    file.tensor("half", TensorType::F16, &[2], &halves);
    file.tensor("byte", TensorType::I8, &[3], &[1, 255, 3]);
    for (name, kind) in [("five", TensorType::Tq1), ("four", TensorType::Tq2)] {
        file.tensor(name, kind, &[512, 2], &encode_ternary(kind, &weights(), 0.25));
    }
    let path = Temporary::new("ours.gguf");
    std::fs::write(&path.0, file.to_bytes()).unwrap();
    let Some(text) = python("gguf", &["-c", READ, path.text()]) else { return };
    let numbers: Vec<String> =
        weights()[..300].iter().map(|&w| format!("{:?}", f64::from(w) * 0.25)).collect();
    // Python writes a negative zero as such.
    let numbers = numbers.join(" ");
    let text = text.replace("-0.0 ", "0.0 ");
    for line in [
        "general.architecture brier",
        "count 1099511627776",
        "ratio 0.5",
        "yes True",
        "half F16 2 | 1.0 -2.0",
        "byte I8 3 | 1.0 -1.0 3.0",
        &format!("five TQ1_0 512 2 | {}", numbers.replace("-0.0 ", "0.0 ")),
        &format!("four TQ2_0 512 2 | {}", numbers.replace("-0.0 ", "0.0 ")),
    ] {
        assert!(text.lines().any(|other| other == line), "expected the line {line:?} in\n{text}");
    }
}

#[test]
fn the_gguf_package_reads_a_whole_model() {
    let config = Config { layers: 1, ..Config::REFERENCE };
    let path = Temporary::new("model.gguf");
    std::fs::write(&path.0, random_file(&config, TensorType::Tq2, 4)).unwrap();
    let program = "import sys, gguf; print(len(gguf.GGUFReader(sys.argv[1]).tensors))";
    let Some(text) = python("gguf", &["-c", program, path.text()]) else { return };
    assert_eq!(text.trim(), "14");
}

const WRITE: &str = "
import sys, gguf, numpy
w = gguf.GGUFWriter(sys.argv[1], 'brier')
w.add_uint32('count', 7)
w.add_array('names', ['a', 'bc'])
w.add_tensor('half', numpy.array([1.5, -2], dtype=numpy.float16))
weights = numpy.array([i * i // 7 % 3 - 1 for i in range(1024)], dtype=numpy.float32).reshape(2, 512)
for kind in (gguf.GGMLQuantizationType.TQ1_0, gguf.GGMLQuantizationType.TQ2_0):
    w.add_tensor(kind.name, gguf.quants.quantize(weights * 0.25, kind), raw_dtype=kind)
w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()
";

#[test]
fn we_read_what_the_gguf_package_writes() {
    let path = Temporary::new("theirs.gguf");
    if python("gguf", &["-c", WRITE, path.text()]).is_none() {
        return;
    }
    let bytes = std::fs::read(&path.0).unwrap();
    let file = Gguf::parse(&bytes).unwrap();
    assert_eq!(file.value("general.architecture"), Some(&Value::String("brier")));
    assert_eq!(file.value("count").and_then(Value::as_count), Some(7));
    assert!(matches!(file.value("names"), Some(Value::Array(array)) if array.len == 2));
    assert_eq!(file.tensor("half").unwrap().data, [0x00, 0x3E, 0x00, 0xC0]);
    for (name, kind) in [("TQ1_0", TensorType::Tq1), ("TQ2_0", TensorType::Tq2)] {
        let tensor = file.tensor(name).unwrap();
        assert_eq!((tensor.kind, &tensor.shape[..]), (kind, &[512, 2][..]));
        let mut got = Vec::new();
        let scale = decode_ternary(kind, tensor.data, |block| got.extend_from_slice(block));
        assert_eq!(scale, Ok(0.25), "{name}");
        assert_eq!(got, weights(), "{name}");
        assert_eq!(tensor.data, encode_ternary(kind, &weights(), 0.25), "{name}: the same bytes");
    }
}

#[test]
fn pytorch_gives_the_scores_of_the_golden_file() {
    let folder = repository();
    let program = folder.join("training/bitnet/golden.py");
    let net = folder.join("nets/policy.gguf");
    let golden = folder.join("testdata/bitnet/positions.txt");
    let arguments = [&program, &net, &golden].map(|path| path.to_str().expect("a plain path"));
    let [program, net, golden] = arguments;
    let Some(text) = python("torch, gguf", &[program, "check", net, golden, "--count", "3"]) else {
        return;
    };
    assert!(text.contains("3 positions agree"), "{text}");
    // The file that PyTorch read loads here too.
    assert!(Model::load(Path::new(net), simd::kernels()).is_ok());
}
