// Searches of an index where one word is in millions of places: `npm run bench -- search --only repeated`.
import { OURS } from "./lib/loaded-index.ts";

const RUNS = 3;
/** Equal requests under way while another client searches. */
const AT_ONCE = 3;
const REPEATS = 240;
const OTHER = "/search.json?q=night+stone&limit=20";

const repeat = (word: string, blank: string, count = REPEATS) => Array<string>(count).fill(word).join(blank);
const COMPOUND = repeat("a", "-");
const PHRASE = `"${repeat("a", " ")}"`;
const SHORT = `"${repeat("a", " ", 32)}"`;

const DOORS: [path: string, parameters: Record<string, string>][] = [
  ...[COMPOUND, PHRASE, SHORT, '"a a"', repeat("a", ")"), repeat("a", " ", 100)].map(
    (q): [string, Record<string, string>] => ["/search.json", { q }],
  ),
  ["/search.json", { q: `subject:${repeat("a", "-", 32)}`, sort: "new" }],
  ["/search.json", { q: Array.from({ length: 100 }, (_, at) => `"a x${at}"`).join(" OR ") }],
  ["/search.json", { q: "a* b* c* d*" }],
  ["/search.json", { q: "subject:a" }],
  ["/search.json", { subject: COMPOUND }],
  ["/search/facets.json", { q: SHORT, field: "language" }],
  ["/search", { q: SHORT }],
  ["/search.atom", { q: SHORT }],
  ["/search/authors.json", { q: SHORT }],
  ["/search/subjects.json", { q: SHORT }],
  ["/search/lists.json", { q: SHORT }],
  ["/search/inside.json", { q: SHORT }],
  ["/works/_autocomplete", { q: COMPOUND }],
  ["/subjects_autocomplete", { q: COMPOUND }],
  ["/reconcile", { query: repeat("a", "-", 32) }],
  ["/sru", { query: `dc.subject adj ${SHORT}` }],
  ["/opds/books.json", { q: SHORT }],
];

/** Measures each door alone, and another client's search while three of its requests are under way. */
export async function measureRepeated() {
  console.log("median and longest in ms, longest wait of another search with three at once, status, bytes");
  for (const [path, parameters] of DOORS) {
    const url = `${path}?${new URLSearchParams(parameters)}`;
    const runs = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await timed(url));
    const times = runs.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const waits = [];
    for (let run = 0; run < RUNS; run += 1) {
      const busy = Promise.all(Array.from({ length: AT_ONCE }, (_, at) => timed(`${url}&n=${run}.${at}`)));
      await new Promise((resolve) => setTimeout(resolve, 5));
      waits.push((await timed(`${OTHER}&n=${run}`)).ms);
      await busy;
    }
    const [{ status, bytes } = { status: 0, bytes: 0 }] = runs;
    const row = [times[1], times.at(-1), Math.max(...waits)].map((ms) => (ms ?? 0).toFixed(0));
    console.log(
      `| ${path} ${Object.values(parameters).join(" ").slice(0, 24)} | ${row.join(" | ")} | ${status} | ${bytes} |`,
    );
  }
}

async function timed(path: string) {
  const started = performance.now();
  const response = await fetch(OURS + path);
  const { byteLength: bytes } = await response.arrayBuffer();
  return { ms: performance.now() - started, status: response.status, bytes };
}
