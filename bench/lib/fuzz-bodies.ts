// Random bodies of requests.
import { gzipSync } from "node:zlib";
import { marcXml } from "../../test/support/marc/build-marc.ts";
import type { Operation } from "../../scripts/lib/operations.ts";
import {
  type Source,
  changedDocument,
  encodePairs,
  jsonOf,
  randomPairs,
  strangeJson,
  textOf,
} from "./fuzz-values.ts";
import { type Random, anyOf, below, hostileJson, hostileText, hostileValue } from "./hostile.ts";
import { marcRecord } from "./marc-records.ts";

export const FORM = "application/x-www-form-urlencoded";
const BOUNDARY = "fuzz-7f3a";
/** More than any body may have. */
const HUGE_BYTES = 17 * 1024 * 1024;

interface Body {
  type: string;
  bytes: Buffer;
}

export function bodyOf(operation: Operation, source: Source): Body {
  const { random } = source;
  const { form, json, bodyType = "application/json", listener } = operation;
  if (source.isHostile && random() < 0.12) return oddBody(random);
  if (json !== undefined) return jsonBody(jsonOf("body", json, source));
  if (Object.keys(form).length > 0) {
    const pairs = randomPairs(form, source);
    if (random() < 0.15) return jsonBody(Object.fromEntries(pairs));
    return random() < 0.15
      ? multipart(pairs, random)
      : { type: FORM, bytes: Buffer.from(encodePairs(pairs)) };
  }
  if (bodyType === "multipart/form-data") return multipart([["upload", "1"]], random);
  if (bodyType === FORM) {
    const names = ["title", "_comment", "work--title", "edition--title", "key", "seeds"];
    return {
      type: FORM,
      bytes: Buffer.from(encodePairs(names.map((name) => [name, textOf(name, {}, source)]))),
    };
  }
  if (/octet|xml/.test(bodyType)) return { type: bodyType, bytes: importBody(random) };
  if (listener === "search" && random() < 0.8)
    return { type: "application/json", bytes: Buffer.from(engineJson(source)) };
  const document = changedDocument(source);
  if (bodyType.startsWith("text/tab"))
    return {
      type: bodyType,
      bytes: Buffer.from(["/type/work", document["key"], 1, "2026", JSON.stringify(document)].join("\t")),
    };
  return jsonBody(
    anyOf(random, [document, document, [document, changedDocument(source)], strangeJson(random)]),
  );
}

function jsonBody(value: unknown): Body {
  return { type: "application/json", bytes: Buffer.from(JSON.stringify(value) ?? "") };
}

/** Creates a JSON query of the search engine, or an update. */
function engineJson(source: Source): string {
  const { random, pool } = source;
  const facet = { a: { type: "terms", field: hostileValue(random), limit: 1e9 }, b: "sum(title)" };
  return anyOf(random, [
    () => hostileJson(random),
    () =>
      JSON.stringify({
        query: hostileText(random),
        filter: [hostileText(random), 1],
        limit: anyOf(random, [0, 10, -1, 1e6]),
        facet,
      }),
    () => JSON.stringify([changedDocument(source)]),
    () => JSON.stringify({ delete: anyOf(random, pool.keys), commit: {} }),
  ])();
}

const XML_FIELDS = [
  "001 ocm17",
  "020   ‡a0140328726",
  "100 1 ‡aDahl, Roald.",
  "245 10‡aMatilda /‡cR. Dahl.",
  "260   ‡aLondon :‡bCape,‡c1984.",
];
const IMPORTED = {
  source_records: ["fuzz:1"],
  authors: [{ name: "Ann Author" }],
  publishers: ["A Press"],
  publish_date: "1999",
};
const FRAGMENTS = [
  "<",
  "&#x0;",
  "<!DOCTYPE a [<!ENTITY b 'c'>]>",
  "</record>",
  ' tag="ABC"',
  "\u001b$1",
  "\u001d",
  "\u001e",
  "\u001f",
  "{acute}",
  "\u0000",
];

/** Creates a MARC, MARCXML or JSON record for an import; most are cut or damaged. */
function importBody(random: Random): Buffer {
  let bytes: Buffer = anyOf<() => Buffer>(random, [
    () => marcRecord(below(random, 1000)),
    () => Buffer.from(marcXml({ fields: XML_FIELDS })),
    () => Buffer.from(JSON.stringify({ ...IMPORTED, title: hostileText(random) })),
  ])();
  for (let left = below(random, 4); left > 0; left -= 1) bytes = damage(bytes, random);
  // With a correct length most damaged MARC records get past the first check.
  if (bytes[0] !== 0x3c && bytes[0] !== 0x7b && random() < 0.8)
    bytes.write(String(bytes.length).padStart(5, "0"), 0, "latin1");
  return bytes;
}

function damage(bytes: Buffer, random: Random): Buffer {
  const at = below(random, bytes.length + 1);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
  const inserted = (more: Buffer) => Buffer.concat([head, more, tail]);
  return anyOf(random, [
    () => Buffer.from(head),
    () => Buffer.concat([head, tail.subarray(below(random, 12))]),
    () => inserted(tail.subarray(0, below(random, 600))),
    () => inserted(Buffer.from(anyOf(random, FRAGMENTS))),
    () => inserted(Buffer.from(Array.from({ length: 4 }, () => below(random, 256)))),
  ])();
}

/** A GIF of one pixel, the start of a PNG, and bytes that are no image. */
const FILES = [
  Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64"),
  Buffer.from("89504e470d0a1a0a0000000d49484452ffffffffffffffff", "hex"),
  Buffer.from("not an image"),
  Buffer.alloc(100_000, 7),
];

function multipart(pairs: string[][], random: Random): Body {
  const parts = pairs.map(
    ([name = "", text = ""]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  const name = anyOf(random, ["file", "data", "batch_file"]);
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const end = random() < 0.1 ? "" : `\r\n--${BOUNDARY}--\r\n`;
  const bytes = Buffer.concat([Buffer.from(parts.join("") + file), anyOf(random, FILES), Buffer.from(end)]);
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes };
}

function oddBody(random: Random): Body {
  const [type, create] = anyOf<[string, () => Buffer]>(random, [
    ["application/json", () => Buffer.from('{"a":1,"a":2,"__proto__":{"x":1}}')],
    ["application/json", () => Buffer.from("[".repeat(100_000))],
    ["application/json", () => Buffer.from([0xff, 0xfe, 0x00])],
    ["application/json", () => Buffer.alloc(0)],
    [FORM, () => Buffer.from("a=%zz&=&&b[]=1&%00=%00")],
    [FORM, () => Buffer.from("a=1&".repeat(20_000))],
    ["multipart/form-data", () => Buffer.from("no boundary")],
    ["application/octet-stream", () => gzipSync(Buffer.alloc(1_000_000))],
    ["text/plain", () => Buffer.alloc(random() < 0.05 ? HUGE_BYTES : 2_000_000, 97)],
  ]);
  return { type, bytes: create() };
}
