import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { CommandError } from "./command.ts";
import { appendFrame, readFrames } from "./frames.ts";
import { FLAG } from "./key-spaces.ts";
import { openDump } from "./lines.ts";
import { ProgressBar } from "./progress-bar.ts";
import type { WorkChoice } from "./subset-choice.ts";
import type { SubsetRecords } from "./subset-records.ts";

const LINES_PER_UPDATE = 1000;

/** Pass over the dumps, and the types of records that it reads; undefined for all. */
export interface Pass {
  name: string;
  types?: string[];
  run: () => Promise<void>;
}
interface State {
  /** Choice and dumps that the state belongs to. */
  identity: string;
  /** Number of complete passes. */
  pass: number;
  /** Bytes written so far. */
  length: number;
  /** Types in each dump. */
  types: string[][];
}

/**
 * Runs the passes over the dumps, and writes a new dump `to`. What is known after a pass is in the file `TO.state`, so
 * that an interrupted command goes on there; lines are in `TO.part` until all are written.
 */
export class Passes {
  readonly #dumps: string[];
  readonly #to: string;
  #state: State;
  #name = "";
  #types: string[] | undefined;

  constructor(dumps: string[], to: string, identity: string) {
    this.#dumps = dumps;
    this.#to = to;
    this.#state = { identity, pass: 0, length: 0, types: dumps.map(() => []) };
  }

  /** Takes over the state of an interrupted run for the same choice and dumps. Returns the number of complete passes. */
  resume(works: WorkChoice, records: SubsetRecords) {
    if (!existsSync(`${this.#to}.state`)) return 0;
    for (const frame of readFrames(`${this.#to}.state`)) {
      const { folder, prefix, state, lists, orphans, counts } = frame.head;
      if (state === undefined) works.spaces.space(folder, prefix).restore(frame);
      else if (state.identity !== this.#state.identity || !this.#hasWritten(state.length)) return 0;
      else {
        this.#state = state;
        works.lists = new Map(lists);
        works.orphans = orphans;
        records.counts = counts;
      }
    }
    return this.#state.pass;
  }

  #hasWritten(length: number) {
    return length === 0 || existsSync(`${this.#to}.part`) || existsSync(this.#to);
  }

  async run(passes: Pass[], works: WorkChoice, records: SubsetRecords) {
    for (const { name, types, run } of passes.slice(this.#state.pass)) {
      this.#name = `${this.#state.pass + 1}/${passes.length} ${name}`;
      this.#types = types;
      for (const space of works.spaces) space.clear(FLAG.done);
      await run();
      this.#state.pass += 1;
      this.#save(works, records);
      console.log(`${this.#name}: done`);
    }
    if (existsSync(`${this.#to}.part`)) renameSync(`${this.#to}.part`, this.#to);
  }

  #save({ spaces, lists, orphans }: WorkChoice, { counts }: SubsetRecords) {
    const file = openSync(`${this.#to}.state.new`, "w");
    appendFrame(file, { state: this.#state, lists: [...lists], orphans, counts });
    for (const space of spaces) space.save(file);
    fsyncSync(file);
    closeSync(file);
    renameSync(`${this.#to}.state.new`, `${this.#to}.state`);
  }

  /** Forgets the state: the next run begins again. */
  end() {
    for (const file of [`${this.#to}.state`, `${this.#to}.part`]) rmSync(file, { force: true });
  }

  /** Yields the lines of the dumps that have types of this pass. */
  async *lines() {
    const bar = new ProgressBar(this.#name);
    const sizes = this.#dumps.map((file) => statSync(file).size);
    const total = sizes.reduce((sum, size) => sum + size, 1);
    let [before, count] = [0, 0];
    for (const [index, file] of this.#dumps.entries()) {
      const types = this.#state.types[index] ?? [];
      if (this.#types === undefined || this.#types.some((type) => types.includes(type))) {
        const dump = openDump(file);
        for await (const line of dump.lines) {
          yield { ...line, file, types };
          count += 1;
          if (count % LINES_PER_UPDATE === 0) bar.update((before + dump.bytesRead()) / total, count);
        }
        if (dump.problem !== "") throw new CommandError(dump.problem);
      }
      before += sizes[index] ?? 0;
    }
    bar.done();
  }

  /** Appends the lines that `take` returns, then `last`, to the new dump: in one member of a gzip file. */
  async write(take: (text: Buffer) => string | undefined, last: () => string[] = () => []) {
    const source = this.lines();
    async function* taken() {
      for await (const { text } of source) {
        const line = text === undefined ? undefined : take(text);
        if (line !== undefined) yield line;
      }
      yield* last();
    }
    const part = `${this.#to}.part`;
    if (this.#state.length === 0) writeFileSync(part, "");
    truncateSync(part, this.#state.length);
    const output = createWriteStream(part, { flags: "a", flush: true });
    const texts = Readable.from(taken());
    await (this.#to.endsWith(".gz") ? pipeline(texts, createGzip(), output) : pipeline(texts, output));
    this.#state.length = statSync(part).size;
  }
}
