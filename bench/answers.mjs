// What a started service answers, recorded, so that a change of the code can be shown to change nothing: `node
// bench/answers.mjs --help`.
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../scripts/lib/paths.ts";
import { answersTo } from "./answers/ask.mjs";
import { compareRecords } from "./answers/compare.mjs";
import { lineText, readLines } from "./answers/lines.mjs";
import { startSteady } from "./answers/service.mjs";

/** @import { Line } from "./answers/lines.mjs" */
/** @import { Service } from "./answers/service.mjs" */

const HELP = `usage: node bench/answers.mjs record --to FILE --requests FILE [--checkout DIR]
       node bench/answers.mjs record --to FILE --routes FILE [--checkout DIR] [--interface FILE] [--list]
       node bench/answers.mjs compare OLD NEW [--shown N]

record starts the service of a checkout, with the starter catalog and a clock and a randomness that are the same each time, sends
it requests one after the other, and writes each with its answer as a line. compare prints each answer that is another one.

  --to FILE         where the record goes
  --requests FILE   send the requests of this record or list
  --routes FILE     make a list, of the routes that "npm run routes" has printed; this takes Node 24 (node_modules/.bin/node)
  --interface FILE  examples for the list (default test/wire/interface.md of the checkout)
  --list            write the list alone, and ask nothing
  --checkout DIR    whose service is started (default: this one)
  --shown N         differences that compare prints (default 100)
  --help            this text`;
/** After how many requests a word is said. */
const PROGRESS = 500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: "string" },
    requests: { type: "string" },
    checkout: { type: "string", default: ROOT },
    interface: { type: "string" },
    routes: { type: "string" },
    list: { type: "boolean", default: false },
    shown: { type: "string", default: "100" },
    help: { type: "boolean", default: false },
  },
});
const [command, before, after] = positionals;
if (command === "record" && values.to !== undefined) {
  await record(values.to, path.resolve(values.checkout));
} else if (command === "compare" && before !== undefined && after !== undefined) {
  const differences = await compareRecords({ before, after, shown: Number(values.shown) });
  if (differences > 0) process.exitCode = 1;
} else {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
}

/** @param {string} to @param {string} checkout */
async function record(to, checkout) {
  const { requests, list, routes = "", interface: examples = "test/wire/interface.md" } = values;
  const lines =
    requests === undefined
      ? await madeFor(checkout, { routes, examples: path.resolve(checkout, examples) })
      : readLines(requests);
  if (list) return written(to, lines);
  await withService(checkout, (service) => written(to, answersTo(service, lines)));
}

/**
 * A list of requests; the service that it is made from is another one than that which is sent them.
 * @param {string} checkout
 * @param {{ routes: string, examples: string }} tables
 */
async function madeFor(checkout, tables) {
  const { requestsFor } = await import("./answers/list.mjs");
  return withService(checkout, ({ addresses }) => requestsFor(addresses.main, tables));
}

/** @template T @param {string} checkout @param {(service: Service) => Promise<T>} use */
async function withService(checkout, use) {
  const service = await startSteady(checkout);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

/** @param {string} to @param {AsyncIterable<Line> | Iterable<Line>} lines */
async function written(to, lines) {
  const started = performance.now();
  const file = createWriteStream(to);
  let count = 0;
  for await (const line of lines) {
    if (!file.write(lineText(line))) await once(file, "drain");
    count += 1;
    if (count % PROGRESS === 0) console.log(`${count} requests`);
  }
  file.end();
  await once(file, "finish");
  console.log(`${count} requests in ${((performance.now() - started) / 1000).toFixed(1)} s: ${to}`);
}
