import { readFile } from "node:fs/promises";
import { sendLines } from "../scripts/lib/load-client.ts";
import { catalogLines, isbn13 } from "./lib/catalog.ts";
import { get, run, send } from "./lib/client.ts";
import { compare } from "./lib/compare.ts";
import { TOKEN, startBaseline, startCarrel, startMarc } from "./lib/instances.ts";
import { marcRecord } from "./lib/marc-records.ts";
import { prepareWriter } from "./lib/writer.ts";

const PORTS = { carrel: 28_080, baseline: 28_081 };
/** Records of the parsed file. */
const RECORDS = 500;
/** Warm-up of a parser in seconds, not measured. */
const WARM_UP = 2;
/** First ISBN number of new books, above those of the catalog. */
const NEW_FROM = 500_000_000;

/**
 * Measures parsing of MARC against marc4js; imports of new and of known books against a plain batch of as
 * many rows; and imports into a large catalog against a small one.
 */
export async function benchImport({
  works,
  marc,
  only,
  ...timing
}: {
  works: number[];
  marc: string | undefined;
  seconds: number;
  rounds: number;
  only: string;
}) {
  if (only.includes("parse")) await compareParsers(marc, timing);
  const most = Math.max(...works);
  if (only.includes("load")) await compareImports(most, timing);
  if (only.includes("growth")) await compareGrowth(Math.min(...works), most, timing);
}

interface Timing {
  seconds: number;
  rounds: number;
}

/** `path`: a file of MARC records; absent: synthetic records. */
async function compareParsers(path: string | undefined, timing: Timing) {
  const file =
    path === undefined
      ? Buffer.concat(Array.from({ length: RECORDS }, (_, n) => marcRecord(n)))
      : await readFile(path);
  const marc = await startMarc(PORTS.carrel);
  try {
    const records = Number(await (await fetch(marc.url, { method: "POST", body: file })).text());
    console.log(`\n${records} records of ${Math.round(file.length / records)} bytes`);
    for (const reader of ["/editions", "/fields", "/theirs"]) {
      const options = { port: marc.port, connections: 1, request: () => get(reader) };
      await run({ ...options, seconds: WARM_UP });
      const { perSecond } = await run({ ...options, seconds: timing.seconds });
      console.log(`${reader}: ${Math.round(perSecond * records)} records/s`);
    }
    const pair = { carrel: marc.port, baseline: marc.port, connections: 1, ...timing };
    await compare("fields of all records / marc4js", {
      ...pair,
      ours: () => get("/fields"),
      theirs: () => get("/theirs"),
    });
    await compare("import records of all records / fields by marc4js", {
      ...pair,
      ours: () => get("/editions"),
      theirs: () => get("/theirs"),
    });
  } finally {
    await marc.stop();
  }
}

async function compareImports(works: number, timing: Timing) {
  const carrel = await startCarrel(PORTS.carrel, { consumers: false });
  const baseline = await startBaseline(PORTS.baseline);
  try {
    const cookie = await prepareWriter(carrel, works);
    await sendLines(catalogLines(works), { url: `${baseline.url}/same-rows`, token: TOKEN, fetch });
    const pair = { carrel: carrel.port, baseline: baseline.port, ...timing };
    for (const connections of [1, 16]) {
      console.log(`\n${works} works, ${connections} connection${connections === 1 ? "" : "s"}`);
      const both = { ...pair, connections, theirs: (n: number) => plainBatch(n, works) };
      await compare("import of a new book / bare batch of as many rows", {
        ...both,
        ours: () => importRequest(newBook(nextNumber()), cookie),
      });
      await compare("import of a book that is there / bare batch", {
        ...both,
        ours: (n) => importRequest(knownBook(n, works), cookie),
      });
    }
  } finally {
    await carrel.stop();
    await baseline.stop();
  }
}

async function compareGrowth(few: number, many: number, timing: Timing) {
  const large = await startCarrel(PORTS.carrel, { consumers: false });
  const small = await startCarrel(PORTS.baseline, { consumers: false });
  try {
    const cookies = [await prepareWriter(large, many), await prepareWriter(small, few)];
    const pair = { carrel: large.port, baseline: small.port, connections: 1, ...timing };
    const [first = "", second = ""] = cookies;
    console.log(`\n${many} works / ${few} works`);
    await compare("import of a new book", {
      ...pair,
      ours: () => importRequest(newBook(nextNumber()), first),
      theirs: () => importRequest(newBook(nextNumber()), second),
    });
    await compare("import of a book that is there", {
      ...pair,
      ours: (n) => importRequest(knownBook(n, many), first),
      theirs: (n) => importRequest(knownBook(n, few), second),
    });
  } finally {
    await large.stop();
    await small.stop();
  }
}

let lastNumber = 0;

/** Returns a number that no request has used. */
function nextNumber() {
  return (lastNumber += 1);
}

function importRequest(record: object, cookie: string) {
  return send("POST", "/api/import", { body: JSON.stringify(record), headers: cookie });
}

/** Creates a book that the catalog lacks, by one of 1,000 authors. */
function newBook(n: number) {
  return {
    title: `A measured import number ${n}`,
    authors: [{ name: `Imported Author ${n % 1000}` }],
    publishers: [`Import Press ${n % 50}`],
    publish_date: String(1950 + (n % 70)),
    isbn_13: [isbn13(NEW_FROM + n)],
    source_records: [`bench-import:${n}`],
    languages: ["eng"],
    number_of_pages: 200 + (n % 300),
    subjects: ["Fiction", `Measured ${n % 7}`],
    description: `Imported as number ${n}, and long enough to be a description of a book.`,
  };
}

/** Creates an import record of a book that the catalog has. */
function knownBook(n: number, works: number) {
  const id = 2 * (1 + ((n * 7919) % works)) - 1;
  return {
    title: `Known by its number ${id}`,
    authors: [{ name: `Author ${id}` }],
    publishers: ["A Press"],
    publish_date: "1999",
    isbn_13: [isbn13(id)],
    source_records: [`bench:${id}`],
  };
}

/** Creates a request for as many documents as an import of a new book writes. */
function plainBatch(n: number, works: number) {
  const { title, ...members } = newBook(n);
  const rows = ["authors", "works", "books"].map((folder, index) => {
    const id = 1 + ((n * 7919 + index) % works);
    const terms = ["title", "authors", "works", "isbn"].map((name) => [name, `${title} ${index}`]);
    return [id, `${Date.now()}.${n}`, `/${folder}/OL${id}`, JSON.stringify(members), terms];
  });
  return send("POST", "/save", { body: JSON.stringify(rows) });
}
