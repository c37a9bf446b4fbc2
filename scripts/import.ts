import { appendFileSync, rmSync } from "node:fs";
import path from "node:path";
import { readOptions, runCommand } from "./lib/command.ts";
import { FileError, batchName, measure } from "./lib/import-files.ts";
import {
  type BatchView,
  follow,
  isUnexpected,
  itemsOf,
  rejectLine,
  reopen,
  upload,
  warningLines,
} from "./lib/import-batch.ts";
import { ProgressBar, duration, counted } from "./lib/progress-bar.ts";
import { type Target, RefusedError, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run import -- FILE... [options]

Imports files of records into a running service: JSON lines, MARC 21, MARCXML, OPDS or RDF, plain or .gz. Each file
becomes a batch, whose records are imported by the queue of the service: known books are enriched, others are
created. An interrupted command resumes; the service continues meanwhile. Nothing is imported twice. Records that cannot be imported are written to FILE.rejects.tsv in this
folder (line or offset, source, error, reason), changed and dropped values of others to FILE.warnings.tsv (line or
offset, source, field, value, code, reason).

  --url URL        service to import into (default: that of the local state); --to is the same
  --batch NAME     name of the batch (default: that of the file). Sources of MARC records begin with it, so name a
                   file that others know as they do: <item>/<file>. Of several files: NAME/<file>
  --format FORMAT  jsonl, marc, marcxml, opds, rdf, or another format of the service (default: detected)
  --no-wait        end when the files are uploaded
  --stale SECONDS  age at which an abandoned item is retried (default 600; 0 after a crash of the service)
  --token TOKEN    LOAD_TOKEN of the service (default $LOAD_TOKEN, or that of the local state)
  --state DIR      state of the local service (default .wrangler/state/v3, or $STATE_DIR)
  --help           this text`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    token: TARGET_OPTIONS.token,
    state: TARGET_OPTIONS.state,
    url: { type: "string" },
    to: { type: "string" },
    batch: { type: "string" },
    format: { type: "string" },
    "no-wait": { type: "boolean", default: false },
    stale: { type: "string", default: "600" },
  },
});

/** Number of records of all files by outcome. */
const all: Record<string, number> = {};

function countsText(counts: Record<string, number>) {
  const numbers = Object.entries(counts).map(([status, count]) => `${count} ${status.replaceAll("_", " ")}`);
  return numbers.join(", ") || "no records";
}

/** Imports one file. Returns false if a failure is not the fault of its records. */
async function importFile(file: string, target: Target) {
  const { size, digest, format: seen } = await measure(file);
  const format = values.format ?? seen;
  if (format === undefined) throw new FileError(`${file}: the format is not known. Give one with --format.`);
  const name = batchName(file, { batch: values.batch, isOne: positionals.length === 1 });
  const sending = new ProgressBar(`${path.basename(file)}, sending`);
  const { batch, isNew } = await upload({ file, name, format, size, digest }, target, (bytes) =>
    sending.update(bytes / size, 0),
  );
  sending.done();
  if (batch.format !== format) {
    throw new FileError(`${file}: it was read as ${batch.format} before. Give the batch another name.`);
  }
  if (batch.state === "failed") await reopen(name, target);
  const what = `${file}: ${format}, batch ${batch.id} (${target.url}/import/batch/${batch.id})`;
  console.log(isNew ? what : `${what}, which is there already`);
  if (values["no-wait"]) return true;
  const started = Date.now();
  const bar = new ProgressBar(path.basename(file));
  const view = await follow(batch.id, target, {
    onProgress: (share, done) => bar.update(share, done),
    staleSeconds: Number(values.stale),
  });
  bar.done();
  return report(file, view, { target, seconds: (Date.now() - started) / 1000 });
}

/** Reports the outcome of a file and writes its rejects and warnings. Returns false if a failure is not the fault of its records. */
async function report(
  file: string,
  { batch, counts, warned }: BatchView,
  { target, seconds }: { target: Target; seconds: number },
) {
  const rejects = `${path.basename(file)}.rejects.tsv`;
  rmSync(rejects, { force: true });
  let unexpected = 0;
  if ((counts["failed"] ?? 0) > 0) {
    for await (const item of itemsOf(batch.id, target, "status=failed")) {
      appendFileSync(rejects, rejectLine(item));
      unexpected += Number(isUnexpected(item));
    }
  }
  const warnings = `${path.basename(file)}.warnings.tsv`;
  rmSync(warnings, { force: true });
  if (warned > 0) {
    for await (const item of itemsOf(batch.id, target, "warnings=true")) {
      appendFileSync(warnings, warningLines(item));
    }
  }
  for (const [status, count] of Object.entries(counts)) all[status] = (all[status] ?? 0) + count;
  console.log(
    `${file}: done in ${duration(seconds)}: ${countsText(counts)}, ${batch.skipped} already there` +
      ((counts["failed"] ?? 0) > 0 ? ` (see ${rejects})` : "") +
      (warned > 0 ? `, ${warned} with warnings (see ${warnings})` : ""),
  );
  if (batch.state === "failed") console.error(`${file}: could not be read further: ${batch.problem}`);
  if (unexpected > 0) console.error(`${file}: the service itself failed at ${counted(unexpected, "record")}`);
  return batch.state !== "failed" && unexpected === 0;
}

async function main() {
  if (positionals.length === 0) return console.log(HELP);
  const target = await targetOf({ url: values.url ?? values.to, token: values.token, state: values.state });
  for (const file of positionals) {
    try {
      if (!(await importFile(file, target))) process.exitCode = 1;
    } catch (error) {
      // The name is another batch's, or the file cannot be read: that keeps no other file from being imported.
      const isOfFile = error instanceof FileError || (error instanceof RefusedError && error.status === 409);
      if (!isOfFile) throw error;
      console.error(`\n${error.message}`);
      process.exitCode = 1;
    }
  }
  if (positionals.length > 1) console.log(`${counted(positionals.length, "file")}: ${countsText(all)}`);
}

await runCommand(
  main,
  "Stopped. What is there already is imported all the same; the same command goes on from here.",
);
