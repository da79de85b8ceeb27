/** Limits of a search; at least one. */
export interface Limits {
  nodes?: number;
  depth?: number;
  milliseconds?: number;
  /** Stop when a mate in this many moves is found. */
  mate?: number;
  /** Until `stop()`. */
  infinite?: boolean;
}

export interface AnalyseOptions extends Limits {
  /** Played from the position before the search, in UCI notation. */
  moves?: string[];
  /** How many best lines; 1 if not given. */
  lines?: number;
  /** Called with what is known whenever there is something new. */
  onInfo?: (soFar: Answer) => void;
}

/** One line of play and what it is worth, for the side to move. */
export interface Line {
  depth: number;
  seldepth: number | null;
  /** Centipawns; null with a mate. */
  cp: number | null;
  /** Moves to mate, below 0 if it is the opponent's; null without. */
  mate: number | null;
  bound: "exact" | "lower" | "upper";
  /** Chances of win, draw and loss. */
  chances: [number, number, number] | null;
  /** Expected points, 0 to 1. */
  points: number | null;
  /** What a longer search would say, as quantiles 0.1, 0.25, 0.5, 0.75, 0.9: of the best line, where it is in doubt. */
  quantiles: [number, number, number, number, number] | null;
  /** How likely a longer search finds the first move the best or nearly so, 0 to 1. */
  confidence: number | null;
  /** In UCI notation. */
  pv: string[];
}

export interface Answer {
  /** The move to play; null if the game is over. */
  best: string | null;
  ponder: string | null;
  /** Best first. */
  lines: Line[];
  nodes: number;
}

/** Reviewed games; docs/analyze.md describes the records. */
export interface Review {
  games: Array<Record<string, unknown>>;
  /** A page that replays the games and needs nothing else. */
  html: string;
  /** The games with scores, marks and better lines. */
  pgn: string;
}

/** Where the module is, if not beside the script: an address, bytes (packed or plain), or a compiled module. */
export type Source = string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;

/** The network: "default" or "small", or an address or bytes (packed or plain) of another. */
export type NetworkSource = "default" | "small" | string | URL | ArrayBuffer | Uint8Array;

/** An engine in a worker. Input that makes no sense is a RangeError that says what was expected. */
export class Engine {
  /** UCI options may be given by name: `Engine.create({ Hash: 64 })`. */
  static create(options?: { source?: Source; network?: NetworkSource; [option: string]: unknown }): Promise<Engine>;
  analyse(position?: string, options?: AnalyseOptions): Promise<Answer>;
  /** The five quantiles of a position, without a search. */
  evaluate(position?: string): Promise<[number, number, number, number, number]>;
  review(pgn: string, options: { nodes: number }): Promise<Review>;
  setOption(name: string, value?: string | number | boolean): Promise<void>;
  newGame(): Promise<void>;
  bench(depth?: number): Promise<{ nodes: number; nps: number }>;
  /** Ends the search that runs now; it answers with what was found. */
  stop(): void;
  end(): Promise<void>;
}

/** The same engine as lines of UCI. */
export class Conversation {
  constructor(options: { source?: Source; network?: NetworkSource; share?: boolean; onLine: (line: string) => void; onFailure: (error: Error) => void });
  send(line: string): void;
  review(pgn: string, nodes: number): Promise<Review>;
  /** As `end`, but after all questions are answered. */
  finish(): Promise<void>;
  end(): Promise<void>;
}
