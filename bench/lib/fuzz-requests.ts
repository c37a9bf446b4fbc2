// Random requests of an operation. The same random numbers and pool give the same request.
import { FORM, bodyOf } from "./fuzz-bodies.ts";
import type { RawRequest } from "./fuzz-client.ts";
import type { Operation, Schema } from "../../scripts/lib/operations.ts";
import { type Pool, type Source, encode, encodePairs, randomPairs, textOf } from "./fuzz-values.ts";
import { type Random, anyOf, below } from "./hostile.ts";

export interface FuzzRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** `{name}` or `{name:pattern}`, with the record prefix before it, if any. */
const PLACEHOLDER = /(OL)?\{(\w+)(?::((?:[^{}]|\{[^{}]*\})*))?\}/g;
/** The runtime refuses longer paths and queries before the service sees them. */
const TARGET_LENGTH_MAX = 12_000;
/** Arguments of the record store and the search engine, which their route tables do not list. */
const ARGUMENTS = {
  record:
    "key keys query type username password email token olid revision limit offset details expand data action name value".split(
      " ",
    ),
  search:
    "q fq fl rows start sort wt facet facet.field facet.query facet.limit facet.prefix json.nl cursorMark q.op mm df id ids terms.fl commit overwrite".split(
      " ",
    ),
};

/** Creates a request. Role and address of the client are up to the caller. */
export function randomRequest(operation: Operation, random: Random, pool: Pool): FuzzRequest {
  const source = { random, pool, isHostile: random() < 0.5 };
  const isHead = operation.method === "GET" && random() < 0.05;
  const method =
    random() < 0.02 ? anyOf(random, ["PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"]) : operation.method;
  const path = operation.path.replace(
    PLACEHOLDER,
    (...[, prefix = "", name = "", pattern = ""]: string[]) => {
      const value = pathValue(name, pattern, source);
      return prefix + (prefix === "" || random() < 0.05 ? value : (/\d+/.exec(value)?.[0] ?? "1"));
    },
  );
  const hasArguments = operation.listener in ARGUMENTS;
  const isForm = operation.method !== "GET" && hasArguments && random() < 0.7;
  const pairs = [
    ...randomPairs(argumentsOf(operation), source),
    ...(random() < 0.04 ? [["callback", "f"]] : []),
  ];
  const query = isForm || pairs.length === 0 ? "" : `?${encodePairs(pairs)}`;
  const body =
    method === "GET" || method === "OPTIONS"
      ? { type: "", bytes: Buffer.alloc(0) }
      : isForm && !/json|save\/|_store/.test(operation.path)
        ? { type: FORM, bytes: Buffer.from(encodePairs(pairs)) }
        : bodyOf(operation, source);
  return {
    method: isHead ? "HEAD" : method,
    target: `${path}${query}`.slice(0, TARGET_LENGTH_MAX),
    headers: { ...readHeaders(random), ...(body.type !== "" && { "Content-Type": body.type }) },
    body: body.bytes,
  };
}

function argumentsOf({ listener, query }: Operation): Record<string, Schema> {
  if (listener === "main" || listener === "cover") return query;
  return Object.fromEntries(ARGUMENTS[listener].map((name) => [name, {}]));
}

function pathValue(name: string, pattern: string, source: Source): string {
  const { random, pool } = source;
  const isKey = pattern === "path" || name === "key";
  let value = textOf(name, {}, source);
  if (/^[\w|]+\|[\w|]+$/.test(pattern) && random() < 0.9) value = anyOf(random, pattern.split("|"));
  else if (isKey && random() < 0.6)
    value = anyOf(random, pool.keys).slice(1) + anyOf(random, ["", ".json", ".yml", ".rdf", "/edit", "/x"]);
  const encoded = encode(value === "" ? "x" : value);
  return isKey ? encoded.replaceAll("%2F", "/") : encoded;
}

function readHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random() < 0.6)
    headers["Accept"] = anyOf(random, ["application/json", "text/html", "*/*", "application/rdf+xml", ",;,"]);
  if (random() < 0.06) headers["If-None-Match"] = anyOf(random, ["*", '"1"', 'W/"2"', '"', ",,"]);
  if (random() < 0.06)
    headers["Range"] = anyOf(random, ["bytes=0-9", "bytes=-5", "bytes=9-1", "x", "bytes=0-0,2-3"]);
  if (random() < 0.03) headers["Origin"] = "https://evil.example";
  if (random() < 0.03) headers["Content-Encoding"] = "gzip";
  if (random() < 0.03)
    headers["Authorization"] = anyOf(random, ["Basic Zm9vOmZvbw==", "Basic %%%", "Bearer x"]);
  if (random() < 0.03) headers["Accept-Language"] = "xx,de;q=0.5,*;q=0,".repeat(100);
  return headers;
}

/** Encodes a request as bytes, for a connection of its own. */
export function toBytes({ method, target, headers, body }: FuzzRequest, version = "HTTP/1.1"): RawRequest {
  const hasBody = body.length > 0 || !["GET", "HEAD", "OPTIONS"].includes(method);
  const fields = Object.entries({
    ...(hasBody && { "Content-Length": String(body.length) }),
    ...headers,
    Connection: "close",
  });
  const head = [
    `${method} ${target} ${version}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ];
  return {
    method,
    bytes: Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), body]),
    isUnfinished: false,
  };
}

/** Ways to turn a request into bytes that are hardly HTTP. */
const TWISTS: ((request: FuzzRequest, random: Random) => void)[] = [
  (request, random) => (request.method = anyOf(random, ["get", "FOO", "TRACE", "PURGE", "LOCK", "HEAD", ""])),
  (request, random) =>
    (request.target = anyOf(random, ["*", "", "//", "/?", "http://evil.example/", "x:80"])),
  (request, random) =>
    (request.target += anyOf(random, [
      "%",
      "%zz",
      "%ff%fe",
      "%00",
      "\xff",
      "\0",
      "%0d%0aFuzz:%20x",
      "{}|^`<>\"'",
    ])),
  (request, random) => (request.target += `?${"a=1&".repeat(anyOf(random, [100, 4000, 18_000]))}`),
  (request, random) =>
    (request.headers["Host"] = anyOf(random, ["evil.example", "", "a b<>", "x:99999999", "[::1", "\xff"])),
  (request, random) =>
    (request.headers["Cookie"] = anyOf(random, [
      ";;;",
      "session",
      "session=%",
      "a=\xff",
      "x=1;".repeat(3000),
    ])),
  (request, random) => (request.headers[anyOf(random, ["", "a b", "\xff", "(x)"])] = "x"),
  (request, random) => (request.headers["X-Long"] = "x".repeat(anyOf(random, [4000, 60_000, 200_000]))),
  (request, random) =>
    (request.headers["Range"] = anyOf(random, ["bytes=--5", "bytes=0x1-2", `bytes=${"0-,".repeat(2000)}`])),
  (request, random) =>
    (request.headers["Content-Type"] = anyOf(random, [
      "text/html; charset=x",
      "multipart/form-data; boundary=",
      ";",
      "\xff",
    ])),
  (request, random) =>
    (request.headers["Content-Length"] = anyOf(random, [
      "-1",
      "abc",
      "+5",
      "99999999999",
      String(request.body.length + 5),
    ])),
  (request, random) => {
    request.headers["Transfer-Encoding"] = "chunked";
    const size = request.body.length.toString(16);
    const heads = [`${size}\r\n`, `${size};a=${"b".repeat(3000)}\r\n`, "zz\r\n", "ffffffffffff\r\n"];
    const ends = ["\r\n0\r\n\r\n", "\r\n0\r\nX-Trailer: a\r\n\r\n", ""];
    request.body = Buffer.concat([
      Buffer.from(anyOf(random, heads)),
      request.body,
      Buffer.from(anyOf(random, ends)),
    ]);
  },
];

/** Twists a request in one to three ways. */
export function twist(request: FuzzRequest, random: Random): RawRequest {
  const twisted = { ...request, headers: { ...request.headers } };
  for (let count = 1 + below(random, 3); count > 0; count -= 1) anyOf(random, TWISTS)(twisted, random);
  const version =
    random() < 0.1 ? anyOf(random, ["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "http/1.1", ""]) : "HTTP/1.1";
  const { method, target, headers } = twisted;
  const isComplete = method !== "" && target !== "" && /^HTTP\/1\.[01]$/.test(version);
  const isFramed = "Content-Length" in headers || "Transfer-Encoding" in headers;
  return { ...toBytes(twisted, version), isUnfinished: isFramed || !isComplete };
}
