import type { CatalogRecord } from "../../catalog/record.ts";
import { recordPage } from "../ui/form.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { link } from "../ui/parts.ts";
import { type Words, say } from "../ui/words.ts";
import type { ImageKind, ImageTarget } from "./record-images.ts";

/** Texts of the pages about images, by the name of the image. */
export const IMAGE_WORDS = {
  cover: {
    one: "covers.cover",
    add: "covers.add_cover",
    addTo: "covers.add_cover_of",
    allOf: "covers.covers_of",
    arrange: "covers.arrange_covers",
    first: "covers.first_cover",
    none: "covers.none_covers",
    present: "covers.present_cover",
  },
  photo: {
    one: "covers.photo",
    add: "covers.add_photo",
    addTo: "covers.add_photo_of",
    allOf: "covers.photos_of",
    arrange: "covers.arrange_photos",
    first: "covers.first_photo",
    none: "covers.none_photos",
    present: "covers.present_photo",
  },
} as const satisfies Readonly<Record<ImageKind["image"], Readonly<Record<string, Words>>>>;

/** Renders an image of a record, in its middle size. */
export function image({ kind }: ImageTarget, id: number, alt: Piece): Markup {
  return markup`<img src="/${kind.category}/id/${id}-M.jpg" alt="${alt}" width="120" loading="lazy">`;
}

/** Renders the links back to the record and to the other page of its images. */
export function wayBack(target: ImageTarget, record: CatalogRecord, here: "add" | "manage"): Markup {
  const { key, kind } = target;
  return markup`<p>${link(recordPage(key, record), say("covers.back", { title: markup`<bdi>${nameOf(record)}</bdi>` }))}</p>
<p>${
    here === "add"
      ? link(`${key}/manage-${kind.images}`, say(IMAGE_WORDS[kind.image].arrange))
      : link(`${key}/add-${kind.image}`, say(IMAGE_WORDS[kind.image].add))
  }</p>`;
}
