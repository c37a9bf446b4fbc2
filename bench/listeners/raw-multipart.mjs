/** Bodies of `multipart/form-data` as no browser sends them. */
import { anyOf } from "../lib/hostile.mjs";

/** @import { Random } from "../lib/hostile.mjs" */
/** @import { Draft } from "./raw-framing.mjs" */

const PART =
  'Content-Disposition: form-data; name="data"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\nabc';
/** Boundaries as the header names them, and what stands in the body. @type {readonly [stated: string, own: string][]} */
const BOUNDARIES = [
  ["; boundary=x", "x"],
  ["; boundary=x", "y"],
  ['; boundary="x y"', "x y"],
  ["", "x"],
  ["; boundary=", ""],
  [`; boundary=${"x".repeat(300)}`, "x".repeat(300)],
  ["; boundary=x; boundary=y", "y"],
  ["; BOUNDARY=x; charset=utf-16", "x"],
  ["; boundary=\xff", "\xff"],
  ["; boundary=--", "--"],
];

/** Heads of parts. */
const HEADS = [
  'Content-Disposition: form-data; name="__proto__"',
  'Content-Disposition: form-data; name=""',
  "Content-Disposition: form-data",
  "Content-Disposition: attachment; name=x",
  "Content-Disposition: form-data; name=data; filename*=UTF-8''%ff%fe",
  'Content-Disposition: form-data; name="data"; filename="../../x\\"y\r\n z"',
  'content-disposition:form-data;name="data"',
  "X: y",
  "",
  `Content-Disposition: form-data; name="${"n".repeat(20_000)}"`,
  'Content-Disposition: form-data; name="\xff\0"',
  'Content-Disposition: form-data; name="data"\r\nContent-Transfer-Encoding: base64',
  'Content-Disposition: form-data; name="data"\r\nContent-Type: multipart/mixed; boundary=z',
  'Content-Disposition: form-data; name="source_url"\r\nContent-Disposition: form-data; name="olid"',
];

/** @param {Draft} draft @param {Random} random */
export function multipartTwist(draft, random) {
  const [stated, own] = anyOf(random, BOUNDARIES);
  draft.headers = [...draft.headers.filter(isNoType), ["Content-Type", `multipart/form-data${stated}`]];
  if (draft.method === "GET" || draft.method === "HEAD") draft.method = "POST";
  const part = `--${own}\r\n`;
  const end = `\r\n--${own}--\r\n`;
  draft.body = Buffer.from(
    anyOf(random, [
      part + PART + end,
      part + PART,
      PART + end,
      `${part}${anyOf(random, HEADS)}\r\n\r\nabc${end}`,
      `${part}${anyOf(random, HEADS)}\r\n\r\nabc\r\n${part}${anyOf(random, HEADS)}\r\n\r\ndef${end}`,
      (part + PART + end).replaceAll("\r\n", "\n"),
      `preamble\r\n${part}${PART}${end}epilogue`,
      end,
      part,
      part.repeat(5000),
      `${part}${PART}\r\n`.repeat(2000) + end,
      "",
      "\0\xff".repeat(1000),
      `${part}${anyOf(random, HEADS)}`,
    ]),
    "latin1",
  );
}

/** @param {readonly [name: string, value: string]} header */
function isNoType([name]) {
  return name.toLowerCase() !== "content-type";
}
