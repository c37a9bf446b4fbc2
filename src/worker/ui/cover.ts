import type { Json } from "../../catalog/record.ts";
import { type Markup, markup } from "./markup.ts";

/** Widths in which pictures are shown, in CSS pixels, by the size of the image. */
const WIDTHS = { S: 40, M: 180 } as const;

/** Number of the first picture of a list: -1 and null stand for one taken away. */
export function firstPicture(pictures: Json | undefined): number | undefined {
  if (!Array.isArray(pictures)) return undefined;
  return pictures.filter((id) => typeof id === "number").find((id) => Number.isSafeInteger(id) && id > 0);
}

/** What a picture is of: `b` covers of books, `a` authors. */
interface Picture {
  readonly of: "a" | "b";
  readonly id: number | undefined;
  readonly size: keyof typeof WIDTHS;
  /** Empty beside a text that says the same. */
  readonly alt: string;
}

/** A picture from this service; nothing where there is none. A large one leads to the image in full. */
export function picture({ of, id, size, alt }: Picture): Markup | undefined {
  if (id === undefined) return undefined;
  const image = markup`<img src="/${of}/id/${id}-${size}.jpg" alt="${alt}" width="${WIDTHS[size]}" loading="lazy">`;
  return size === "S" ? image : markup`<p><a href="/${of}/id/${id}-L.jpg">${image}</a></p>`;
}
