import type { Json } from "../../catalog/record.ts";
import { type Markup, markup, shortText } from "./markup.ts";

/** Widths of an image with the ratio 2:3 by size, in pixels: it fits into `COVER_BOXES`. */
const SIZES = [
  ["S", 39],
  ["M", 180],
  ["L", 333],
] as const;

/** Returns the number of the first picture of a list, where -1 and null are removed ones. */
export function firstPicture(pictures: Json | undefined): number | undefined {
  if (!Array.isArray(pictures)) return undefined;
  return pictures.map(pictureId).find((id) => id !== undefined);
}

export function pictureId(id: unknown): number | undefined {
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** Returns the address of an image of `b` books or `a` authors. */
export function pictureAddress(of: "a" | "b", id: number, size: "S" | "M" | "L"): string {
  return `/${of}/id/${id}-${size}.jpg`;
}

/** Returns the address of the first cover of several books, for link previews; undefined if none has one. */
export function previewImage(covers: readonly (number | undefined)[]): string | undefined {
  const id = covers.find((number) => number !== undefined);
  return id === undefined ? undefined : pictureAddress("b", id, "L");
}

/** Colours of missing covers: classes `cloth0` to `cloth11` of the style sheet. */
const CLOTHS = 12;

interface Cover {
  /** Key, which decides the colour if there is no image. */
  key: string;
  title: string;
  by?: string | undefined;
  id: number | undefined;
  /** `b` for books, by default; `a` for authors. */
  of?: "a" | "b";
  /** Width of the box, in CSS pixels, by which browsers choose the size of the image. */
  width: number;
  isFirst?: boolean;
  /** Address of a link, which keyboards and screen readers skip, since the text beside the picture has the same link. */
  href?: string;
}

/**
 * Makes a coloured box with title and author, covered by the image if there is one. Screen readers skip it, since the text
 * beside it has the same words.
 */
export function cover(spec: Cover): Markup {
  const { key, title, by = "", href } = spec;
  const content = markup`<b dir="auto">${shortText(title)}</b><i dir="auto">${shortText(by)}</i>${image(spec)}`;
  const cloth = `cover cloth${hashOf(key) % CLOTHS}`;
  return href === undefined
    ? markup`<span class="${cloth}" aria-hidden="true">${content}</span>`
    : markup`<a class="${cloth}" href="${href}" tabindex="-1" aria-hidden="true">${content}</a>`;
}

function image({ of = "b", id, width, isFirst = false }: Cover): Markup | undefined {
  if (id === undefined) return undefined;
  const set = SIZES.map(([size, pixels]) => `${pictureAddress(of, id, size)} ${pixels}w`).join(", ");
  return markup`<img src="${pictureAddress(of, id, "M")}" srcset="${set}" sizes="${width}px" alt="" width="${width}" height="${Math.round(width * 1.5)}"${
    isFirst ? markup` fetchpriority="high"` : markup` loading="lazy"`
  } decoding="async">`;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
