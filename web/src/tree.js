// A game with all its variations. Nothing is ever lost by playing a move: what is not in the tree
// yet becomes a variation, and whatever is promoted or deleted can be undone.

import { after, fenOf, INITIAL_FEN, makeUci, moveOf, plyOf, position } from "./rules.js";

/// A position of the game and the move that led to it. The root has no move.
class Node {
  constructor(parent, fen, ply, move = {}) {
    this.parent = parent;
    this.fen = fen;
    /// Half-moves before this position.
    this.ply = ply;
    this.uci = move.uci ?? null;
    this.san = move.san ?? null;
    this.children = [];
    /// What is said before and after the move, PGN's numbers for marks, arrows and circles.
    this.before = "";
    this.comment = "";
    this.nags = [];
    this.shapes = [];
    /// What a review says about the move.
    this.step = null;
  }

  /// The moves from the start to here.
  path() {
    const nodes = [];
    for (let node = this; node.parent; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /// The last position of the line through here.
  end() {
    let node = this;
    while (node.children.length) node = node.children[0];
    return node;
  }

  isMainLine() {
    return this.path().every((node) => node.parent.children[0] === node);
  }
}

export class Tree {
  constructor(fen = INITIAL_FEN, headers = new Map()) {
    const pos = position(fen);
    this.headers = headers;
    this.root = new Node(null, fenOf(pos), plyOf(pos));
    this.current = this.root;
    this.undos = [];
  }

  /// The position of a node.
  position(node = this.current) {
    return position(node.fen);
  }

  /// All positions up to a node, the oldest first.
  fens(node = this.current) {
    return [this.root.fen, ...node.path().map((step) => step.fen)];
  }

  /// Plays a move after a node: goes on where it is known, adds a variation where it is not.
  play(move, node = this.current) {
    const uci = makeUci(move);
    const known = node.children.find((child) => child.uci === uci);
    if (known) return (this.current = known);
    const { next, san } = after(this.position(node), move);
    const child = new Node(node, fenOf(next), node.ply + 1, { uci, san });
    node.children.push(child);
    const current = this.current;
    this.undos.push(() => {
      remove(node.children, child);
      this.current = contains(child, this.current) ? current : this.current;
    });
    return (this.current = child);
  }

  /// Plays a line of moves in UCI's notation; it ends where one is not legal.
  playLine(ucis, node = this.current) {
    this.current = node;
    for (const uci of ucis) {
      const move = moveOf(this.position(), uci);
      if (!move) break;
      this.play(move);
    }
    return this.current;
  }

  /// The node that a path of moves leads to, as far as it exists.
  find(ucis) {
    let node = this.root;
    for (const uci of ucis) {
      const child = node.children.find((other) => other.uci === uci);
      if (!child) return null;
      node = child;
    }
    return node;
  }

  /// Makes the line through a node the main line.
  promote(node) {
    const changed = node.path().filter((step) => step.parent.children[0] !== step);
    const before = changed.map((step) => [step.parent, [...step.parent.children]]);
    for (const step of changed) {
      remove(step.parent.children, step);
      step.parent.children.unshift(step);
    }
    this.undos.push(() => before.forEach(([parent, children]) => (parent.children = children)));
  }

  /// Takes a move and all that follows it away.
  delete(node) {
    const { parent } = node;
    if (!parent) return;
    const index = parent.children.indexOf(node);
    const current = this.current;
    parent.children.splice(index, 1);
    if (contains(node, current)) this.current = parent;
    this.undos.push(() => {
      parent.children.splice(index, 0, node);
      this.current = current;
    });
  }

  setComment(node, text) {
    const before = node.comment;
    if (before === text) return;
    node.comment = text;
    this.undos.push(() => (node.comment = before));
  }

  undo() {
    this.undos.pop()?.();
  }

  /// Every node, a parent before its children.
  *nodes() {
    const stack = [this.root];
    while (stack.length) {
      const node = stack.pop();
      yield node;
      stack.push(...[...node.children].reverse());
    }
  }
}

function remove(list, item) {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

/// Is `node` in the part of the tree that begins at `top`?
function contains(top, node) {
  for (let step = node; step; step = step.parent) if (step === top) return true;
  return false;
}
