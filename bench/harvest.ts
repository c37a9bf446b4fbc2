// A harvest by OAI-PMH over one connection, against a bare worker that selects as many documents at a time:
// `npm run bench -- harvest [--works 20000] [--rounds 5]`.
import { setTimeout as sleep } from "node:timers/promises";
import { startBaseline, startCarrel } from "./lib/instances.ts";
import { loadBoth } from "./lib/load.ts";

const PORTS = { carrel: 28_084, baseline: 28_085 };
/** Harvesters see a change after this many milliseconds. */
const SETTLED_MS = 62_000;
/** Records per response. */
const PAGE = 500;

export async function benchHarvest({ works, rounds }: { works: number; rounds: number }) {
  const carrel = await startCarrel(PORTS.carrel, { consumers: false });
  const baseline = await startBaseline(PORTS.baseline);
  try {
    await loadBoth(carrel, baseline, works);
    await sleep(SETTLED_MS);
    for (const query of [
      "verb=ListRecords&metadataPrefix=oai_dc",
      "verb=ListRecords&metadataPrefix=marc21",
      "verb=ListIdentifiers&metadataPrefix=oai_dc",
    ]) {
      const rates: { ours: number; theirs: number }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        rates.push({ ours: await harvest(carrel.url, query), theirs: await selectAll(baseline.url, works) });
      }
      const median = (one: "ours" | "theirs") =>
        Math.round(rates.map((rate) => rate[one]).toSorted((a, b) => a - b)[rounds >> 1] ?? 0);
      const [ours, theirs] = [median("ours"), median("theirs")];
      console.log(
        `${query}: ${ours} records/s, plain selects ${theirs}/s, ratio ${(ours / theirs).toFixed(2)}`,
      );
    }
  } finally {
    await carrel.stop();
    await baseline.stop();
  }
}

/** Harvests the catalog and returns the records per second. */
async function harvest(url: string, query: string) {
  const verb = new URLSearchParams(query).get("verb");
  const started = performance.now();
  let records = 0;
  for (let next = query; next !== "";) {
    const text = await (await fetch(`${url}/oai?${next}`)).text();
    records += text.split("<header").length - 1;
    const [, token] = /<resumptionToken[^>/]*>([^<]+)/.exec(text) ?? [];
    next = token === undefined ? "" : `verb=${verb}&resumptionToken=${token}`;
  }
  return records / ((performance.now() - started) / 1000);
}

/** Selects all documents by plain statements and returns the documents per second. */
async function selectAll(url: string, works: number) {
  const started = performance.now();
  for (let at = 0; at < works; at += PAGE) {
    const keys = Array.from({ length: PAGE }, (_key, index) => `/works/OL${1 + ((at + index) % works)}W`);
    await (await fetch(`${url}/many?keys=${keys.join(",")}`)).arrayBuffer();
  }
  return works / ((performance.now() - started) / 1000);
}
