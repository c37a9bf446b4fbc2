/** JSON that is nearly what is asked for: sound values of which a part is another one. */
import { anyOf, below } from "../../lib/hostile.ts";
import { strange } from "../openapi/values.mjs";

/** @import { Random } from "../../lib/hostile.ts" */

/** What cannot be made into text, and names that objects have already. */
const OBJECTS = [
  '{"toString":1,"valueOf":1}',
  '{"toString":null}',
  '{"__proto__":{"polluted":true}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"hasOwnProperty":1,"length":-1}',
  '{"key":{"key":{"key":"/type/edition"}}}',
  '{"key":null}',
  '{"key":"/type/edition","type":"/type/type"}',
  '{"type":"/type/datetime","value":"x"}',
  '{"type":"/type/text","value":{}}',
  '{"":""}',
  "{}",
  "[]",
  "[[]]",
  "[null]",
  "null",
  "true",
  "-0",
  "1e308",
  "1e999",
  "0.1",
  "9007199254740993",
  "99999999999999999999999999",
  '"\\ud800"',
  '"\\u0000"',
  '"9999-99-99T99:99:99"',
  '"-1"',
  '"\'"',
  '"%"',
  '"*"',
  '"a\\\\"',
];
const DEPTHS = [63, 64, 65, 99, 1001, 5000];
const LENGTHS = [255, 2000, 100_000];

/**
 * The JSON of a value; half of the time with a part changed, and sometimes no JSON at all.
 * @param {unknown} value
 * @param {Random} random
 */
export function oddJson(value, random) {
  const share = random();
  const text = JSON.stringify(value);
  if (share < 0.45) return text;
  if (share < 0.9) return changed(text, random);
  if (share < 0.95) return damaged(text, random);
  return anyOf(random, [anyOf(random, OBJECTS), deep(random), "", "{", strange(random)]);
}

/** A place of the JSON is another value, or has another name. @param {string} text @param {Random} random */
function changed(text, random) {
  const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g)];
  const found = values[below(random, values.length)];
  if (found === undefined) return anyOf(random, OBJECTS);
  const isName = text[found.index + found[0].length] === ":";
  const instead = isName ? oddName(random) : oddValue(random);
  return text.slice(0, found.index) + instead + text.slice(found.index + found[0].length);
}

/** @param {Random} random */
function oddName(random) {
  const names = ["__proto__", "constructor", "toString", "key", "type", "_rev", "_delete", "limit", "offset"];
  return JSON.stringify(random() < 0.7 ? anyOf(random, names) : strange(random).slice(0, 200));
}

/** @param {Random} random */
function oddValue(random) {
  const share = random();
  if (share < 0.7) return anyOf(random, OBJECTS);
  if (share < 0.75) return deep(random);
  if (share < 0.8) return JSON.stringify("x".repeat(anyOf(random, LENGTHS)));
  return JSON.stringify(strange(random));
}

/** @param {Random} random */
function deep(random) {
  const depth = anyOf(random, DEPTHS);
  return random() < 0.5
    ? "[".repeat(depth) + "]".repeat(depth)
    : `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
}

/** @param {string} text @param {Random} random */
function damaged(text, random) {
  const place = below(random, text.length + 1);
  const rest = random() < 0.5 ? "" : text.slice(place + below(random, 4));
  return text.slice(0, place) + anyOf(random, ["", "}", "]", ",", '"', "\\", "\u0000", "\ufeff"]) + rest;
}
