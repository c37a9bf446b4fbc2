import { type Run, run } from "./client.ts";

/** Warm-up in seconds, not measured. */
const WARM_UP = 1;

interface Comparison {
  /** Ports of both services. */
  carrel: number;
  baseline: number;
  seconds: number;
  rounds: number;
  ours: (n: number) => string | Buffer;
  theirs: (n: number) => string | Buffer;
  connections?: number;
}

/** Measures two services in turns, and prints the median, lowest and highest ratio of their rates. */
export async function compare(what: string, comparison: Comparison) {
  const { carrel, baseline, seconds, rounds, ours, theirs, connections } = comparison;
  const results: { ours: Run; theirs: Run; ratio: number }[] = [];
  let requests = 0;
  // No round repeats the requests of another.
  const request = (make: (n: number) => string | Buffer) => () => make((requests += 1));
  await run({ port: carrel, seconds: WARM_UP, request: request(ours), connections });
  await run({ port: baseline, seconds: WARM_UP, request: request(theirs), connections });
  for (let round = 0; round < rounds; round += 1) {
    const own = await run({ port: carrel, seconds, request: request(ours), connections });
    const bare = await run({ port: baseline, seconds, request: request(theirs), connections });
    results.push({ ours: own, theirs: bare, ratio: own.perSecond / bare.perSecond });
  }
  results.sort((a, b) => a.ratio - b.ratio);
  const middle = results[Math.floor(results.length / 2)];
  if (middle === undefined) return;
  const range = `${results[0]?.ratio.toFixed(2)} to ${results.at(-1)?.ratio.toFixed(2)}`;
  console.log(`${what}\n  ratio ${middle.ratio.toFixed(2)} (${range})`);
  console.log(`  Carrel   ${format(middle.ours)}\n  baseline ${format(middle.theirs)}`);
}

function format({ perSecond, p50, p99, statuses }: Run) {
  const answers = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return `${Math.round(perSecond)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${answers.join(", ")}`;
}
