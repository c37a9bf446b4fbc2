// A harvest by OAI-PMH over one connection, against a bare worker that reads as many documents at a time:
// `npm run bench -- harvest [--works 20000] [--rounds 5]`.
import { setTimeout as sleep } from "node:timers/promises";
import { startBaseline, startCarrel } from "./lib/instances.mjs";
import { loadBoth } from "./lib/load.mjs";

const PORTS = { carrel: 28_084, baseline: 28_085 };
/** After that many milliseconds a change is shown to harvesters. */
const SETTLED_MS = 62_000;
/** Records of an answer. */
const PAGE = 500;

/** @param {{ works: number, rounds: number }} options */
export async function benchHarvest({ works, rounds }) {
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
      /** @type {{ ours: number, theirs: number }[]} */
      const rates = [];
      for (let round = 0; round < rounds; round += 1) {
        rates.push({ ours: await harvest(carrel.url, query), theirs: await selects(baseline.url, works) });
      }
      const middle = (/** @type {"ours" | "theirs"} */ one) =>
        Math.round(rates.map((rate) => rate[one]).toSorted((a, b) => a - b)[rounds >> 1] ?? 0);
      const [ours, theirs] = [middle("ours"), middle("theirs")];
      console.log(
        `${query}: ${ours} records/s, bare selects ${theirs}/s, ratio ${(ours / theirs).toFixed(2)}`,
      );
    }
  } finally {
    await carrel.stop();
    await baseline.stop();
  }
}

/** Records a second of a whole harvest. @param {string} url @param {string} query */
async function harvest(url, query) {
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

/** Documents a second of plain statements. @param {string} url @param {number} works */
async function selects(url, works) {
  const started = performance.now();
  for (let at = 0; at < works; at += PAGE) {
    const keys = Array.from({ length: PAGE }, (_key, index) => `/works/OL${1 + ((at + index) % works)}W`);
    await (await fetch(`${url}/many?keys=${keys.join(",")}`)).arrayBuffer();
  }
  return works / ((performance.now() - started) / 1000);
}
