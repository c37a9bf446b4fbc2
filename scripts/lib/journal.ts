import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf } from "./command.ts";
import { ROOT } from "./paths.ts";

/** With the state, if its place is set: the sources may be read-only, as in a container. */
const { STATE_DIR } = process.env;
const FOLDER = STATE_DIR === undefined ? path.join(ROOT, ".wrangler/load") : path.join(STATE_DIR, "load");
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
/** Number and time of a change: another log, and one that was set back, has another change of this number, or none. */
export interface Mark {
  id: number;
  time: string;
}
/**
 * Lines up to `line` are stored, in a catalog with the change `mark`; the counts are theirs: `{"line": 400, "created":
 * 398, "updated": 0, "unchanged": 2, "kept": 0, "rejected": 0, "mark": {"id": 7, "time": "2026-…"}}`.
 */
export type Progress = Record<"line" | (typeof COUNTS)[number], number> & { mark?: Mark | undefined };

/** Progress of loading one file into one service. */
export class LoadJournal extends Journal<Progress> {
  progress: Progress = { line: 0, created: 0, updated: 0, unchanged: 0, kept: 0, rejected: 0 };
  #written = 0;

  constructor(file: string, url: string) {
    const { size, mtimeMs } = statSync(file);
    super([url, path.resolve(file), size, mtimeMs].join("\n"));
  }

  /**
   * Resumes an interrupted load if the service has its last change. `markOf` reads a change of the service, by default the
   * newest one. Returns `other` if the earlier load went into another catalog.
   */
  async resume(markOf: (id?: number) => Promise<Mark | undefined>): Promise<"resumed" | "new" | "other"> {
    const before = this.read();
    const found = before?.mark && (await markOf(before.mark.id));
    if (before !== undefined && found !== undefined && found.time === before.mark?.time) {
      this.progress = before;
      return "resumed";
    }
    this.progress.mark = await markOf();
    return before === undefined ? "new" : "other";
  }

  /** Records that everything up to a line is stored, with `mark` as the last change. */
  add(line: number, { mark = this.progress.mark, ...counts }: Omit<Progress, "line">) {
    Object.assign(this.progress, { line, mark });
    for (const name of COUNTS) this.progress[name] += counts[name];
    if (Date.now() - this.#written > EVERY_MS) this.save();
  }

  save() {
    this.write(this.progress);
    this.#written = Date.now();
  }
}
