// Fuzzing and killing for a set time, in turns and with fresh seeds: `npm run bench -- campaign --journal FILE [--minutes 120]
// [--only openapi-fuzz,listener-fuzz,faults,patron-faults,import-faults]`. The journal keeps what has been done and found, so
// that the same command goes on where the last one stopped, also after it was killed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../scripts/lib/paths.mjs";

/** What one turn of each kind does: its flags, and how many requests or kills these are. */
const TURNS = {
  "openapi-fuzz": { flags: ["--requests", "20000"], requests: 20_000, kills: 0 },
  // So many to each of four.
  "listener-fuzz": { flags: ["--requests", "5000"], requests: 20_000, kills: 0 },
  faults: { flags: ["--kills", "10"], requests: 0, kills: 10 },
  "patron-faults": { flags: ["--kills", "10"], requests: 0, kills: 10 },
  "import-faults": { flags: ["--kills", "10"], requests: 0, kills: 10 },
};
/** End of what a turn with a finding printed that the journal keeps, in characters. */
const KEPT_OUTPUT = 8000;

/**
 * @typedef {keyof typeof TURNS} Kind
 * @typedef {{ requests: number, kills: number, turns: number, seed: number, seconds: number, found: { seed: number, output: string }[] }} Done
 * @typedef {Record<string, Done>} Journal
 */

/** @param {{ journal: string, minutes: number, only: string }} options */
export async function benchCampaign({ journal: file, minutes, only }) {
  const kinds = /** @type {Kind[]} */ (Object.keys(TURNS)).filter(
    (kind) => only === "" || only.split(",").includes(kind),
  );
  /** @type {Journal} */
  const journal = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const end = Date.now() + minutes * 60_000;
  while (Date.now() < end) {
    // Whose turn it is has had the least time, over all runs.
    const kind = kinds.toSorted((a, b) => (journal[a]?.seconds ?? 0) - (journal[b]?.seconds ?? 0))[0];
    if (kind === undefined) throw new Error(`--only: one of ${Object.keys(TURNS).join(", ")}`);
    await turn(kind, journal, file);
  }
  print(journal);
}

/** @param {Kind} kind @param {Journal} journal @param {string} file */
async function turn(kind, journal, file) {
  const done = (journal[kind] ??= { requests: 0, kills: 0, turns: 0, seed: 0, seconds: 0, found: [] });
  // Written first: a seed that stops the campaign is not tried again.
  done.seed += 1;
  keep(file, journal);
  const started = Date.now();
  const { flags, requests, kills } = TURNS[kind];
  const { code, output } = await runBench([kind, ...flags, "--seed", String(done.seed)]);
  done.turns += 1;
  done.seconds += Math.round((Date.now() - started) / 1000);
  if (code === 0) {
    done.requests += requests;
    done.kills += kills;
  } else done.found.push({ seed: done.seed, output: output.slice(-KEPT_OUTPUT) });
  keep(file, journal);
  console.log(`${kind}, seed ${done.seed}: ${code === 0 ? "nothing found" : "FOUND something"}`);
}

/** @param {readonly string[]} args @returns {Promise<{ code: number | null, output: string }>} */
function runBench(args) {
  return new Promise((resolve, reject) => {
    const bench = spawn(process.execPath, [path.join(ROOT, "bench/run.mjs"), ...args], { cwd: ROOT });
    let output = "";
    const add = (/** @type {Buffer} */ part) => (output = (output + part.toString()).slice(-4 * KEPT_OUTPUT));
    bench.stdout.on("data", add);
    bench.stderr.on("data", add);
    bench.once("error", reject);
    bench.once("close", (code) => resolve({ code, output }));
  });
}

/** @param {string} file @param {Journal} journal */
function keep(file, journal) {
  writeFileSync(`${file}.new`, JSON.stringify(journal, null, 1));
  renameSync(`${file}.new`, file);
}

/** @param {Journal} journal */
function print(journal) {
  for (const [kind, { requests, kills, turns, seconds, found }] of Object.entries(journal)) {
    const amount = kills === 0 ? `${requests} requests` : `${kills} kills`;
    const seeds = found.map(({ seed }) => seed).join(", ");
    console.log(
      `${kind}: ${amount} in ${turns} turns, ${Math.round(seconds / 60)} min; ${found.length} with findings ${seeds}`,
    );
  }
}
