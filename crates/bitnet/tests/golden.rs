//! The parts of the model and the whole of it against values that PyTorch computed.
//!
//! `training/bitnet/golden.py` wrote the values; see `training/bitnet/README.md` for how to make new ones
//! when the network changes.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use bitnet::{Model, math};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn golden(name: &str) -> String {
    let path = repository().join("testdata/bitnet").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn parts() -> HashMap<String, Vec<f32>> {
    let line = |line: &str| {
        let (name, values) = line.split_once(": ").unwrap();
        (name.to_string(), values.split(' ').map(|x| x.parse().unwrap()).collect())
    };
    golden("parts.txt").lines().map(line).collect()
}

fn assert_near(got: &[f32], want: &[f32]) {
    assert_eq!(got.len(), want.len());
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        assert!((got - want).abs() < 1e-5 + 1e-5 * want.abs(), "number {i}: {got} is not {want}");
    }
}

#[test]
fn rms_norm() {
    let parts = parts();
    let (x, gain) = (&parts["rms_norm.x"], &parts["rms_norm.gain"]);
    let mut out = vec![0.0; x.len()];
    for (out, x) in out.chunks_mut(gain.len()).zip(x.chunks(gain.len())) {
        math::rms_norm(out, x, gain, 1e-5);
    }
    assert_near(&out, &parts["rms_norm.out"]);
}

#[test]
fn rope() {
    let parts = parts();
    let mut x = parts["rope.x"].clone();
    for (head, position) in x.chunks_mut(16).zip(&parts["rope.positions"]) {
        let (cos, sin) = math::rope_angles(*position as usize, 16, 10_000.0);
        math::rotate(head, &cos, &sin);
    }
    assert_near(&x, &parts["rope.out"]);
}

#[test]
fn attention_with_shared_heads() {
    let parts = parts();
    let (q, k, v) = (&parts["attention.q"], &parts["attention.k"], &parts["attention.v"]);
    let mut out = vec![0.0; q.len()];
    let mut scores = [0.0; 6];
    for (head, (out, q)) in out.chunks_mut(8).zip(q.chunks(8)).enumerate() {
        // Keys and values of the heads 0 and 1, each for two query heads: 6 tokens of 8 numbers.
        let shared = head / 2 * 48..(head / 2 + 1) * 48;
        math::attend(out, q, k[shared.clone()].chunks(8), v[shared].chunks(8), &mut scores);
    }
    assert_near(&out, &parts["attention.out"]);
}

#[test]
fn swiglu() {
    let parts = parts();
    let mut gate = parts["swiglu.gate"].clone();
    math::swiglu(&mut gate, &parts["swiglu.up"]);
    assert_near(&gate, &parts["swiglu.out"]);
}

#[test]
fn whole_model_on_a_hundred_positions() {
    let path = repository().join("nets/policy.gguf");
    let text = golden("positions.txt");
    assert_eq!(text.lines().count(), 100);
    for kernels in simd::all_available() {
        // Tables give the same bits, so the slower ones need not see everything.
        let count = if kernels.name == simd::kernels().name { 100 } else { 5 };
        let model = Model::load(&path, kernels).unwrap();
        let mut run = model.start();
        let mut worst = 0f32;
        for line in text.lines().take(count) {
            let [tokens, after, scores] =
                line.split(" | ").collect::<Vec<_>>().try_into().expect("three fields");
            let tokens: Vec<u16> = tokens.split(' ').map(|t| t.parse().unwrap()).collect();
            let (position, moves) = tokens.split_at(tokens.len() - after.parse::<usize>().unwrap());
            run.clear();
            model.extend(&mut run, position);
            if !moves.is_empty() {
                model.extend(&mut run, moves);
            }
            for pair in scores.split(' ') {
                let (token, want) = pair.split_once(':').unwrap();
                let got = model.logit(&run, token.parse().unwrap());
                worst = worst.max((got - want.parse::<f32>().unwrap()).abs());
            }
        }
        assert!(worst < 1e-3, "{}: scores differ by up to {worst}", kernels.name);
    }
}
