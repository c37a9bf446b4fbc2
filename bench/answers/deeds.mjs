/** The requests of `deeds.txt`. */
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { contentOf } from "./lines.mjs";
import { FORM_TYPE, HTML, JSON_TYPE, asked } from "./make.mjs";
import { SETTINGS } from "./service.mjs";

/** @import { Asked, Kept } from "./lines.mjs" */

const LINE = /^(?:(\w+) = )?(\w+) ([A-Z]+) (\/\S*)(?: \(([^)]*)\))?(?: (.*))?$/;
const BOUNDARY = "deeds-7f3a";
/** A picture of a pixel. */
const PICTURE = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");
/** The number of what was made, and the code of the newest letter. */
const MADE = String.raw`[/"](OL\d+[A-Z])\b|"id":\s*"?(\d+)`;
const CODE = String.raw`(?:verify\?t=|reset/)(\w+)`;

/** @returns {Promise<Asked[]>} */
export async function deeds() {
  const text = await readFile(new URL("deeds.txt", import.meta.url), "utf8");
  return text.split("\n").flatMap((line) => (/^(?:#|$)/.test(line) ? [] : deedsOf(line)));
}

/** What pages tell is asked for twice: as a page, and as JSON. @param {string} line @returns {Asked[]} */
function deedsOf(line) {
  const found = LINE.exec(line);
  if (found === null) throw new Error(`no deed: ${line}`);
  const [, name, by, method, path = "", header, body] = found;
  const headers = header === undefined ? {} : Object.fromEntries([header.split(": ")]);
  const about = { part: "deeds", by, method, target: named(path), headers };
  const keep = name === undefined ? {} : { keep: keepOf(name) };
  if (method === "GET" && name === undefined) {
    return [HTML, JSON_TYPE].map((accept) => asked({ ...about, headers: { Accept: accept } }));
  }
  return [{ ...withBody(about, body), ...keep }];
}

/** @param {string} name @returns {Record<string, Kept>} */
function keepOf(name) {
  return { [name]: { in: "answer", match: name === "code" ? CODE : MADE } };
}

/** @param {Partial<Asked> & { target: string }} about @param {string} [body] @returns {Asked} */
function withBody(about, body) {
  const typed = (/** @type {string} */ type) => ({
    ...about,
    headers: { ...about.headers, "Content-Type": type },
  });
  if (body === undefined) return asked(about);
  const [, kind, text = ""] = /^([@~!]?)(.*)$/s.exec(body) ?? [];
  if (kind === "@") {
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    return { ...asked(typed(type)), body: contentOf(withPicture(text)) };
  }
  if (kind === "~")
    return asked(
      typed("text/plain"),
      named(text).replace(/\\([nft])/g, (_all, sign) => SIGNS[sign] ?? sign),
    );
  if (kind === "!") return asked(typed(FORM_TYPE), String(signed(text)));
  if (/^[{[]/.test(text)) return asked(typed(JSON_TYPE), named(text));
  return asked(typed(text.startsWith("<") ? "application/xml" : FORM_TYPE), named(text));
}

/** @type {Record<string, string>} */
const SIGNS = { n: "\n", f: "\f", t: "\t" };

/** @param {string} text the field of the picture, and other fields */
function withPicture(text) {
  const [name, fields] = text.split(" ");
  const parts = [...new URLSearchParams(fields)].map(
    ([field, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="a.gif"\r\nContent-Type: image/gif\r\n\r\n`;
  return Buffer.concat([Buffer.from(parts.join("") + file), PICTURE, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** @param {string} text name of the setting, and the message */
function signed(text) {
  const [, setting = "", msg = ""] = /^(\S+) (.*)$/.exec(text) ?? [];
  const secret = SETTINGS[setting] ?? "";
  return new URLSearchParams({ msg, digest: createHmac("sha256", secret).update(msg).digest("hex") });
}

/** @param {string} text */
function named(text) {
  return text.replace(/\$([a-zA-Z]+)/g, "{{$1}}");
}
