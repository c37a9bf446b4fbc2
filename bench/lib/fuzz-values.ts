// Values of parameters and JSON members. The same random numbers and pool give the same values.
import type { Schema } from "../../scripts/lib/operations.ts";
import {
  type Random,
  anyOf,
  below,
  hostileFields,
  hostileFlag,
  hostileJson,
  hostileNumber,
  hostileSort,
  hostileText,
  hostileValue,
} from "./hostile.ts";

/** Identifiers and documents of the catalog under test, by the names of the parameters that take them. */
export interface Pool {
  byName: Record<string, string[]>;
  keys: string[];
  documents: Record<string, unknown>[];
}

/** Origin of the values of a request. */
export interface Source {
  random: Random;
  pool: Pool;
  /** False: all values are plausible. */
  isHostile: boolean;
}

/** Text that no page may contain unescaped. */
export const MARKUP = `<fuzz"'&>`;
const STRANGE = [
  MARKUP,
  "\u0000",
  "a\r\nSet-Cookie: fuzz=1",
  "\ud800",
  "\u202e\u2066x",
  "e\u0301".repeat(40),
  "../../../etc/passwd",
  "%",
  "%00",
  "'; DROP TABLE record; --",
  "NaN",
  "9".repeat(40),
  "__proto__",
  "toString",
  "//evil.example/x",
  "javascript:alert(1)",
  "",
  "x".repeat(5000),
];
const WORDS = "pride dickens fiction london 1984 eng true false 1 0 2 20 Emma patron x".split(" ");

/** Generators by the name of a parameter. */
const GENERATORS: Record<string, (random: Random) => string> = {
  ...Object.fromEntries(["q", "fq", "facet.query", "query_string"].map((name) => [name, hostileText])),
  ...Object.fromEntries(["fields", "fl"].map((name) => [name, hostileFields])),
  ...Object.fromEntries(
    "limit offset page rows start revision v".split(" ").map((name) => [name, hostileNumber]),
  ),
  ...Object.fromEntries(
    "facet details commit overwrite has_fulltext".split(" ").map((name) => [name, hostileFlag]),
  ),
  sort: hostileSort,
  query: hostileJson,
  // Read-only mode would refuse all other requests.
  read_only: (random) => anyOf(random, ["false", "0", "maybe"]),
};
/** Values of parameters that mean the same in every catalog. */
const VALUES: Record<string, string[]> = {
  site: ["openlibrary.org", "x"],
  core: ["openlibrary", "x"],
  part: ["fields", "x"],
  year: ["2026", "1999", "0"],
  month: ["11", "13"],
  day: ["2026-11-22", "2026-02-31", "22"],
  date: ["2026-11-22", "latest"],
  kind: ["add-book", "update", "entity", "subjects", "x"],
  shelf: ["want-to-read", "loans", "lists"],
  name: ["1-M.jpg", "ol_dump_latest.txt.gz", "eng", "type_edition_seq"],
  value: ["9780140328721", "OL101W", "12345"],
  bibkeys: ["ISBN:9780140328721", "OLID:OL101M,LCCN:1", "ID:1;x"],
  callback: ["f", "a.b", "alert(1)//"],
  type: ["/type/edition", "/type/work", "work", "note"],
  password: ["patron", ""],
  email: ["patron@example.com", "x"],
  action: ["update", "borrow", "STATUS", "send"],
  verb: ["ListRecords", "GetRecord", "ListIdentifiers", "Identify"],
  metadataPrefix: ["oai_dc", "marc21"],
  recordSchema: ["marcxml", "dc"],
  wt: ["json", "xml", "csv"],
  "facet.field": ["language", "subject_facet", "nothing"],
  "json.nl": ["flat", "map", "x"],
  cursorMark: ["*", "x"],
  document: ["note/1", "spamwords", "ebooks/starter-bleak-2003"],
};

/** Picks some of these parameters with values; arrays are repeated. */
export function randomPairs(schemas: Record<string, Schema>, source: Source): string[][] {
  const { random } = source;
  const names = Object.keys(schemas);
  const share = names.length > 12 ? 4 / names.length : 0.5;
  const chosen = names.filter((_name, at) => random() < (at === 0 ? 0.8 : share));
  return chosen.flatMap((name) => {
    const schema = schemas[name] ?? {};
    const count = schema.type === "array" ? anyOf(random, [0, 1, 2, 60]) : random() < 0.02 ? 2 : 1;
    return Array.from({ length: count }, () => [name, textOf(name, schema.items ?? schema, source)]);
  });
}

/** Creates the text of a parameter: usually a plausible one. */
export function textOf(name: string, schema: Schema, source: Source): string {
  const { random, pool, isHostile } = source;
  const generate = GENERATORS[name];
  if (name === "read_only" && generate !== undefined) return generate(random);
  const kind = random();
  if (isHostile && kind < 0.2) return anyOf(random, STRANGE);
  if (isHostile && kind < 0.3) return hostileText(random);
  if (schema.enum !== undefined) return String(anyOf(random, schema.enum));
  const isNumber = schema.type === "integer" || schema.type === "number" || generate === hostileNumber;
  if (isNumber) return isHostile ? hostileNumber(random) : anyOf(random, ["0", "1", "2", "5", "20"]);
  if (schema.type === "boolean") return hostileFlag(random);
  const known = [...(pool.byName[name] ?? []), ...(VALUES[name] ?? [])];
  if (known.length > 0 && kind < 0.85) return anyOf(random, known);
  if (generate !== undefined) return generate(random);
  if (name === "keys" || name === "seeds")
    return JSON.stringify([anyOf(random, pool.keys), anyOf(random, pool.keys)]);
  if (isHostile && kind < 0.5) return hostileValue(random);
  return anyOf(random, kind < 0.7 ? WORDS : pool.keys);
}

/** Creates a JSON value, usually one that a schema allows. */
export function jsonOf(name: string, schema: Schema, source: Source): unknown {
  const { random, isHostile } = source;
  if (isHostile && random() < 0.12) return strangeJson(random);
  if (schema.anyOf !== undefined) return jsonOf(name, anyOf(random, schema.anyOf), source);
  if (schema.const !== undefined) return schema.const;
  switch (schema.type) {
    case "object": {
      const members = Object.entries(schema.properties ?? {}).filter(
        ([member]) => random() < (schema.required?.includes(member) === true ? 0.97 : 0.6),
      );
      if (members.length === 0) return anyOf(random, [{}, changedDocument(source)]);
      return Object.fromEntries(members.map(([member, one]) => [member, jsonOf(member, one, source)]));
    }
    case "array":
      return Array.from({ length: anyOf(random, [0, 1, 2, 2, 300]) }, () =>
        jsonOf(name, schema.items ?? {}, source),
      );
    case "integer":
    case "number":
      return anyOf(random, [0, 1, 2, 5, 2026, -1, 1.5, 2 ** 53]);
    case "boolean":
      return random() < 0.5;
    case "string":
      return textOf(name, schema, source);
    default:
      return anyOf(random, [changedDocument(source), textOf(name, schema, source)]);
  }
}

export function strangeJson(random: Random): unknown {
  const depth = anyOf(random, [10, 64, 66, 4000]);
  const deep = () => JSON.parse('{"a":['.repeat(depth / 2) + "]}".repeat(depth / 2));
  return anyOf(random, [
    deep,
    () => Array<number>(2000).fill(1),
    () => anyOf(random, STRANGE),
    () => hostileText(random),
    () =>
      anyOf<unknown>(random, [
        null,
        true,
        -1,
        1e308,
        [],
        {},
        [null],
        { key: null },
        { key: 1 },
        { toString: 1 },
      ]),
  ])();
}

/** Changes up to two members of a stored document. */
export function changedDocument(source: Source): Record<string, unknown> {
  const { random, pool } = source;
  const document = { ...anyOf(random, pool.documents) };
  for (let count = below(random, 3); count > 0; count -= 1)
    document[anyOf(random, Object.keys(document))] = strangeJson(random);
  if (random() < 0.3) delete document["key"];
  if (random() < 0.1)
    document["type"] = { key: anyOf(random, ["/type/delete", "/type/redirect", "/type/x"]) };
  return document;
}

export function encodePairs(pairs: string[][]) {
  return pairs.map(([name = "", text = ""]) => `${encode(name)}=${encode(text)}`).join("&");
}

/** Encodes a text for a URL; half of a surrogate pair as the bytes that it would have. */
export function encode(text: string) {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : [...text].map((sign) => (sign.isWellFormed() ? encodeURIComponent(sign) : "%ED%A0%80")).join("");
}
