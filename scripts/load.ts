import { isUtf8 } from "node:buffer";
import { appendFileSync, existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { markOf } from "./lib/change-log.ts";
import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { bootstrapLines } from "./lib/bootstrap.ts";
import { tabLine } from "./lib/import-batch.ts";
import { updateIndex } from "./lib/index-client.ts";
import { type Progress, LoadJournal } from "./lib/journal.ts";
import { type Line, LINE_BYTES, openDump } from "./lib/lines.ts";
import { batches, sendBatches, sendHoldings, sendLines } from "./lib/load-client.ts";
import { ProgressBar, duration, counted } from "./lib/progress-bar.ts";
import { languageLines } from "./lib/starter.ts";
import { type Target, TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run load -- [FILE...] [options]

Loads dump files (five tab-separated columns: type, key, revision, last_modified, JSON; plain or .gz) into a
running service. Lines may come in any order, with the latest revisions or all of them. An interrupted
load of the same catalog resumes; stored revisions do not change. Lines that cannot be loaded are written to
FILE.rejects.tsv in this folder (line number, reason), and the load continues. After the last file the search
index is updated.

  --holdings FILE
                 store the scans of a holdings file (JSON objects, one a line) before the dumps; may be given again
  --bootstrap    load the types, groups, permissions and languages that every catalog needs
  --restart      begin again from the first line
  --no-index     leave the search index to the service, or to npm run reindex
${TARGET_HELP}`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    ...TARGET_OPTIONS,
    holdings: { type: "string", multiple: true, default: [] },
    bootstrap: { type: "boolean", default: false },
    restart: { type: "boolean", default: false },
    "no-index": { type: "boolean", default: false },
  },
});

async function loadFile(file: string, target: Target) {
  const journal = new LoadJournal(file, target.url);
  const rejects = rejectsOf(file);
  if (values.restart) journal.remove();
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

async function loadHoldings(file: string, target: Target) {
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

const rejectsOf = (file: string) => `${path.basename(file)}.rejects.tsv`;

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

async function main() {
  if (positionals.length + values.holdings.length + Number(values.bootstrap) === 0) return console.log(HELP);
  // A missing file is reported before anything is loaded.
  for (const file of [...values.holdings, ...positionals]) statSync(file);
  const target: Target = { ...(await targetOf(values)), index: "later" };
  if (values.bootstrap) {
    await sendLines(bootstrapLines({ development: false }), target);
    await sendLines(languageLines(), target);
  }
  for (const file of values.holdings) await loadHoldings(file, target);
  for (const file of positionals) await loadFile(file, target);
  if (!values["no-index"]) await updateIndex(target);
}

await runCommand(main, "Stopped. The same command goes on from here.");
