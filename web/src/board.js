// The board: chessground for the eye and the pointer, and over it a grid of 64 cells for the
// keyboard and for screen readers.

import { Chessground } from "@lichess-org/chessground";
import { castlingSide } from "chessops/chess";
import { makeSquare, parseSquare } from "chessops/util";
import { announce, byId, make } from "./dom.js";
import { destinations, pieceName, position } from "./rules.js";

const FILES = "abcdefgh";

export class Board {
  /// `play(move)` is called with a legal move, `draw(shapes)` with what people have drawn.
  constructor({ play, draw }) {
    this.play = play;
    this.view = null;
    this.orientation = "white";
    this.moves = new Map();
    this.focus = "e2";
    this.held = null;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.ground = Chessground(byId("board"), {
      animation: { enabled: !calm, duration: 160 },
      highlight: { lastMove: true, check: true },
      movable: { free: false, color: "both", rookCastle: true, events: { after: (from, to) => this.moved(from, to) } },
      premovable: { enabled: false },
      draggable: { showGhost: true },
      drawable: { enabled: true, onChange: draw, brushes: BRUSHES },
      coordinates: true,
      ranksPosition: "left",
    });
    // Chessground remembers where it is; a message above the board moves it.
    byId("board").addEventListener("pointerdown", () => this.ground.state.dom.bounds.clear(), { capture: true });
    this.cells = this.makeCells();
  }

  /// Shows a position. `view` has `fen`, `last` (squares), `shapes` (drawn by people), `arrows`
  /// (drawn by the engine), `movable` (a colour, "both" or nothing) and `preview`.
  show(view) {
    const pos = position(view.fen);
    const { dests, moves } = destinations(pos);
    const same = this.view?.fen === view.fen && !this.view.preview === !view.preview;
    this.view = view;
    this.pos = pos;
    this.moves = moves;
    this.held = same ? this.held : null;
    const color = view.preview ? undefined : view.movable;
    const config = {
      orientation: this.orientation,
      turnColor: pos.turn,
      check: pos.isCheck() ? pos.turn : false,
      lastMove: view.last ?? undefined,
      viewOnly: false,
      movable: { color, dests: color === "both" || color === pos.turn ? dests : new Map() },
    };
    // A piece in somebody's hand must not be taken away by arrows that change.
    if (!same) Object.assign(config, { fen: view.fen, selected: undefined });
    this.ground.set(config);
    if (!same) this.ground.setShapes(view.shapes ?? []);
    this.ground.setAutoShapes(view.arrows ?? []);
    byId("board").classList.toggle("preview", Boolean(view.preview));
    this.nameCells();
  }

  /// Only the engine's arrows have changed.
  setArrows(arrows) {
    if (this.view) this.view.arrows = arrows;
    this.ground.setAutoShapes(arrows);
  }

  flip(orientation = this.orientation === "white" ? "black" : "white") {
    this.orientation = orientation;
    this.ground.set({ orientation });
    this.arrangeCells();
  }

  async moved(from, to) {
    const move = this.moves.get(from + to);
    if (!move) return this.reset();
    const pawn = this.pos.board.getRole(move.from) === "pawn" && !castlingSide(this.pos, move);
    if (pawn && (move.to < 8 || move.to >= 56)) {
      const promotion = await choosePiece();
      if (!promotion) return this.reset();
      this.play({ ...move, promotion });
    } else {
      this.play(move);
    }
  }

  /// Puts back what chessground has moved already.
  reset() {
    const { view } = this;
    this.view = null;
    this.show(view);
  }

  // The grid of cells -------------------------------------------------------------------------

  makeCells() {
    const grid = byId("cells");
    const cells = new Map();
    for (let square = 0; square < 64; square++) {
      const name = makeSquare(square);
      cells.set(name, make("div", { role: "gridcell", tabindex: -1, "data-square": name }));
    }
    grid.addEventListener("keydown", (event) => this.key(event));
    grid.addEventListener("focusin", ({ target }) => this.setFocus(target.dataset.square));
    this.cells = cells;
    this.arrangeCells();
    return cells;
  }

  arrangeCells() {
    const rows = [];
    for (let i = 0; i < 8; i++) {
      const row = make("div", { role: "row" });
      for (let j = 0; j < 8; j++) {
        const [file, rank] = this.orientation === "white" ? [j, 8 - i] : [7 - j, i + 1];
        row.append(this.cells.get(FILES[file] + rank));
      }
      rows.push(row);
    }
    byId("cells").replaceChildren(...rows);
    this.setFocus(this.focus);
  }

  nameCells() {
    for (const [name, cell] of this.cells) {
      const held = this.held === name ? ", chosen" : "";
      const reachable = this.held && this.moves.has(this.held + name) ? ", can be reached" : "";
      cell.setAttribute("aria-label", `${name}, ${pieceName(this.pos, parseSquare(name))}${held}${reachable}`);
      cell.setAttribute("aria-selected", String(this.held === name));
    }
  }

  setFocus(name) {
    if (!name) return;
    this.cells.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = name;
    this.cells.get(name).setAttribute("tabindex", "0");
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) {
      const sign = this.orientation === "white" ? 1 : -1;
      const file = FILES.indexOf(this.focus[0]) + sign * step[0];
      const rank = Number(this.focus[1]) + sign * step[1];
      if (file >= 0 && file < 8 && rank >= 1 && rank <= 8) this.cells.get(FILES[file] + rank).focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.press(this.focus);
    } else if (event.key === "Escape" && this.held) {
      this.hold(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  press(name) {
    if (this.held && this.moves.has(this.held + name)) {
      const from = this.held;
      this.hold(null);
      this.moved(from, name);
    } else if (this.held === name) {
      this.hold(null);
    } else if ([...this.moves.keys()].some((key) => key.startsWith(name)) && this.ground.state.movable.color) {
      this.hold(name);
      announce(`${pieceName(this.pos, parseSquare(name))} on ${name} chosen`);
    } else {
      announce(`Nothing can move from ${name}`);
    }
  }

  hold(name) {
    this.held = name;
    this.ground.selectSquare(name, true);
    this.nameCells();
  }
}

/// The engine's arrows beside those that people draw.
const brush = (key, color, opacity, lineWidth) => ({ key, color, opacity, lineWidth });
const BRUSHES = {
  green: brush("g", "#15781b", 0.9, 10),
  red: brush("r", "#a61d24", 0.9, 10),
  blue: brush("b", "#134a86", 0.9, 10),
  yellow: brush("y", "#b06a00", 0.9, 10),
  best: brush("best", "#134a86", 0.8, 11),
  second: brush("second", "#134a86", 0.45, 7),
  better: brush("better", "#14733c", 0.95, 12),
};

/// Asks for the piece that a pawn becomes; nothing if it changes its mind.
function choosePiece() {
  const dialog = byId("promotion");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}
