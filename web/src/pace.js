// How long a weak opponent holds a move back, so that it plays as a person does.

/// How long a person would take over a move, in milliseconds. `usual` is what the clock allows for one
/// move, `most` what it can bear; `legal` is the number of moves there are, `confidence` how sure the
/// engine is of its choice (0 to 1), `bell` a number around 0 as a bell curve spreads them.
///
/// Nobody thinks about a forced move or a recapture, openings are known, and the harder the choice,
/// the longer it takes; but never twice the same.
export function personTime({ usual, most, legal, book, recapture, ply, confidence, bell }) {
  const share = legal === 1 ? 0.15 : book ? 0.25 : recapture ? 0.35 : (0.4 + 1.6 * (1 - confidence)) * (ply < 16 ? 0.6 : 1);
  return Math.min(most, Math.max(300, usual * share * Math.exp(0.45 * bell)));
}

/// Near 0 most often, seldom beyond 2 either way.
export const bell = () => Array.from({ length: 6 }, Math.random).reduce((sum, part) => sum + part - 0.5, 0) * Math.SQRT2;
