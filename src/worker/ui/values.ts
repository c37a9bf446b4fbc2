import { WEB_ADDRESS } from "../../catalog/allowed-url.ts";
import { type CatalogRecord, type Json, keyOf, textOf } from "../../catalog/record.ts";
import { type Markup, type Piece, addressOf, markup } from "./markup.ts";
import { pictureAddress } from "./cover.ts";
import { memberName } from "./names.ts";
import { dots, link } from "./parts.ts";
import { t } from "./words.ts";

/** Longest address of a link, in UTF-16 units: browsers support hardly more. */
const WEB_ADDRESS_LENGTH_MAX = 2000;
const SHOWN_KEY = /^\/[^/\\\s][^\s]*$/;
/** Depth of nested lists; deeper values are shown as JSON. */
const SHOWN_DEPTH_MAX = 3;

/** Makes a link to an http or https address; other addresses, such as those of scripts in records, stay text. */
export function webLink(address: string, text: Piece = address): Markup {
  return address.length <= WEB_ADDRESS_LENGTH_MAX && WEB_ADDRESS.test(address)
    ? markup`<a href="${address}" rel="nofollow noopener">${text}</a>`
    : markup`${text}`;
}

/** Makes a paragraph that keeps line breaks; undefined if it is blank. */
export function prose(text: string | undefined): Markup | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  return markup`<p class="lines" dir="auto">${text}</p>`;
}

export function section(heading: Piece, content: Piece, id?: string): Markup | undefined {
  if (content === undefined || content === null || content === false) return undefined;
  return markup`<h2${id !== undefined && markup` id="${id}"`}>${heading}</h2>
${content}`;
}

export function bullets(items: readonly Piece[]): Markup | undefined {
  return items.length === 0 ? undefined : markup`<ul>${items.map((item) => markup`<li>${item}</li>`)}</ul>`;
}

/** Formats any value of a record as text, links to records, lists or tables of members. */
export function valueMarkup(value: Json | undefined, depth = 0): Piece {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return textMarkup(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    const [only] = value;
    if (value.length <= 1) return valueMarkup(only, depth);
    return depth >= SHOWN_DEPTH_MAX
      ? asJson(value)
      : bullets(value.map((item) => valueMarkup(item, depth + 1)));
  }
  return objectMarkup(value, depth);
}

/** Summary that clients expect of an added cover: the address of its image. */
const COVER_SUMMARY = /\/b\/id\/(\d{1,15})-S\.jpg$/;

export function editSummary(comment: string | null): Piece {
  const [, cover] = COVER_SUMMARY.exec(comment ?? "") ?? [];
  if (cover === undefined) return comment !== null && markup`<span dir="auto">${comment}</span>`;
  return link(pictureAddress("b", Number(cover), "L"), t("covers.numbered", { number: cover }));
}

function objectMarkup(value: CatalogRecord, depth: number): Piece {
  const text = textOf(value);
  if (text !== undefined) return textMarkup(text);
  const { url, title } = value;
  if (typeof url === "string") return webLink(url, typeof title === "string" && title !== "" ? title : url);
  // The place of a value tells its type.
  const names = Object.keys(value).filter((name) => name !== "type");
  const key = keyOf(value);
  if (key !== undefined && names.length === 1) return SHOWN_KEY.test(key) ? link(addressOf(key), key) : key;
  if (names.every((name) => isSmall(value[name]))) {
    return dots(names.map((name) => valueMarkup(value[name], depth + 1)));
  }
  if (depth >= SHOWN_DEPTH_MAX) return asJson(value);
  return markup`<dl>${names.map((name) => markup`<dt>${memberName(name)}</dt><dd>${valueMarkup(value[name], depth + 1)}</dd>`)}</dl>`;
}

function isSmall(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return true;
  return !Array.isArray(value) && (textOf(value) !== undefined || keyOf(value) !== undefined);
}

function textMarkup(text: string): Piece {
  if (WEB_ADDRESS.test(text)) return webLink(text);
  return text.includes("\n") ? markup`<span class="lines">${text}</span>` : text;
}

function asJson(value: Json): Markup {
  return markup`<pre>${JSON.stringify(value, null, 2)}</pre>`;
}
