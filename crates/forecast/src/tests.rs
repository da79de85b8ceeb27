//! The shipped model, and files that are none.

use eval::forecast::MEMORY;

use super::*;

/// Facts of all kinds, likely and unlikely ones.
fn any_facts(count: usize) -> impl Iterator<Item = Facts> {
    let mut rng = chess::Rng::new(3);
    let mut next = move |bound| rng.below(bound) as i32;
    (0..count).map(move |_| {
        let score = next(6000) - 3000;
        let five = |q50: i32, width: i32| Quantiles::from_gaps(q50, [width, width / 2, width, 2]);
        Facts {
            depth: 1 + next(60),
            seldepth: next(100),
            nodes: 1 << next(40),
            score,
            scores: [0; MEMORY].map(|_| score + next(300) - 150),
            stood: next(20),
            changes: next(8),
            fails_low: next(4),
            fails_high: next(4),
            share: next(1001),
            rival_share: next(1001),
            latest_share: next(1001),
            lead: next(400) - 200,
            noisy: next(2) == 1,
            behind: if next(3) == 0 { next(200) } else { 0 },
            root: five(score + next(200) - 100, next(300)),
            leaf: five(score, next(300)),
            correction: next(100) - 50,
            men: 3 + next(30),
            moves: 1 + next(60),
            fifty: next(100),
            check: next(2) == 1,
            length: 1 + next(40),
            drawn: next(10) == 0,
            tablebases: next(10) == 0,
            last_width: next(3) * next(400),
            sunk: next(200),
            risen: next(200),
            unfinished: next(1001),
        }
    })
}

#[test]
fn the_shipped_model_never_crosses() {
    let model = Model::embedded();
    for facts in any_facts(20_000) {
        let Forecast { quantiles, confidence } = model.forecast(&facts);
        assert!(quantiles.to_array().is_sorted(), "{facts:?}: {quantiles:?}");
        assert!(confidence <= 1000);
    }
}

#[test]
fn the_ends_of_the_scale_are_no_trouble() {
    let model = Model::embedded();
    let limit = eval::score::EVAL_LIMIT;
    for score in [-limit, limit] {
        let facts = Facts { score, scores: [-score; MEMORY], nodes: u64::MAX, ..Facts::default() };
        let five = model.forecast(&facts).quantiles.to_array();
        assert!(five.is_sorted() && five.iter().all(|q| q.abs() <= limit));
    }
}

#[test]
fn writing_and_reading_agree() {
    let model = Model::embedded();
    assert_eq!(Model::from_bytes(&model.to_bytes()).as_ref(), Ok(&*model));
}

#[test]
fn damaged_files_are_refused_with_a_reason() {
    let whole = Model::embedded().to_bytes();
    for length in (0..whole.len()).step_by(97) {
        assert!(Model::from_bytes(&whole[..length]).is_err(), "{length} bytes");
    }
    for at in (0..whole.len()).step_by(41) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        let reason = Model::from_bytes(&bytes).unwrap_err().to_string();
        assert!(reason.starts_with("expected "), "{reason}");
    }
    let mut more = whole;
    more.push(0);
    assert!(matches!(Model::from_bytes(&more), Err(ModelError::Checksum { .. })));
}

/// What the checksum does not catch, because it is right.
#[test]
fn nonsense_is_refused() {
    let model = Model::embedded();
    let mut wrong = (*model).clone();
    wrong.correction.confidence = vec![(5, 100), (5, 200)];
    assert!(matches!(Model::from_bytes(&wrong.to_bytes()), Err(ModelError::Range { .. })));
    wrong = (*model).clone();
    wrong.correction.reach = vec![(5, 100), (6, -1)];
    assert!(matches!(Model::from_bytes(&wrong.to_bytes()), Err(ModelError::Range { .. })));
    wrong = (*model).clone();
    wrong.correction.groups[1][2] = -1;
    assert!(matches!(Model::from_bytes(&wrong.to_bytes()), Err(ModelError::Range { .. })));
    wrong = (*model).clone();
    wrong.confidence.trees[0].splits[0].feature = COUNT as u8;
    let reason = Model::from_bytes(&wrong.to_bytes()).unwrap_err().to_string();
    assert_eq!(reason, format!("expected a sensible feature in a forecast model, got {COUNT}"));
}

/// A person who watches a search sees the band breathe, not jump.
#[test]
fn the_width_changes_in_steps() {
    let model = Model::embedded();
    for facts in any_facts(2000) {
        let free = model.forecast(&Facts { last_width: 0, ..facts }).quantiles;
        for last_width in [10, 100, 1000] {
            let steady = model.forecast(&Facts { last_width, ..facts }).quantiles;
            let (width, last) = (f64::from(steady.uncertainty()), f64::from(last_width));
            assert!(steady.to_array().is_sorted());
            // A point of rounding at each end; near decided games bands are cut.
            let most = last * 1.4 + 2.0;
            assert!(free.uncertainty() == 0 || width <= most, "{width} after {last}");
            let cut = steady.to_array().iter().any(|q| q.abs() >= eval::score::EVAL_LIMIT);
            assert!(
                free.uncertainty() == 0 || cut || width >= last / 1.4 - 3.0,
                "{width} after {last}"
            );
        }
    }
}
