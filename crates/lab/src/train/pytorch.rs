//! Inputs against Python, and one step against PyTorch: the gradients and the parameters after it.

use std::path::{Path, PathBuf};
use std::process::Command;

use nnue::features::INPUTS;

use super::inputs::Inputs;
use super::inputs::samples::records;
use super::loss::Target;
use super::model::Layout;
use super::optimiser::Schedule;
use super::step::Step;
use super::trainer::Trainer;

const TARGET: Target = Target { scale: 200.0, result_share: 0.3, squared: 4.0 };
const RATE: f64 = 1e-3;
const DECAY: f64 = 0.02;

/// A Python that has torch: `BRIER_PYTHON`, or `python3` on the path.
fn python() -> Option<String> {
    let program = std::env::var("BRIER_PYTHON").unwrap_or_else(|_| "python3".into());
    let has_torch = Command::new(&program).args(["-c", "import torch"]).output().ok()?;
    has_torch.status.success().then_some(program)
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../training/nnue")
}

#[test]
fn inputs_agree_with_python() {
    let python = std::env::var("BRIER_PYTHON").unwrap_or_else(|_| "python3".into());
    let batch = records(300, 20);
    let source = std::env::temp_dir().join(format!("brier-{}-inputs", std::process::id()));
    let bytes: Vec<u8> = batch.iter().flat_map(|record| *record.as_bytes()).collect();
    std::fs::write(&source, bytes).unwrap();
    let run = Command::new(python).arg(scripts().join("inputs.py")).arg(&source).output();
    std::fs::remove_file(&source).unwrap();
    let Ok(run) = run else {
        eprintln!("skipped: no python3 (set BRIER_PYTHON)");
        return;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let sorted = |mut rows: Vec<u32>| {
        rows.sort_unstable();
        rows
    };
    let text = String::from_utf8(run.stdout).unwrap();
    assert_eq!(text.lines().count(), batch.len());
    let mut inputs = Inputs::default();
    for (line, record) in text.lines().zip(&batch) {
        inputs.set(record, true);
        let (us, them) = line.split_once('|').unwrap();
        let theirs =
            |text: &str| sorted(text.split_whitespace().map(|row| row.parse().unwrap()).collect());
        let rows = |side: usize| {
            let threats = inputs.threats[side].iter().map(|threat| INPUTS as u32 + threat);
            sorted(inputs.side(side).iter().copied().chain(threats).collect())
        };
        assert_eq!(rows(0), theirs(us));
        assert_eq!(rows(1), theirs(them));
    }
}

#[test]
fn one_step_agrees_with_pytorch() {
    let Some(python) = python() else {
        eprintln!("skipped: no python3 with torch (set BRIER_PYTHON, or pip install torch)");
        return;
    };
    let layout = Layout::new(64, true);
    let batch = records(200, 21);
    let mut parameters = layout.initial(22);
    // Threats begin at zero, where rounding does nothing.
    let mut random = chess::Rng::new(23);
    for weight in &mut parameters[layout.threat_weights()] {
        *weight = 0.1 * (random.unit() as f32 - 0.5);
    }

    let folder = std::env::temp_dir().join(format!("brier-{}-pytorch", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, answer) = (folder.join("in"), folder.join("out"));
    let mut bytes = Vec::new();
    bytes.extend((layout.ft as u32).to_le_bytes());
    bytes.extend((batch.len() as u32).to_le_bytes());
    for x in [TARGET.scale, TARGET.result_share, TARGET.squared, RATE as f32, DECAY as f32] {
        bytes.extend(x.to_le_bytes());
    }
    bytes.extend(layout.tensors().iter().flat_map(|t| t.limit.to_le_bytes()));
    bytes.extend(parameters.iter().flat_map(|x| x.to_le_bytes()));
    for record in &batch {
        bytes.extend(record.as_bytes());
    }
    std::fs::write(&source, bytes).unwrap();
    let run = Command::new(python)
        .arg(scripts().join("check_step.py"))
        .args([&source, &answer])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let answer = std::fs::read(&answer).unwrap();
    let floats: Vec<f32> =
        answer.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    std::fs::remove_dir_all(folder).unwrap();
    let (their_gradient, their_parameters) = floats.split_at(layout.len());

    let mut step = Step::new(simd::kernels(), layout, 1);
    step.learn(&parameters, &TARGET, &batch, true);
    for (i, (ours, theirs)) in step.gradients().iter().zip(their_gradient).enumerate() {
        let ours = ours / batch.len() as f32;
        let room = 1e-6 + 1e-3 * theirs.abs();
        assert!((ours - theirs).abs() < room, "gradient {i}: {ours} here, {theirs} there");
    }

    let schedule =
        Schedule { peak: RATE, floor: RATE, warm_up: 0, steps: 1, decay: DECAY, threats_every: 1 };
    let mut trainer = Trainer::new(simd::kernels(), layout, TARGET, schedule, 1, parameters);
    trainer.learn(&batch);
    // Adam's first step divides a gradient by itself, so one that is all rounding may turn.
    let clear = |i: usize| their_gradient[i].abs() > 1e-5;
    for (i, (ours, theirs)) in trainer.parameters().iter().zip(their_parameters).enumerate() {
        let room = if clear(i) { 1e-5 } else { 2.1 * RATE as f32 };
        assert!((ours - theirs).abs() < room, "parameter {i}: {ours} here, {theirs} there");
    }
}
