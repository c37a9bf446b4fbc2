import type { CatalogRecord } from "../../catalog/record.ts";
import { recordPage } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { link } from "../ui/parts.ts";
import type { ImageTarget } from "./image-kinds.ts";

/** An image of a record, in its middle size. */
export function image({ kind }: ImageTarget, id: number, alt: string): Markup {
  return markup`<img src="/${kind.category}/id/${id}-M.jpg" alt="${alt}" width="120" loading="lazy">`;
}

/** The way back, and to the other pages of a record's images. */
export function wayBack(target: ImageTarget, record: CatalogRecord, here: "add" | "manage"): Markup {
  const { key, kind } = target;
  return markup`<p>${link(recordPage(key, record), `Back to ${nameOf(record)}`)}</p>
<p>${
    here === "add"
      ? link(`${key}/manage-${kind.images}`, `Choose and order its ${kind.images}`)
      : link(`${key}/add-${kind.image}`, `Add a ${kind.image}`)
  }</p>`;
}
