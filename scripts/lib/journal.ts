import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf } from "./command.ts";
import { ROOT } from "./paths.ts";

const FOLDER = path.join(ROOT, ".wrangler/load");
/** Minimum interval in milliseconds between writes of the progress. */
const EVERY_MS = 500;

/** Persists the state of a job, so that it can resume after a crash. */
export class Journal<State> {
  #file;

  /** `work` identifies the job. */
  constructor(work: string, kind = "") {
    const name = createHash("sha256").update(work).digest("hex").slice(0, 24);
    this.#file = path.join(FOLDER, `${kind}${name}.json`);
  }

  /** Returns undefined if nothing was written completely. */
  read(): State | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8"));
    } catch (error) {
      if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  write(state: State) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(state));
    renameSync(`${this.#file}.new`, this.#file);
  }

  remove() {
    rmSync(this.#file, { force: true });
  }
}

/** Outcomes of a line. */
const COUNTS = ["created", "updated", "unchanged", "kept", "rejected"] as const;
/** Lines up to `line` are stored; the counts are theirs. */
export type Progress = Record<"line" | (typeof COUNTS)[number], number>;

/** Progress of loading one file into one service. */
export class LoadJournal extends Journal<Progress> {
  progress: Progress = { line: 0, created: 0, updated: 0, unchanged: 0, kept: 0, rejected: 0 };
  #written = 0;

  constructor(file: string, url: string) {
    const { size, mtimeMs } = statSync(file);
    super([url, path.resolve(file), size, mtimeMs].join("\n"));
  }

  /** Resumes an interrupted load. Returns false if there is none. */
  resume() {
    const before = this.read();
    this.progress = before ?? this.progress;
    return before !== undefined;
  }

  /** Records that everything up to a line is stored. */
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
