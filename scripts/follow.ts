import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { ProgressBar, counted } from "./lib/progress-bar.ts";
import { TARGET_HELP, TARGET_OPTIONS, type Target, call, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run follow -- SOURCE_URL [options]

Keeps a running service up to date with another one that has the same interface: reads its changes day by day,
and stores the records that they name. Load its dumps first (npm run load), then follow it from the day of the dump.
Records that were edited here are kept, and listed at the end. The service stores the position, so an interrupted command
resumes.

  --since DATE   the first day (YYYY-MM-DD); an earlier one than before starts over from it
  --only KINDS   of works,editions,authors,lists,series,tags,languages (default: all)
  --list KEY     follow this list or series alone, such as /people/ann/lists/OL1L: its records, what they name, and the
                 editions of its works; may be given again
  --subject NAME follow the works of a subject alone, such as love or place:london
  --history      store each revision that is made there, not only the newest
  --rate N       requests a second to the other service (default 1)
  --contact TEXT how its operator reaches you: an email or web address, sent with every request (default: FOLLOW_CONTACT of the
                 settings, or the address of the site)
  --watch        continue when it has caught up, with a request every minute
${TARGET_HELP}`;

/** Poll interval after catching up, in milliseconds. */
const WATCH_EVERY_MS = 60_000;
/** Maximum number of consecutive failed requests to the source. */
const FAILURES_MAX = 12;
const DAY_MS = 86_400_000;
const KINDS = ["works", "editions", "authors", "lists", "series", "tags", "languages"];

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    ...TARGET_OPTIONS,
    since: { type: "string" },
    only: { type: "string" },
    list: { type: "string", multiple: true, default: [] },
    subject: { type: "string", multiple: true, default: [] },
    history: { type: "boolean" },
    rate: { type: "string" },
    contact: { type: "string" },
    watch: { type: "boolean", default: false },
  },
});

interface Position {
  day: string;
  changes: number;
  stored: number;
  waiting: number;
  caught_up: boolean;
  failures: number;
  problem: string | null;
  wait: number;
  incomplete: string[];
  failed: string[];
}

/** Returns the completed share, by days and by what remains of the current day. */
function shareOf(first: Position, { day, stored, waiting, caught_up: isDone }: Position) {
  if (isDone && waiting === 0) return 1;
  const done = stored - first.stored;
  const days = Math.max(1, Math.ceil((Date.now() - Date.parse(first.day)) / DAY_MS));
  const past = (Date.parse(day) - Date.parse(first.day)) / DAY_MS;
  return Math.min(1, (past + done / Math.max(1, done + waiting)) / days);
}

/** Prints the position and the records that differ from the source. */
async function report(target: Target, { day, changes, stored, incomplete, failed }: Position) {
  console.log(`${day}: ${counted(changes, "change")} read, ${counted(stored, "revision")} stored, caught up`);
  if (incomplete.length > 0) console.log(`more was changed than is listed: ${incomplete.join(", ")}`);
  for (const entry of failed) console.log(`not answered, asked for again the next day: ${entry}`);
  let after: string | null = "";
  while (after !== null) {
    const path = `/system/follow.json?limit=1000&after=${encodeURIComponent(after)}`;
    const { kept, next }: { kept: { key: string; there: number; seen: string }[]; next: string | null } =
      await call(target, path);
    for (const { key, there, seen } of kept)
      console.log(
        `kept, because it was edited here: ${key} (revision ${there} there, seen ${seen.slice(0, 19)})`,
      );
    after = next;
  }
}

/** Throws a `CommandError` for invalid arguments. */
function check(source: string) {
  const { since = "2026-01-01", only = "works", rate = "1" } = values;
  if (!/^https?:/.test(source) || !URL.canParse(source)) throw new CommandError(`Not an address: ${source}`);
  if (!/^\d{4}-\d\d-\d\d$/.test(since) || Number.isNaN(Date.parse(since)))
    throw new CommandError(`Not a day, such as 2026-11-01: ${since}`);
  const odd = only.split(",").find((kind) => !KINDS.includes(kind));
  if (odd !== undefined) throw new CommandError(`Not one of ${KINDS.join(", ")}: ${odd}`);
  if (!(Number(rate) > 0)) throw new CommandError(`Not a number of requests a second: ${rate}`);
}

async function main() {
  const [source, ...more] = positionals;
  if (source === undefined || more.length > 0) return console.log(HELP);
  check(source);
  const target = await targetOf(values);
  const { since, only, history, rate, contact, list, subject } = values;
  const parts = [...list, ...subject.map((name) => `/subjects/${encodeURIComponent(name)}`)];
  const policy = { ...(rate && { rate: Number(rate) }), ...(contact && { contact }) };
  const common = { source, ...(history && { history }), ...policy };
  let request = {
    ...common,
    ...(since && { since }),
    ...(only && { only: only.split(",") }),
    ...(parts.length > 0 && { parts }),
  };
  const bar = new ProgressBar("");
  let first: Position | undefined;
  let failures = 0;
  for (;;) {
    const now: Position = await call(target, "/system/follow", { method: "POST", json: request });
    request = common;
    first ??= now;
    failures = now.problem === null ? 0 : failures + 1;
    if (failures > FAILURES_MAX)
      throw new CommandError(`${now.problem}. The same command goes on from here.`);
    const isDone = now.caught_up && now.waiting === 0 && now.problem === null;
    bar.label = `${now.day}, ${counted(now.changes, "change")} read, ${now.waiting} to ask for`;
    bar.update(shareOf(first, now), now.stored - first.stored);
    if (isDone || now.problem !== null) bar.done();
    if (isDone) await report(target, now);
    if (isDone && !values.watch) return;
    if (now.problem !== null) console.log(`${now.problem}: waiting ${Math.ceil(now.wait / 1000)} s`);
    await sleep(isDone ? WATCH_EVERY_MS : now.wait);
  }
}

await runCommand(main, "Stopped. The same command goes on from here.");
