import { batches, numbered, sendBatches } from "../../scripts/lib/load-client.ts";
import { catalogLines, catalogSize } from "./catalog.ts";
import { type Instance, TOKEN } from "./instances.ts";
import type { Target } from "../../scripts/lib/service.ts";

/** Parts of a load that are timed separately. */
const PARTS = 10;

/** Loads the same catalog into both services by the same path, and prints the rates. */
export async function loadBoth(carrel: Instance, baseline: Instance, works: number) {
  const total = catalogSize(works);
  const oneTable = await load(`${baseline.url}/one-table`, works, total);
  const sameRows = await load(`${baseline.url}/same-rows`, works, total);
  const own = await load(carrel.url, works, total);
  console.log(`loading ${total} records / plain json_each inserts by the same path`);
  console.log(`  ratio ${(own.rate / sameRows.rate).toFixed(2)} to inserts of as many rows`);
  console.log(
    `  ratio ${(own.rate / oneTable.rate).toFixed(2)} to one row per record in a table with one index`,
  );
  printRates("Carrel   ", own);
  printRates("same rows", sameRows);
  printRates("one table", oneTable);
}

function printRates(name: string, { rate, first, last }: { rate: number; first: number; last: number }) {
  const parts = Number.isFinite(first + last)
    ? `, first tenth ${Math.round(first)}/s, last tenth ${Math.round(last)}/s`
    : "";
  console.log(`  ${name} ${Math.round(rate)} records/s${parts}`);
}

async function load(url: string, works: number, total: number) {
  // Like `npm run load`: the index follows at the end.
  const target: Target = { url, token: TOKEN, fetch, index: "later" };
  const started = performance.now();
  const marks: number[] = [0];
  let done = 0;
  await sendBatches(batches(numbered(catalogLines(works))), target, {
    onDone: (outcome, { numbers }) => {
      if (outcome.rejected.length > 0) throw new Error(outcome.rejected[0]?.reason);
      done += numbers.length;
      while (done >= (marks.length / PARTS) * total && marks.length <= PARTS)
        marks.push(performance.now() - started);
    },
  });
  // With few requests several tenths end at once, and their rates mean nothing.
  const isReliable = total > 100_000;
  const part = (index: number) =>
    isReliable ? total / PARTS / (((marks[index + 1] ?? 0) - (marks[index] ?? 0)) / 1000) : Number.NaN;
  const rate = total / ((performance.now() - started) / 1000);
  return { rate, first: part(0), last: part(PARTS - 1) };
}
