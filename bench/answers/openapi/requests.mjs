/** Makes requests of operations: sound ones, ones at the bounds of what is allowed, and hostile ones. */
import { gzipSync } from "node:zlib";
import { anyOf, below } from "../../lib/hostile.ts";
import { damagedMarc, damagedXml, soundInputs } from "../lib/import-inputs.mjs";
import { MARKUP, jsonValue, parameterText, strange, strangeJson } from "./values.mjs";

/** @import { Request } from "./client.mjs" */
/** @import { Operation } from "./description.mjs" */
/** @import { Manner, Means } from "./values.mjs" */

const FORM = "application/x-www-form-urlencoded";
const BOUNDARY = "fuzz-7f3a";
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"];
/** Longest path and query that are sent: the runtime refuses longer ones before the service sees them. */
const TARGET_LENGTH = 12_000;
/** Much more than any body may have. */
const HUGE_BYTES = 11 * 1024 * 1024;
const MARC = soundInputs();

/** @typedef {Request & { manner: Manner, isSound: boolean }} Made `isSound`: method and path are the operation's own */

/**
 * A request of an operation. Who sends it is added by the caller.
 * @param {Operation} operation
 * @param {Means} means
 * @returns {Made}
 */
export function requestOf(operation, means) {
  const { random } = means;
  const share = random();
  /** @type {Manner} */
  const manner = share < 0.6 ? "sound" : share < 0.8 ? "bound" : "hostile";
  const isHostile = manner === "hostile";
  const path = pathOf(operation, manner, means);
  const query = queryOf(operation, manner, means);
  const isOtherMethod = isHostile && random() < 0.15;
  const method = isOtherMethod ? anyOf(random, METHODS) : headOr(operation.method, random);
  const headers = { ...readingHeaders(random, isHostile), ...(isHostile ? oddHeaders(random) : {}) };
  const body =
    method === "GET" || method === "HEAD" || method === "OPTIONS"
      ? {}
      : bodyOf(operation, manner, aboutPath(path.text, means));
  return {
    method,
    target: `${path.text}${query}`.slice(0, TARGET_LENGTH),
    headers: { ...headers, ...body.headers },
    body: body.bytes,
    manner,
    isSound: !isOtherMethod && path.isSound && path.text.length <= TARGET_LENGTH,
  };
}

/** @param {string} method @param {() => number} random */
function headOr(method, random) {
  return method === "GET" && random() < 0.08 ? "HEAD" : method;
}

/**
 * Bodies are mostly of the record that the path names, where it is one that is known. @param {string} path @param
 * {Means} means @returns {Means}
 */
function aboutPath(path, { random, pool }) {
  const own = pool.documents.filter(({ key }) => path.startsWith(`${String(key)}.`));
  const documents = own.length > 0 && random() < 0.8 ? own : pool.documents;
  return { random, pool: { ...pool, documents } };
}

/** @param {Operation} operation @param {Manner} manner @param {Means} means */
function pathOf({ path, parameters, expression }, manner, means) {
  const { random, pool } = means;
  const chosen = mostlySound(manner, random);
  const filled = path.replace(/(OL)?\{(\w+)\}/g, (_all, prefix = "", name) => {
    const parameter = parameters.find((one) => one.name === name);
    const isKey = parameter?.takesSlashes === true && name === "key" && random() < 0.5;
    if (isKey && chosen() === "sound") return encodedPath(anyOf(random, pool.keys).slice(1) + suffix(random));
    const digits = prefix === "OL" ? { byName: { [name]: digitsFor(name, means) } } : {};
    const found = parameterText({ name, schema: parameter?.schema ?? {} }, chosen(), {
      random,
      pool: { ...pool, byName: { ...pool.byName, ...digits.byName } },
    });
    const text = String(Array.isArray(found) ? found[0] : found);
    return prefix + (random() < 0.9 || manner !== "hostile" ? encoded(text) : rawPath(text));
  });
  if (manner !== "hostile" || random() < 0.7) return { text: filled, isSound: expression.test(filled) };
  const text = anyOf(random, [
    `${filled}/`,
    filled.replace("/", "//"),
    filled.replace(".json", ""),
    `${filled}.json`,
    `${filled}%20x`,
    `${filled}/..%2f..`,
    filled.toUpperCase(),
    filled.replace(/[a-z]/g, (letter) => (random() < 0.1 ? `%${letter.charCodeAt(0).toString(16)}` : letter)),
  ]);
  return { text, isSound: false };
}

/** @param {string} name @param {Means} means */
function digitsFor(name, { pool }) {
  const known = pool.byName[name] ?? [];
  return known.map((one) => /\d+/.exec(one)?.[0] ?? one);
}

/** @param {() => number} random */
function suffix(random) {
  return anyOf(random, [
    "",
    ".json",
    ".json",
    ".yml",
    ".rdf",
    ".opds",
    ".bib",
    ".mrc",
    "/a_slug",
    "/edit",
    "/lists",
  ]);
}

/**
 * Of several values of a hostile request some are sound, so that the others are looked at. @param {Manner} manner
 * @param {() => number} random
 */
function mostlySound(manner, random) {
  return () => (/** @type {Manner} */ (random() < 0.5 ? manner : "sound"));
}

/** @param {Operation} operation @param {Manner} manner @param {Means} means */
function queryOf({ parameters }, manner, means) {
  const { random } = means;
  const chosen = mostlySound(manner, random);
  const pairs = parameters
    .filter((one) => one.in === "query" && (one.required ? random() < 0.95 : random() < 0.35))
    .flatMap((one) => [parameterText(one, chosen(), means)].flat().map((text) => [one.name, text]));
  if (manner === "hostile" && random() < 0.3) pairs.push([strange(random), strange(random)]);
  if (manner === "hostile" && random() < 0.2 && pairs[0] !== undefined) pairs.push(pairs[0], pairs[0]);
  if (random() < 0.05) pairs.push(["callback", "f"]);
  if (pairs.length === 0) return "";
  return `?${pairs.map(([name = "", text = ""]) => `${encoded(name)}=${encoded(text)}`).join("&")}`;
}

/** @param {string} text */
function encoded(text) {
  return encodeURIComponent(text.toWellFormed());
}

/** @param {string} text */
function encodedPath(text) {
  return text.split("/").map(encoded).join("/");
}

/** Text as far as a request line can carry it and the runtime hands it over. @param {string} text */
function rawPath(text) {
  return text.toWellFormed().replace(/[^\w.~!$&'()*+,;=:@/%-]/gu, encodeURIComponent);
}

/**
 * Headers as browsers and programs send them. @param {() => number} random @param {boolean} isHostile @returns
 * {Record<string, string>}
 */
function readingHeaders(random, isHostile) {
  const accepts = isHostile ? [...ACCEPTS, ...ODD_ACCEPTS] : ACCEPTS;
  /** @type {[share: number, name: string, values: readonly string[]][]} */
  const possible = [
    [0.6, "Accept", accepts],
    [0.06, "If-None-Match", ["*", '"1"', 'W/"2"', '"', ",,"]],
    [0.04, "If-Modified-Since", ["Sun, 22 Nov 2026 00:00:00 GMT", "x", "0"]],
    [0.05, "Range", ["bytes=0-9", "bytes=5-", "bytes=-5", "bytes=9-1", "x", "bytes=0-0,2-3"]],
  ];
  const chosen = possible.filter(([share]) => random() < share);
  return Object.fromEntries(chosen.map(([, name, values]) => [name, anyOf(random, values)]));
}

const ACCEPTS = ["application/json", "text/html,application/xhtml+xml,*/*;q=0.8", "*/*"];
const ODD_ACCEPTS = [
  "text/x-yaml",
  "application/rdf+xml",
  "application/ld+json",
  "text/html;q=abc",
  ",;,",
  "*",
  "image/png",
  "a".repeat(500),
];

/** @param {() => number} random @returns {Record<string, string>} */
function oddHeaders(random) {
  if (random() < 0.6) return {};
  return anyOf(
    random,
    /** @type {Record<string, string>[]} */ ([
      { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
      { Origin: "null" },
      { "Accept-Language": "xx,de;q=0.5,*;q=0,".repeat(100) },
      { "X-Carrel-Bookmark": "nonsense-bookmark" },
      { "X-Forwarded-For": MARKUP },
      { Authorization: "Basic Zm9vOmZvbw==" },
      { Authorization: "Basic %%%" },
      { Authorization: "Digest x" },
      { Cookie: `session=${"x".repeat(4000)}` },
      { "X-HTTP-Method-Override": "DELETE" },
      { "Content-Encoding": "gzip" },
      { "If-Match": '"1"' },
      { "User-Agent": "" },
      { Opt: "x", "42-opt": "y" },
      { "Last-Event-ID": "x" },
    ]),
  );
}

/**
 * @param {Operation} operation
 * @param {Manner} manner
 * @param {Means} means
 * @returns {{ headers?: Record<string, string>, bytes?: Buffer }}
 */
function bodyOf({ bodies, id }, manner, means) {
  const { random } = means;
  if (bodies.length === 0) return random() < 0.9 ? {} : withType("application/json", Buffer.from("{}"));
  if (manner === "hostile" && random() < 0.3) return oddBody(random);
  const [type, schema] = anyOf(random, bodies);
  const stated =
    manner === "hostile" && random() < 0.2
      ? anyOf(random, ["", "text/plain", "application/json", "x"])
      : type;
  if (type === FORM && "properties" in schema) return withType(stated, formBody(schema, manner, means));
  if (type.startsWith("multipart/"))
    return withType(`${type}; boundary=${BOUNDARY}`, multipart(schema, manner, means));
  if (schema["type"] === "string") return withType(stated, documentBody({ type, id }, means));
  return withType(stated, Buffer.from(JSON.stringify(jsonValue({ name: "body", schema }, manner, means))));
}

/** @param {string} type @param {Buffer} bytes */
function withType(type, bytes) {
  return {
    headers: { ...(type === "" ? {} : { "Content-Type": type }), "Content-Length": String(bytes.length) },
    bytes,
  };
}

/** @param {Record<string, any>} schema @param {Manner} manner @param {Means} means @returns {[string, string][]} */
function fieldsOf(schema, manner, means) {
  const value = jsonValue({ name: "form", schema }, manner, means);
  if (typeof value !== "object" || value === null) return [["x", String(value)]];
  return Object.entries(value).flatMap(([name, one]) =>
    [one]
      .flat()
      .map(
        (text) =>
          /** @type {[string, string]} */ ([
            name,
            typeof text === "object" ? JSON.stringify(text) : String(text),
          ]),
      ),
  );
}

/** @param {Record<string, any>} schema @param {Manner} manner @param {Means} means */
function formBody(schema, manner, means) {
  const pairs = fieldsOf(schema, manner, means).map(([name, text]) => `${encoded(name)}=${encoded(text)}`);
  return Buffer.from(pairs.join("&"));
}

/** @param {string} text */
function headerWord(text) {
  return text.toWellFormed().replace(/[\r\n"]/g, "_");
}

/** @param {Record<string, any>} schema @param {Manner} manner @param {Means} means */
function multipart(schema, manner, means) {
  const { random } = means;
  const fields = "properties" in schema ? fieldsOf(schema, manner, means) : [["upload", "1"]];
  const parts = fields.map(
    ([name = "", text = ""]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${headerWord(name)}"\r\n\r\n${text}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${anyOf(random, ["file", "data", "batch_file"])}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const end = manner === "hostile" && random() < 0.3 ? "" : `\r\n--${BOUNDARY}--\r\n`;
  return Buffer.concat([Buffer.from(parts.join("") + file), anyOf(random, BYTES), Buffer.from(end)]);
}

/** A GIF of one pixel, the beginning of a PNG, and what is no image. */
const BYTES = [
  Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64"),
  Buffer.from("89504e470d0a1a0a0000000d49484452ffffffffffffffff", "hex"),
  Buffer.from("not an image"),
  Buffer.alloc(0),
  Buffer.alloc(100_000, 7),
];

/** A record as imports take it. */
const IMPORTED = {
  source_records: ["fuzz:1"],
  authors: [{ name: "Ann Author" }],
  publishers: ["A Press"],
  publish_date: "1999",
};

/**
 * What operations that read their body themselves may be sent. @param {{ type: string, id: string }} what @param
 * {Means} means @returns {Buffer}
 */
function documentBody({ type, id }, { random, pool }) {
  if (type === "application/octet-stream" || type.includes("xml")) {
    if (random() < 0.3) return Buffer.from(JSON.stringify({ ...IMPORTED, title: strange(random) }));
    const sound = random() < 0.5 ? anyOf(random, MARC.marc) : anyOf(random, MARC.xml);
    if (random() < 0.4) return Buffer.from(sound);
    const damage = sound[0] === 0x3c ? damagedXml : damagedMarc;
    return Buffer.from(damage(sound, { random, all: [...MARC.marc, ...MARC.xml] }));
  }
  if (type === FORM)
    return Buffer.from(`title=${encoded(strange(random))}&_comment=x&work--title=y&edition--title=z`);
  const document = changed(anyOf(random, pool.documents), random);
  if (type.startsWith("text/tab")) return Buffer.from(dumpLine(document));
  const value = anyOf(random, [
    document,
    [document],
    [document, changed(document, random)],
    strangeJson(random),
    loginOf(id),
  ]);
  return Buffer.from(type === "text/plain" ? strange(random).toWellFormed() : JSON.stringify(value));
}

/** @param {string} id */
function loginOf(id) {
  return id === "loginJson"
    ? { username: "patron", password: "patron" }
    : { url: "/books/OL101M", identifier: "x" };
}

/**
 * A stored document with a member or two that are other ones. @param {Record<string, unknown>} document @param {() =>
 * number} random
 */
function changed(document, random) {
  const names = Object.keys(document);
  const made = { ...document };
  for (let count = below(random, 3); count > 0; count -= 1) made[anyOf(random, names)] = strangeJson(random);
  if (random() < 0.3) delete made["key"];
  if (random() < 0.1)
    made["type"] = { key: anyOf(random, ["/type/delete", "/type/redirect", "/type/work", "/type/x"]) };
  return made;
}

/** @param {Record<string, any>} document */
function dumpLine(document) {
  const { key, type, revision, last_modified } = document;
  const columns = [type?.key, key, revision, last_modified?.value, document];
  return columns.map((column) => (typeof column === "object" ? JSON.stringify(column) : column)).join("\t");
}

/** @param {() => number} random */
function oddBody(random) {
  const [type, bytes] = anyOf(
    random,
    /** @type {[string, () => Buffer][]} */ ([
      ["application/json", () => Buffer.from("{")],
      ["application/json", () => Buffer.from('{"a":1,"a":2,"__proto__":{"x":1}}')],
      ["application/json", () => Buffer.from(`${"[".repeat(100_000)}`)],
      ["application/json", () => Buffer.from([0xff, 0xfe, 0x00])],
      ["application/json", () => Buffer.alloc(0)],
      ["application/json", () => Buffer.from("null")],
      [FORM, () => Buffer.from("a=%zz&=&&b[]=1&%00=%00")],
      [FORM, () => Buffer.from("a=1&".repeat(20_000))],
      ["multipart/form-data", () => Buffer.from("no boundary")],
      [`multipart/form-data; boundary=${BOUNDARY}`, () => Buffer.from(`--${BOUNDARY}\r\n\r\n`)],
      ["application/octet-stream", () => gzipSync(Buffer.alloc(1_000_000))],
      ["application/xml", () => Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')],
      ["text/plain", () => Buffer.alloc(random() < 0.05 ? HUGE_BYTES : 2_000_000, 97)],
    ]),
  );
  return withType(type, bytes());
}
