import { isUtf8 } from "node:buffer";
import { appendFileSync, existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { markOf } from "./change-log.ts";
import { CommandError } from "./command.ts";
import { tabLine } from "./import-batch.ts";
import { type Progress, LoadJournal } from "./journal.ts";
import { type Line, LINE_BYTES, openDump } from "./lines.ts";
import { batches, sendBatches, sendHoldings } from "./load-client.ts";
import { ProgressBar, duration, counted } from "./progress-bar.ts";
import type { Target } from "./service.ts";

/** Loads a dump file, or resumes an interrupted load of it. `restart` begins again from the first line. */
export async function loadFile(file: string, target: Target, { restart }: { restart: boolean }) {
  const journal = new LoadJournal(file, target.url);
  const rejects = rejectsOf(file);
  if (restart) journal.remove();
  const begun = await journal.resume((id) => markOf(target, id));
  if (begun === "resumed") console.log(`${file}: going on after line ${journal.progress.line}`);
  else rmSync(rejects, { force: true });
  if (begun === "other")
    console.log(
      `${file}: an earlier load of it went into another catalog, so this one begins with the first line`,
    );
  let finished = false;
  process.once("exit", () => journal.progress.line > 0 && !finished && journal.save());
  const first = journal.progress.line;
  const started = Date.now();
  const { size } = statSync(file);
  const dump = openDump(file);
  const bar = new ProgressBar(path.basename(file));
  let count = 0;
  const reject = (number: number, reason: string) => appendFileSync(rejects, tabLine([number, reason]));
  await sendBatches(batches(remaining(dump.lines, { first, reject, journal })), target, {
    onDone: (outcome, batch) => {
      for (const { line, reason } of outcome.rejected) reject(line, reason);
      count += batch.numbers.length;
      const id = outcome.changes.at(-1);
      const mark = id === undefined ? {} : { mark: { id, time: outcome.time } };
      journal.add(batch.numbers.at(-1) ?? 0, { ...outcome, ...mark, rejected: outcome.rejected.length });
      bar.update(size === 0 ? 1 : dump.bytesRead() / size, count);
    },
  });
  bar.done();
  if (dump.problem !== "") throw new CommandError(dump.problem);
  finished = true;
  journal.remove();
  report(file, { ...journal.progress, count, seconds: (Date.now() - started) / 1000, rejects });
}

/** Stores the scans of a holdings file. */
export async function loadHoldings(file: string, target: Target) {
  const rejects = rejectsOf(file);
  rmSync(rejects, { force: true });
  let rejected = 0;
  const reject = (number: number, reason: string) => {
    rejected += 1;
    appendFileSync(rejects, tabLine([number, reason]));
  };
  const dump = openDump(file);
  const stored = await sendHoldings(whole(dump.lines, reject), target, reject);
  if (dump.problem !== "") throw new CommandError(dump.problem);
  console.log(
    `${file}: ${counted(stored, "scan")} stored, ${counted(rejected, "line")} rejected${rejected > 0 ? ` (see ${rejects})` : ""}`,
  );
}

/** Returns the file, in the current folder, for the rejected lines of a dump. */
export const rejectsOf = (file: string) => `${path.basename(file)}.rejects.tsv`;

/** Yields the lines that can be sent and rejects the others. */
async function* whole(lines: AsyncIterable<Line>, reject: (number: number, reason: string) => void) {
  for await (const { number, text } of lines) {
    if (text !== undefined && isUtf8(text)) yield { number, text };
    else reject(number, text === undefined ? `line longer than ${LINE_BYTES} bytes` : "not UTF-8");
  }
}

/** Yields the lines that are still to be sent and rejects those that cannot be. */
async function* remaining(
  lines: AsyncIterable<Line>,
  {
    first,
    reject,
    journal,
  }: { first: number; reject: (number: number, reason: string) => void; journal: LoadJournal },
) {
  const rejectOnce = (number: number, reason: string) => {
    if (number <= first) return;
    journal.progress.rejected += 1;
    reject(number, reason);
  };
  for await (const line of whole(lines, rejectOnce)) if (line.number > first) yield line;
}

function report(
  file: string,
  {
    created,
    updated,
    unchanged,
    kept,
    rejected,
    count,
    seconds,
    rejects,
  }: Progress & { count: number; seconds: number; rejects: string },
) {
  if (created + updated + unchanged + kept === 0) {
    console.error(`${file}: no line of it is a record`);
    process.exitCode = 1;
  }
  const rate = Math.round(count / Math.max(seconds, 0.001));
  console.log(
    `${file}: ${counted(count, "line")} in ${duration(seconds)} (${rate}/s): ${counted(created, "record")} created, ` +
      `${counted(updated, "revision")} added, ${unchanged} unchanged, ${kept} kept as newer, ${rejected} rejected` +
      (rejected > 0 && existsSync(rejects) ? ` (see ${rejects})` : ""),
  );
}
