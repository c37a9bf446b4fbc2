import type { Json } from "../../catalog/record.ts";
import { type Markup, markup, shortText } from "./markup.ts";

/** Widths of the sizes of an image that is two thirds as wide as high, in pixels: they fit into `COVER_BOXES`. */
const SIZES = [
  ["S", 39],
  ["M", 180],
  ["L", 333],
] as const;

/** Number of the first picture of a list: -1 and null stand for one taken away. */
export function firstPicture(pictures: Json | undefined): number | undefined {
  if (!Array.isArray(pictures)) return undefined;
  return pictures.map(pictureId).find((id) => id !== undefined);
}

/** The number of a picture; undefined for what is none. */
export function pictureId(id: unknown): number | undefined {
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** Where an image is, of `b` books or `a` authors. */
export function pictureAddress(of: "a" | "b", id: number, size: "S" | "M" | "L"): string {
  return `/${of}/id/${id}-${size}.jpg`;
}

/** Colours of the cloth, as the style has them: `cloth0` and so on. */
const CLOTHS = 12;

/** A book, or a person, as a picture in a fixed box. */
interface Cover {
  /** Decides the colour of the cloth. */
  readonly key: string;
  readonly title: string;
  readonly by?: string | undefined;
  readonly id: number | undefined;
  /** What the picture is of: `b` covers of books, unless stated; `a` authors. */
  readonly of?: "a" | "b";
  /** Width of the box, in CSS pixels: it decides which size of the image a browser takes. */
  readonly width: number;
  /** It is seen at once, and loaded at once. */
  readonly isFirst?: boolean;
  /** Where the picture leads; a link with a text beside it does, too, so this one is passed over by keyboards and readers. */
  readonly href?: string;
}

/**
 * Title and author on cloth, and the image over it where there is one: where it is missing, the cloth is seen. The text
 * beside it says the same, so that nothing of it is read out.
 */
export function cover(what: Cover): Markup {
  const { key, title, by = "", href } = what;
  const content = markup`<b dir="auto">${shortText(title)}</b><i dir="auto">${shortText(by)}</i>${image(what)}`;
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

/** FNV-1a of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
