import { connection, get } from "./client.mjs";

/** Rounds over the same questions. */
const ROUNDS = 3;

/**
 * A question to both services, by path.
 * @typedef {{ ours: string, theirs: string }} Question
 */
/**
 * Sends a request over a connection and gives the status.
 * @typedef {(request: string) => Promise<string>} Ask
 */
/**
 * Times in milliseconds.
 * @typedef {{ p50: number, p95: number, p99: number }} Times
 */

/**
 * Asks both services the same questions in turns over one connection each, and says how long answers took.
 * @param {{ ours: number, theirs: number }} ports
 * @param {Question[]} questions
 * @returns {Promise<{ ours: Times, theirs: Times, refused: number }>}
 */
export async function latencies(ports, questions) {
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const theirs = [];
  let refused = 0;
  /** @type {(ask: Ask, path: string, taken: number[]) => Promise<void>} */
  const one = async (ask, path, taken) => {
    const started = performance.now();
    const status = await ask(get(path));
    taken.push(performance.now() - started);
    if (status !== "200") refused += 1;
  };
  await connection(ports.ours, (askOurs) =>
    connection(ports.theirs, async (askTheirs) => {
      for (const question of questions.slice(0, 5)) {
        await one(askOurs, question.ours, []);
        await one(askTheirs, question.theirs, []);
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [index, question] of questions.entries()) {
          // Whoever asks second finds the pages in memory: the turn changes.
          const isFirst = (index + round) % 2 === 0;
          if (isFirst) await one(askOurs, question.ours, ours);
          await one(askTheirs, question.theirs, theirs);
          if (!isFirst) await one(askOurs, question.ours, ours);
        }
      }
    }),
  );
  return { ours: times(ours), theirs: times(theirs), refused };
}

/**
 * @param {number[]} values
 * @returns {Times}
 */
export function times(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
