/** How a body is put behind its head: as HTTP has it, and otherwise. */

/** @import { Sent } from "./raw-client.mjs" */

/**
 * @typedef {"length" | "none" | "too-long" | "too-short" | "negative" | "no-number" | "twice" | "huge" | "signed" | "chunked" |
 * "tiny-chunks" | "trailers" | "long-extension" | "cut-chunk" | "bad-chunk" | "no-last-chunk" | "huge-chunk" |
 * "both"} Framing
 */

/**
 * A request that is not yet bytes. Text stands for bytes, one character each.
 * @typedef {object} Draft
 * @property {string} method
 * @property {string} target
 * @property {string} version
 * @property {[name: string, value: string][]} headers
 * @property {Buffer} body
 * @property {Framing} framing
 */

/** Bodies that are sent one byte at a time are no longer. */
const TINY_BYTES = 500;
/** Framings after which the service waits for more. */
const UNFINISHED = new Set(["too-long", "cut-chunk", "no-last-chunk", "huge", "huge-chunk", "both"]);

/** What a length is said to be. @type {Partial<Record<Framing, (length: number) => string[]>>} */
const LENGTHS = {
  length: (length) => [String(length)],
  "too-long": (length) => [String(length + 5)],
  "too-short": (length) => [String(Math.max(0, length - 3))],
  negative: () => ["-1"],
  "no-number": () => ["abc"],
  twice: (length) => [String(length), String(length + 1)],
  huge: () => ["99999999999"],
  signed: (length) => [`+${length}`],
  both: (length) => [String(length + 3)],
};

/** @param {Draft} draft @returns {Sent & { what: string }} */
export function framed({ method, target, version, headers, body, framing }) {
  const isBare = framing === "length" && body.length === 0 && (method === "GET" || method === "HEAD");
  const lengths = isBare ? [] : (LENGTHS[framing]?.(body.length) ?? []);
  const isChunked = !(framing in LENGTHS) && framing !== "none";
  const fields = [
    ...headers,
    ...lengths.map((length) => ["Content-Length", length]),
    ...(isChunked || framing === "both" ? [["Transfer-Encoding", "chunked"]] : []),
    ["Connection", "close"],
  ];
  const lines = [
    `${method} ${target} ${version}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ];
  const head = Buffer.from(lines.join("\r\n"), "latin1");
  const sent = isChunked || framing === "both" ? chunks(body, framing) : body;
  const isStrange = !/^HTTP\/1\.[01]$/.test(version) || target === "";
  const whole = Buffer.concat([head, sent]);
  return {
    pieces: [whole],
    method,
    unfinished: UNFINISHED.has(framing) || isStrange,
    what: `${framing} ${whole.subarray(0, 1500).toString("latin1")}`,
  };
}

/** @param {Buffer} body @param {Framing} framing */
function chunks(body, framing) {
  const all = body.length === 0 ? [] : [chunk(body)];
  switch (framing) {
    case "tiny-chunks":
      return Buffer.concat([
        ...Array.from(body.subarray(0, TINY_BYTES), (byte) => chunk(Buffer.from([byte]))),
        Buffer.from("0\r\n\r\n"),
      ]);
    case "trailers":
      return Buffer.concat([...all, Buffer.from("0\r\nX-Trailer: a\r\nContent-Length: 5\r\n\r\n")]);
    case "long-extension":
      return Buffer.concat([
        body.length === 0 ? Buffer.alloc(0) : chunk(body, `;a=${"b".repeat(3000)}`),
        Buffer.from("0\r\n\r\n"),
      ]);
    case "cut-chunk":
      return Buffer.concat([Buffer.from(`${(body.length + 100).toString(16)}\r\n`), body]);
    case "bad-chunk":
      return Buffer.concat([...all, Buffer.from("zz\r\nabc\r\n0\r\n\r\n")]);
    case "huge-chunk":
      return Buffer.concat([Buffer.from("ffffffffffff\r\n"), body]);
    case "no-last-chunk":
      return Buffer.concat(all);
    default:
      return Buffer.concat([...all, Buffer.from("0\r\n\r\n")]);
  }
}

/** @param {Buffer} part @param {string} [more] */
function chunk(part, more = "") {
  return Buffer.concat([Buffer.from(`${part.length.toString(16)}${more}\r\n`), part, Buffer.from("\r\n")]);
}
