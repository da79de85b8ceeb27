// Bands: what a deeper search may find, as a picture. q10 to q90 light, q25 to q75 dark, and a
// line at the median.

import { make, svg } from "./dom.js";

/// A score as players write it.
export function scoreText({ cp, mate }) {
  if (mate === 0) return "#";
  if (mate !== null && mate !== undefined) return `#${mate}`;
  return `${cp < 0 ? "−" : "+"}${(Math.abs(cp) / 100).toFixed(2)}`;
}

/// The same for a narrow place.
const shortScore = ({ cp, mate }) => (cp === undefined ? scoreText({ mate }) : `${cp < 0 ? "−" : "+"}${(Math.abs(cp) / 100).toFixed(Math.abs(cp) < 950 ? 1 : 0)}`);

/// A score for the ear; it has the numbers that are seen, so that both can be spoken of.
export function scoreWords({ cp, mate }) {
  if (mate === 0) return "checkmate";
  if (mate !== null && mate !== undefined) return `${mate > 0 ? "White" : "Black"} mates in ${Math.abs(mate)}`;
  const size = (Math.abs(cp) / 100).toFixed(2);
  if (Math.abs(cp) < 5) return `equal, ${size}`;
  return `${cp > 0 ? "White" : "Black"} is ${size} pawns better`;
}

const pawns = (cp) => `${cp < 0 ? "−" : "+"}${(Math.abs(cp) / 100).toFixed(2)}`;

/// The band in words.
export function bandText({ quantiles }) {
  return quantiles[0] < quantiles[4] ? `${pawns(quantiles[0])} to ${pawns(quantiles[4])}` : "certain";
}

/// A band from Black's win (left) to White's (right).
export function bandPicture(points) {
  const part = (name, low, high, least = 0) =>
    svg("rect", { class: name, x: 100 * low, y: 0, width: Math.max(100 * (high - low), least), height: 10 });
  return svg(
    "svg",
    { class: "band", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    part("outer", points[0], points[4]),
    part("inner", points[1], points[3]),
    part("middle", 0.4985, 0.5015),
    part("median", points[2] - 0.005, points[2] + 0.005),
  );
}

/// The bar beside the board: White's share up to the median, with the band around it.
export function drawBar(box, verdict, orientation) {
  const points = verdict?.points ?? [0.5, 0.5, 0.5, 0.5, 0.5];
  const at = (share) => 100 * (orientation === "white" ? 1 - share : share);
  const part = (name, low, high, least = 0) => {
    const [top, bottom] = [at(low), at(high)].sort((a, b) => a - b);
    return svg("rect", { class: name, x: 0, y: top - least / 2, width: 10, height: bottom - top + least });
  };
  const label = verdict ? `${scoreWords(verdict.score)}, expected points for White ${verdict.expected.toFixed(2)}` : "Not searched";
  box.replaceChildren(
    svg(
      "svg",
      { viewBox: "0 0 10 100", preserveAspectRatio: "none", role: "img", "aria-label": label },
      part("black-side", 0, 1),
      part("white-side", 0, points[2]),
      verdict && part("outer", points[0], points[4]),
      verdict && part("inner", points[1], points[3]),
      part("median", points[2], points[2], 0.8),
    ),
    make("span", { class: "bar-score", "aria-hidden": "true", text: verdict ? shortScore(verdict.score) : "" }),
  );
}
