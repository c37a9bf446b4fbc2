import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.mjs";

const FOLDER = path.join(ROOT, ".wrangler/load");
/** How often the progress of a load is written down at most, in milliseconds. */
const EVERY_MS = 500;

/** Remembers how far some work is, over crashes too. @template State */
export class Journal {
  #file;

  /** @param {string} work what no other work is called @param {string} [kind] */
  constructor(work, kind = "") {
    const name = createHash("sha256").update(work).digest("hex").slice(0, 24);
    this.#file = path.join(FOLDER, `${kind}${name}.json`);
  }

  /** @returns {State | undefined} undefined when nothing was written, or not to its end */
  read() {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8"));
    } catch (error) {
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (isMissing || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** @param {State} state */
  write(state) {
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
const COUNTS = /** @type {const} */ (["created", "updated", "unchanged", "kept", "rejected"]);
/**
 * How far a file has been loaded. Lines up to `line` are stored; the counts are of those.
 * @typedef {Record<"line" | (typeof COUNTS)[number], number>} Progress
 */

/** How far a load of one file into one service has come. @extends {Journal<Progress>} */
export class LoadJournal extends Journal {
  /** @type {Progress} */
  progress = { line: 0, created: 0, updated: 0, unchanged: 0, kept: 0, rejected: 0 };
  #written = 0;

  /** @param {string} file @param {string} url */
  constructor(file, url) {
    const { size, mtimeMs } = statSync(file);
    super([url, path.resolve(file), size, mtimeMs].join("\n"));
  }

  /** Takes up a load that was stopped; false when there is none. */
  resume() {
    const before = this.read();
    this.progress = before ?? this.progress;
    return before !== undefined;
  }

  /**
   * Notes that everything up to a line is stored.
   * @param {number} line
   * @param {Omit<Progress, "line">} counts
   */
  add(line, counts) {
    this.progress.line = line;
    for (const name of COUNTS) this.progress[name] += counts[name];
    if (Date.now() - this.#written > EVERY_MS) this.save();
  }

  save() {
    this.write(this.progress);
    this.#written = Date.now();
  }
}
