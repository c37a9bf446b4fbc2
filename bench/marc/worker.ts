// Parses MARC records in workerd, by Carrel's parser and by marc4js, which only parses the fields.
// Imports the parser itself, because the package loads it by a name that bundlers cannot see.
import Iso2709Parser from "marc4js/lib/parse/iso2709_parser";
import { readMarc } from "../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../src/import/marc/edition.ts";

let records: Uint8Array[] = [];
let file = "";

/** Splits a file at the record terminators. */
function cut(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0x1d); end >= 0; end = bytes.indexOf(0x1d, start)) {
    found.push(bytes.subarray(start, end + 1));
    start = end + 1;
  }
  return found;
}

/** Converts every record to an import record. */
async function editions(): Promise<number> {
  let count = 0;
  for (const bytes of records) count += editionOfMarc(await readMarc(bytes))["title"] === undefined ? 0 : 1;
  return count;
}

/** Parses the fields of every record. */
async function fields(): Promise<number> {
  let count = 0;
  for (const bytes of records) count += (await readMarc(bytes)).fields.length > 0 ? 1 : 0;
  return count;
}

/** Parses the fields by marc4js, which takes the whole file. */
function theirs(): Promise<number> {
  return new Promise((resolve, reject) => {
    const parser = new Iso2709Parser({});
    let count = 0;
    parser.on("data", () => (count += 1));
    parser.on("end", () => resolve(count));
    parser.on("error", reject);
    parser.write(file);
    parser.end();
  });
}

const READERS: Readonly<Record<string, () => Promise<number>>> = {
  "/editions": editions,
  "/fields": fields,
  "/theirs": theirs,
};

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method === "POST") {
      const bytes = new Uint8Array(await request.arrayBuffer());
      records = cut(bytes);
      file = new TextDecoder().decode(bytes);
      return Response.json(records.length);
    }
    const read = READERS[pathname];
    return read === undefined ? new Response(null, { status: 404 }) : Response.json(await read());
  },
};
