import os from "node:os";
import path from "node:path";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { begin, download, filesOf, published } from "../scripts/lib/dump-client.ts";
import { openDump, splitLines } from "../scripts/lib/lines.ts";
import { batches, numbered, sendBatches } from "../scripts/lib/load-client.ts";
import { catalogLines } from "./lib/catalog.ts";
import { type Instance, TOKEN, startCarrel } from "./lib/instances.ts";
import type { Target } from "../scripts/lib/service.ts";

const PORTS = { source: 13_080, copy: 13_081 };
/** Interval of memory samples and of reads during the dump, in milliseconds. */
const SAMPLE_MS = 100;
/** Every tenth work has a second revision. */
const EDITED_EACH = 10;

/**
 * Dumps a catalog, loads the dump into an empty instance, dumps it again, and compares the files. `only`:
 * `dump` stops after the first dump.
 */
export async function benchDump({ works, only }: { works: number; only: string }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-dump-"));
  const source = await startCarrel(PORTS.source, { consumers: true });
  try {
    const loaded = await load(source, numbered(linesWithRevisions(works)));
    console.log(`\n${works} works: ${loaded.lines} revisions, loaded at ${loaded.rate} a second`);
    const first = await dump(source, path.join(folder, "source"));
    await source.stop();
    const stems = only.includes("load") ? ["ol_cdump", "ol_dump"] : [];
    for (const stem of stems) await roundTrip(first, stem, path.join(folder, stem));
  } finally {
    await source.stop().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

function* linesWithRevisions(works: number) {
  for (const line of catalogLines(works)) {
    yield line;
    const number = Number(/^\/type\/work\t\/works\/OL(\d+)W/.exec(line)?.[1] ?? 1);
    if (number % EDITED_EACH === 0) yield nextRevision(line);
  }
}

function nextRevision(line: string) {
  const [type, key, , time, json = ""] = line.split("\t");
  const record = { ...JSON.parse(json), subtitle: "Second edition", revision: 2, latest_revision: 2 };
  return [type, key, 2, time, JSON.stringify(record)].join("\t");
}

const targetOf = ({ url }: Instance): Target => ({ url, token: TOKEN, fetch, index: "later" });

async function load(carrel: Instance, source: AsyncIterable<{ number: number; text: Buffer }>) {
  const started = performance.now();
  let lines = 0;
  await sendBatches(batches(source), targetOf(carrel), {
    onDone: (outcome, { numbers }) => {
      if (outcome.rejected.length > 0) throw new Error(outcome.rejected[0]?.reason);
      lines += numbers.length;
    },
  });
  return { lines, rate: Math.round((lines / (performance.now() - started)) * 1000) };
}

/** Creates and downloads a dump. Prints its rate, the memory used, and the longest read meanwhile. */
async function dump(carrel: Instance, to: string) {
  const target = targetOf(carrel);
  const idle = carrel.memory();
  const started = performance.now();
  const { dump: begun } = await begin(target, { kind: "full" });
  let isOver = false;
  const watching = watch(carrel, () => isOver);
  await published(begun, target, () => undefined);
  const seconds = (performance.now() - started) / 1000;
  isOver = true;
  const { peak, longest, reads } = await watching;
  const files = await filesOf(begun, target);
  const lines = files.find(({ name }) => name.startsWith("ol_cdump_"))?.lines ?? 0;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`dump: ${lines} revisions in ${seconds.toFixed(1)} s, ${Math.round(lines / seconds)} a second`);
  console.log(`  ${files.length} files, ${mebibytes(bytes)} MiB, verified before they were published`);
  console.log(`  memory of workerd ${mebibytes(idle)} MiB before, ${mebibytes(peak)} MiB at most meanwhile`);
  console.log(`  ${reads} reads of a record meanwhile, the longest took ${Math.round(longest)} ms`);
  await mkdir(to, { recursive: true });
  const found = new Map<string, { place: string; sha256: string; lines: number }>();
  for (const file of files) {
    const place = await download(file, to, target);
    found.set(file.name.replace(`_${begun.date}.txt.gz`, ""), { place, ...file });
  }
  return found;
}

async function watch(carrel: Instance, isOver: () => boolean) {
  let [peak, longest, reads] = [0, 0, 0];
  while (!isOver()) {
    const started = performance.now();
    await (await fetch(`${carrel.url}/works/OL1W.json?n=${reads}`)).arrayBuffer();
    longest = Math.max(longest, performance.now() - started);
    reads += 1;
    peak = Math.max(peak, carrel.memory());
    await sleep(SAMPLE_MS);
  }
  return { peak, longest, reads };
}

/** Loads a dump file into an empty instance, and compares the dump of that instance. */
async function roundTrip(first: Awaited<ReturnType<typeof dump>>, stem: string, to: string) {
  const copy = await startCarrel(PORTS.copy, { consumers: true });
  try {
    const { stream } = openDump(first.get(stem)?.place ?? "");
    const loaded = await load(copy, linesOf(stream));
    console.log(`\n${stem}: ${loaded.lines} lines loaded into an empty instance at ${loaded.rate} a second`);
    const second = await dump(copy, to);
    // Only one of the files has superseded revisions.
    const compared = [...first].filter(([name]) => stem === "ol_cdump" || name !== "ol_cdump");
    const different = [];
    for (const [name, { place }] of compared) {
      if ((await digest(place)) !== (await digest(second.get(name)?.place ?? ""))) different.push(name);
    }
    const verdict = different.length === 0 ? "yes" : `no: ${different.join(", ")}`;
    console.log(`  ${compared.length} files, equal: ${verdict}`);
    if (different.length > 0) process.exitCode = 1;
  } finally {
    await copy.stop();
  }
}

async function* linesOf(stream: AsyncIterable<Buffer>) {
  for await (const { number, text } of splitLines(stream)) {
    if (text === undefined) throw new Error(`line ${number} is too long`);
    yield { number, text };
  }
}

async function digest(place: string) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(place)) hash.update(chunk);
  return hash.digest("hex");
}

function mebibytes(bytes: number) {
  return (bytes / 1024 / 1024).toFixed(1);
}
