/** Requests as bytes, with what clients of HTTP never send: sound ones that are twisted in one to three ways. */
import { anyOf, below } from "../lib/hostile.mjs";
import { strange } from "../openapi/values.mjs";
import { framed } from "./raw-framing.mjs";
import { multipartTwist } from "./raw-multipart.mjs";
import {
  BYTES,
  CHARSETS,
  CONDITIONS,
  COOKIES,
  ENCODINGS,
  HOSTS,
  METHODS,
  NAMES,
  PERCENT,
  RANGES,
  UPGRADES,
  VALUES,
} from "./raw-values.mjs";

/** @import { Random } from "../lib/hostile.mjs" */
/** @import { Sent } from "./raw-client.mjs" */
/** @import { Draft } from "./raw-framing.mjs" */

/** @typedef {(draft: Draft, random: Random) => void} Twist */

/** @type {readonly [weight: number, twist: Twist][]} */
const TWISTS = [
  [2, (draft, random) => (draft.method = anyOf(random, METHODS))],
  [
    1,
    (draft, random) =>
      (draft.target =
        anyOf(random, ["http://evil.example", "https://x", "http://", "x:", "//evil.example"]) +
        draft.target),
  ],
  [
    0.3,
    (draft, random) =>
      (draft.target = anyOf(random, ["*", "", "/", "?", "/?", "//", "/#", "evil.example:80", "#"])),
  ],
  [1, (draft, random) => setHeader(draft, "Host", anyOf(random, HOSTS))],
  [0.3, (draft) => void (draft.headers = draft.headers.filter(([name]) => name !== "Host"))],
  [4, (draft, random) => (draft.target = inserted(draft.target, anyOf(random, PERCENT), random))],
  [0.5, (draft, random) => (draft.target = inserted(draft.target, anyOf(random, BYTES), random))],
  [0.5, (draft, random) => (draft.target += (/\?/.test(draft.target) ? "&" : "?") + manyParameters(random))],
  [1, (draft, random) => (draft.target += (/\?/.test(draft.target) ? "&" : "?") + oddParameters(random))],
  [
    0.5,
    (draft, random) =>
      (draft.target += anyOf(random, ["a", "/", "%41", "é"]).repeat(anyOf(random, [1000, 15_000, 70_000]))),
  ],
  [
    1,
    (draft, random) =>
      (draft.version = anyOf(random, [
        "HTTP/1.0",
        "HTTP/1.1",
        "HTTP/0.9",
        "HTTP/2.0",
        "HTTP/1.10",
        "http/1.1",
        "",
      ])),
  ],
  [4, (draft, random) => draft.headers.push([anyOf(random, NAMES), anyOf(random, VALUES)])],
  [1, duplicated],
  [
    1,
    (draft, random) =>
      draft.headers.push(["X-Long", "x".repeat(anyOf(random, [4000, 16_000, 60_000, 200_000]))]),
  ],
  [
    0.3,
    (draft, random) =>
      Array.from({ length: anyOf(random, [100, 3000]) }, () => draft.headers.push(["X-Many", "x"])),
  ],
  [
    0.5,
    (draft, random) =>
      draft.headers.push([anyOf(random, ["", " ", "a b", "\xff", "x".repeat(5000), "a:b", "(x)"]), "x"]),
  ],
  [2, (draft, random) => draft.headers.push(["Cookie", anyOf(random, COOKIES)])],
  [
    1,
    (draft, random) =>
      draft.headers.push(["Cookie", inserted("session=abc; x=y", anyOf(random, BYTES), random)]),
  ],
  [4, condition],
  [
    2,
    (draft, random) =>
      (draft.framing = anyOf(random, ["chunked", "tiny-chunks", "trailers", "long-extension"])),
  ],
  [
    2,
    (draft, random) =>
      (draft.framing = anyOf(random, ["cut-chunk", "bad-chunk", "no-last-chunk", "huge-chunk", "both"])),
  ],
  [
    2,
    (draft, random) =>
      (draft.framing = anyOf(random, [
        "too-long",
        "too-short",
        "none",
        "negative",
        "no-number",
        "twice",
        "huge",
        "signed",
      ])),
  ],
  [2, charset],
  [
    2,
    (draft, random) =>
      (draft.body = Buffer.from(
        inserted(draft.body.toString("latin1"), anyOf(random, BYTES), random),
        "latin1",
      )),
  ],
  [2, json],
  [3, multipartTwist],
  [1, form],
  [1, (draft, random) => draft.headers.push(["Content-Encoding", anyOf(random, ENCODINGS)])],
  [1, (draft, random) => draft.headers.push(...anyOf(random, UPGRADES))],
];
const WEIGHT = TWISTS.reduce((sum, [weight]) => sum + weight, 0);

/**
 * A sound request as bytes, twisted.
 * @param {{ method: string, target: string, headers: Record<string, string>, body?: Buffer | undefined }} sound
 * @param {Random} random
 * @returns {Sent & { what: string }}
 */
export function rawRequest({ method, target, headers, body }, random) {
  const others = Object.entries(headers).filter(([name]) => name !== "Content-Length");
  /** @type {Draft} */
  const draft = {
    method,
    target,
    version: "HTTP/1.1",
    headers: [["Host", "carrel.test"], ...others],
    body: body ?? Buffer.alloc(0),
    framing: "length",
  };
  for (let count = 1 + below(random, 3); count > 0; count -= 1) chosen(random)(draft, random);
  return framed(draft);
}

/** @param {Random} random @returns {Twist} */
function chosen(random) {
  let left = random() * WEIGHT;
  for (const [weight, twist] of TWISTS) {
    left -= weight;
    if (left < 0) return twist;
  }
  return condition;
}

/** @param {string} text @param {string} more @param {Random} random */
function inserted(text, more, random) {
  const place = random() < 0.3 ? text.length : 1 + below(random, Math.max(1, text.length));
  return text.slice(0, place) + more + text.slice(place);
}

/** @param {Draft} draft @param {string} name @param {string} value */
function setHeader(draft, name, value) {
  draft.headers = [
    ...draft.headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase()),
    [name, value],
  ];
}

/** @param {Draft} draft @param {string} type */
function setType(draft, type) {
  setHeader(draft, "Content-Type", type);
  if (draft.method === "GET" || draft.method === "HEAD") draft.method = "POST";
}

/** @param {Random} random */
function manyParameters(random) {
  const name = anyOf(random, ["a", "q", "key", "limit", "bibkeys", "__proto__", "x[]", "a.b"]);
  const count = anyOf(random, [100, 1000, 10_000]);
  return Array.from({ length: count }, (_, index) =>
    count < 2000 ? `${name}${index}=${index}` : `${name}=1`,
  ).join("&");
}

/** @param {Random} random */
function oddParameters(random) {
  return anyOf(random, [
    "__proto__=x&__proto__[a]=b&constructor=c",
    "&&&=&=x&x&?",
    "=".repeat(1000),
    "limit=1&limit=2&limit=x",
    "offset=%00&limit=%ff",
    "q=%E0%A4%A",
    "callback=a;b&callback=c",
    "%70%61%67%65=1",
    "a=b;c=d",
    "q=\xe9",
  ]);
}

/** @type {Twist} */
function duplicated(draft, random) {
  const found = anyOf(random, draft.headers);
  draft.headers.push(random() < 0.5 ? [...found] : [found[0].toUpperCase(), anyOf(random, VALUES)]);
}

/** @type {Twist} */
function condition(draft, random) {
  const [name, values] = anyOf(random, CONDITIONS);
  draft.headers.push([name, anyOf(random, values)]);
  if (name === "If-Range") draft.headers.push(["Range", anyOf(random, RANGES)]);
}

/** @type {Twist} */
function charset(draft, random) {
  const name = anyOf(random, CHARSETS);
  const type = anyOf(random, [
    "application/json",
    "application/x-www-form-urlencoded",
    "text/html",
    "multipart/form-data; boundary=x",
  ]);
  setType(draft, `${type}; charset=${name}`);
  const text = draft.body.length === 0 ? '{"key":"\xe9"}' : draft.body.toString();
  draft.body =
    random() < 0.5 ? Buffer.from(`\ufeff${text}`, "utf16le") : Buffer.from(`\xff\xfe${text}`, "latin1");
}

/** @type {Twist} */
function json(draft, random) {
  setType(draft, anyOf(random, ["application/json", "application/json", "text/json", "application/ld+json"]));
  const depth = anyOf(random, [60, 1000, 100_000]);
  draft.body = Buffer.from(
    anyOf(random, [
      "[".repeat(depth) + "]".repeat(depth),
      '{"a":'.repeat(depth),
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      '{"key":{"toString":1,"valueOf":1}}',
      `{${Array.from({ length: 20_000 }, (_, index) => `"${index}":${index}`).join(",")}}`,
      '{"a":1,"a":2,"a":3}',
      '{"a":1e999,"b":-0,"c":123456789012345678901234567890}',
      '{"a":"\\ud800","b":"\\u0000"}',
      "\ufeff{}",
      "NaN",
      "{}{}",
      "'x'",
      " ".repeat(100_000),
      JSON.stringify(strange(random)),
    ]),
  );
}

/** @type {Twist} */
function form(draft, random) {
  setType(draft, "application/x-www-form-urlencoded");
  draft.body = Buffer.from(
    anyOf(random, [
      "__proto__=x&constructor=y&toString=z",
      "&&&===&",
      "a=%zz&b=%&c=%ff",
      "key=\xff\xfe",
      Array.from({ length: 10_000 }, (_, index) => `a${index}=1`).join("&"),
      Array.from({ length: 5000 }, (_, index) => `work--authors--${index}--author--key=x`).join("&"),
      `${"a--".repeat(3000)}b=1`,
      "work--__proto__--x=1&edition--constructor--prototype--y=2&edition--length=-1",
      "edition--publishers--99999999999=x&edition--publishers---1=y",
      `title=${strange(random)}`,
    ]),
    "latin1",
  );
}
