/** Values for parameters and bodies: what a schema allows, what lies at its bounds, and what it refuses. */
import {
  anyOf,
  below,
  hostileFields,
  hostileJson,
  hostileNumber,
  hostileSort,
  hostileText,
} from "../../lib/hostile.ts";

/** @import { Random } from "../../lib/hostile.ts" */
/** @import { Pool } from "./pool.mjs" */

/** @typedef {{ random: Random, pool: Pool }} Means */
/** How far from what is asked for a value is. @typedef {"sound" | "bound" | "hostile"} Manner */

/** A mark that must never be in a page as it is. */
export const MARKUP = `<fuzz"'&>`;
const STRANGE = [
  MARKUP,
  "<script>alert(1)</script>",
  "\u0000",
  "\u0001\u001f",
  "a\r\nSet-Cookie: fuzz=1",
  "\ud800",
  "\u202e\u2066x",
  "\ufeff",
  "e\u0301".repeat(40),
  "日本語 كتاب 😀",
  "../../../etc/passwd",
  "..%2f..%2f",
  "%",
  "%zz",
  "%00",
  "%c3%28",
  "'; DROP TABLE record; --",
  '" OR ""="',
  "{{7*7}}",
  "${x}",
  "null",
  "undefined",
  "NaN",
  "-1",
  "1e309",
  "0x10",
  "9".repeat(40),
  "__proto__",
  "constructor",
  "toString",
  "//evil.example/x",
  "https://evil.example/x",
  "http://127.0.0.1:8080/",
  "javascript:alert(1)",
  "",
  " ",
  "\t\n",
  "a".repeat(300),
  "x".repeat(5000),
];
const WORDS = "pride prejudice the of dickens fiction london 1984 eng true false 1 0 Emma novel".split(" ");
/** An object that has no text: making one of it throws. */
const NO_TEXT = { toString: 1, valueOf: 1 };
/** A document as deep as bodies may be, and deeper. */
const DEPTHS = [10, 60, 64, 65, 120, 4000];

/** A strange text. @param {Random} random */
export function strange(random) {
  return random() < 0.3 ? hostileText(random) : anyOf(random, STRANGE);
}

/**
 * The text of a parameter; an array is sent as repeated parameters.
 * @param {{ name: string, schema: Record<string, any> }} parameter
 * @param {Manner} manner
 * @param {Means} means
 * @returns {string | string[]}
 */
export function parameterText({ name, schema }, manner, means) {
  const { random } = means;
  if (manner === "hostile" && random() < 0.7) return strange(random);
  if (schema["type"] === "array") {
    const count = anyOf(random, manner === "sound" ? [1, 1, 2] : [0, 1, 2, 60, 600]);
    const item = { name, schema: schema["items"] ?? {} };
    return Array.from({ length: count }, () => String(parameterText(item, "sound", means)));
  }
  if (NUMERIC.has(String(schema["type"]))) return numberText(schema, manner, random);
  if (schema["type"] === "boolean") return anyOf(random, ["true", "false", "1", "0", "yes", "TRUE", "maybe"]);
  return String(textOf({ name, schema }, manner, means));
}

const NUMERIC = new Set(["integer", "number"]);

/** @param {Record<string, any>} schema @param {Manner} manner @param {Random} random */
function numberText(schema, manner, random) {
  if (manner === "hostile") return hostileNumber(random);
  return String(numberOf(schema, manner, random));
}

/** @param {Record<string, any>} schema @param {Manner} manner @param {Random} random */
function numberOf({ minimum, maximum, exclusiveMinimum, default: usual = 1 }, manner, random) {
  const low = minimum ?? (exclusiveMinimum === undefined ? -5 : exclusiveMinimum + 1);
  const high = maximum ?? low + 100_000;
  if (manner === "sound") return Math.min(high, Math.max(low, anyOf(random, [usual, 1, 2, 5, 20])));
  return anyOf(random, [low, low - 1, low + 1, high, high + 1, high - 1, 0, 2 ** 53, -(2 ** 53)]);
}

/**
 * Generators by the name of a parameter, where the name says more than the schema. @type {Record<string, (random:
 * Random) => string>}
 */
const BY_NAME = {
  q: hostileText,
  sort: hostileSort,
  fields: hostileFields,
  query: hostileJson,
  callback: (random) => anyOf(random, ["f", "a.b", "$_", "1x", "alert(1)//", "f;", "a".repeat(250)]),
  bibkeys: (random) =>
    anyOf(random, [
      "ISBN:9780140328721",
      "OLID:OL101M",
      "LCCN:1,OCLC:2",
      "9780140328721",
      ",",
      ":",
      "ID:1;x",
    ]),
  redirect: (random) => anyOf(random, ["/", "/account", "//evil.example", "https://evil.example/", "\\evil"]),
  type: (random) => anyOf(random, ["/type/edition", "/type/work", "edition", "x"]),
  v: (random) => anyOf(random, ["1", "2", "0", "-1", "x"]),
  m: (random) => anyOf(random, ["view", "history", "diff", "edit", "permission", "x", ""]),
  password: (random) => anyOf(random, ["patron", "x", ""]),
  // Tests turn it on; here it would keep all others from everything.
  read_only: (random) => anyOf(random, ["false", "0", "maybe"]),
  new_password: (random) => anyOf(random, ["a long password 1", "short", ""]),
  ips: (random) => anyOf(random, ["198.51.100.7", "2001:db8::1", "", "x"]),
  csv: (random) => anyOf(random, ["Title,ISBN13\nEmma,9780141439587\n", "Work ID\nOL101W\n", ""]),
  email: (random) => anyOf(random, ["patron@example.com", "x@y", "x"]),
};

/**
 * @param {{ name: string, schema: Record<string, any> }} asked @param {Manner} manner @param {Means} means @returns
 * {unknown}
 */
function textOf({ name, schema }, manner, { random, pool }) {
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return anyOf(random, schema["enum"]);
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices))
    return textOf({ name, schema: anyOf(random, choices) }, manner, { random, pool });
  if (manner === "bound") return boundText(schema, random);
  const known = pool.byName[name];
  if (known !== undefined && known.length > 0 && random() < 0.9) return anyOf(random, known);
  const made = BY_NAME[name];
  if (made !== undefined && (name === "read_only" || random() < 0.8)) return made(random);
  if (random() < 0.15) return anyOf(random, pool.keys);
  return anyOf(random, WORDS);
}

/** @param {Record<string, any>} schema @param {Random} random */
function boundText({ minLength = 0, maxLength = 100 }, random) {
  const length = anyOf(random, [minLength, minLength - 1, maxLength, maxLength + 1, 1]);
  return anyOf(random, ["a", "ß", "字", "1"]).repeat(Math.max(0, length));
}

/**
 * A JSON value for a schema.
 * @param {{ name: string, schema: Record<string, any> }} asked
 * @param {Manner} manner
 * @param {Means} means
 * @returns {unknown}
 */
export function jsonValue({ name, schema }, manner, means) {
  const { random } = means;
  if (manner === "hostile" && random() < 0.4) return strangeJson(random);
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return jsonValue({ name, schema: anyOf(random, choices) }, manner, means);
  switch (schema["type"]) {
    case "object":
      return objectOf(schema, manner, means);
    case "array":
      return Array.from({ length: anyOf(random, manner === "sound" ? [1, 2] : [0, 1, 300]) }, () =>
        jsonValue({ name, schema: schema["items"] ?? {} }, "sound", means),
      );
    case "integer":
    case "number":
      return numberOf(schema, manner, random);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    case "string":
      return textOf({ name, schema }, manner, means);
    default:
      return anyOf(random, [anyOf(random, means.pool.documents), ...WORDS, 1, null, true]);
  }
}

/** @param {Record<string, any>} schema @param {Manner} manner @param {Means} means */
function objectOf({ properties = {}, required = [] }, manner, means) {
  const { random } = means;
  /** @type {Record<string, unknown>} */
  const made = {};
  for (const [name, schema] of Object.entries(properties)) {
    const isNeeded = required.includes(name);
    if (isNeeded ? random() < 0.97 : random() < 0.6) made[name] = jsonValue({ name, schema }, manner, means);
  }
  if (manner === "hostile" && random() < 0.3) made[anyOf(random, STRANGE)] = strangeJson(random);
  if (Object.keys(properties).length === 0) return anyOf(random, [{}, anyOf(random, means.pool.documents)]);
  return made;
}

/** A JSON value of any kind. @param {Random} random @returns {unknown} */
export function strangeJson(random) {
  const kind = below(random, 9);
  if (kind === 0) return nested(anyOf(random, DEPTHS));
  if (kind === 1) return Array.from({ length: 2000 }, (_, index) => index);
  return kind < 5
    ? strange(random)
    : anyOf(random, [null, true, -1, 1.5, 1e308, [], {}, [null], { key: null }, { key: 1 }, NO_TEXT]);
}

/** @param {number} depth */
function nested(depth) {
  /** @type {unknown} */
  let value = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
