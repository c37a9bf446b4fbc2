import { run } from "./client.ts";

import type { Run } from "./client.ts";

/** Warm-up in seconds, not measured. */
const WARM_UP = 1;

/** Measures two services in turns, and prints the median, lowest and highest ratio of their rates. */
export async function compare(
  what: string,
  {
    carrel,
    baseline,
    seconds,
    rounds,
    ours,
    theirs,
    connections,
  }: {
    carrel: number;
    baseline: number;
    seconds: number;
    rounds: number;
    ours: (n: number) => string | Buffer;
    theirs: (n: number) => string | Buffer;
    connections?: number;
  },
) {
  const measured: { ours: Run; theirs: Run; ratio: number }[] = [];
  let asked = 0;
  // Every round asks for something else.
  const request = (make: (n: number) => string | Buffer) => () => make((asked += 1));
  await run({ port: carrel, seconds: WARM_UP, request: request(ours), connections });
  await run({ port: baseline, seconds: WARM_UP, request: request(theirs), connections });
  for (let round = 0; round < rounds; round += 1) {
    const own = await run({ port: carrel, seconds, request: request(ours), connections });
    const bare = await run({ port: baseline, seconds, request: request(theirs), connections });
    measured.push({ ours: own, theirs: bare, ratio: own.perSecond / bare.perSecond });
  }
  measured.sort((a, b) => a.ratio - b.ratio);
  const middle = measured[Math.floor(measured.length / 2)];
  if (middle === undefined) return;
  const range = `${measured[0]?.ratio.toFixed(2)} to ${measured.at(-1)?.ratio.toFixed(2)}`;
  console.log(`${what}\n  ratio ${middle.ratio.toFixed(2)} (${range})`);
  console.log(`  Carrel   ${describe(middle.ours)}\n  baseline ${describe(middle.theirs)}`);
}

function describe({ perSecond, p50, p99, statuses }: Run) {
  const answers = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return `${Math.round(perSecond)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${answers.join(", ")}`;
}
