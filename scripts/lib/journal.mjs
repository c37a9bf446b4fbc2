import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.mjs";

const FOLDER = path.join(ROOT, ".wrangler/load");
/** How often progress is written down at most, in milliseconds. */
const EVERY_MS = 500;

/**
 * How far a file has been loaded. Lines up to `line` are stored; the counts are of those.
 * @typedef {{ line: number, created: number, updated: number, unchanged: number, kept: number, rejected: number }} Progress
 */

/** Remembers how far a load of one file into one service has come, over crashes too. */
export class Journal {
  /** @type {Progress} */
  progress = { line: 0, created: 0, updated: 0, unchanged: 0, kept: 0, rejected: 0 };
  #file;
  #written = 0;

  /**
   * @param {string} file
   * @param {string} url
   */
  constructor(file, url) {
    const { size, mtimeMs } = statSync(file);
    const name = createHash("sha256")
      .update([url, path.resolve(file), size, mtimeMs].join("\n"))
      .digest("hex");
    this.#file = path.join(FOLDER, `${name.slice(0, 24)}.json`);
  }

  /** Takes up an interrupted load; false when there is none. */
  resume() {
    try {
      this.progress = JSON.parse(readFileSync(this.#file, "utf8"));
      return true;
    } catch (error) {
      if (
        error instanceof SyntaxError ||
        (error instanceof Error && "code" in error && error.code === "ENOENT")
      ) {
        return false;
      }
      throw error;
    }
  }

  /**
   * Notes that everything up to a line is stored.
   * @param {number} line
   * @param {Omit<Progress, "line">} counts
   */
  add(line, counts) {
    const { progress } = this;
    progress.line = line;
    progress.created += counts.created;
    progress.updated += counts.updated;
    progress.unchanged += counts.unchanged;
    progress.kept += counts.kept;
    progress.rejected += counts.rejected;
    if (Date.now() - this.#written > EVERY_MS) this.save();
  }

  save() {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.progress));
    renameSync(`${this.#file}.new`, this.#file);
    this.#written = Date.now();
  }

  /** The load is complete: nothing is to be taken up again. */
  finish() {
    rmSync(this.#file, { force: true });
  }
}
