import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.ts";

const FOLDER = path.join(ROOT, ".wrangler/load");
/** How often the progress of a load is written down at most, in milliseconds. */
const EVERY_MS = 500;

/** Remembers how far some work is, over crashes too. */
export class Journal<State> {
  #file;

  /** `work`: what no other work is called. */
  constructor(work: string, kind = "") {
    const name = createHash("sha256").update(work).digest("hex").slice(0, 24);
    this.#file = path.join(FOLDER, `${kind}${name}.json`);
  }

  /** Returns undefined when nothing was written, or not to its end. */
  read(): State | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8"));
    } catch (error) {
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (isMissing || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  write(state: State) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(state));
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** The work is done, or has to begin again. */
  remove() {
    rmSync(this.#file, { force: true });
  }
}

/** What becomes of lines. */
const COUNTS = ["created", "updated", "unchanged", "kept", "rejected"] as const;
/** How far a file has been loaded. Lines up to `line` are stored; the counts are of those. */
export type Progress = Record<"line" | (typeof COUNTS)[number], number>;

/** How far a load of one file into one service has come. */
export class LoadJournal extends Journal<Progress> {
  progress: Progress = { line: 0, created: 0, updated: 0, unchanged: 0, kept: 0, rejected: 0 };
  #written = 0;

  constructor(file: string, url: string) {
    const { size, mtimeMs } = statSync(file);
    super([url, path.resolve(file), size, mtimeMs].join("\n"));
  }

  /** Takes up a load that was stopped; false when there is none. */
  resume() {
    const before = this.read();
    this.progress = before ?? this.progress;
    return before !== undefined;
  }

  /** Notes that everything up to a line is stored. */
  add(line: number, counts: Omit<Progress, "line">) {
    this.progress.line = line;
    for (const name of COUNTS) this.progress[name] += counts[name];
    if (Date.now() - this.#written > EVERY_MS) this.save();
  }

  save() {
    this.write(this.progress);
    this.#written = Date.now();
  }
}
