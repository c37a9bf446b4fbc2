import type { CatalogRecord } from "../../../catalog/record.ts";
import type { ImageTarget } from "../../covers/editing/kinds.ts";
import { END_OF_IMAGES } from "../../covers/editing/manage-form.ts";
import type { Reply } from "../../http/reply.ts";
import { field } from "../../ui/form.ts";
import { page } from "../../ui/layout.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { table } from "../../ui/parts.ts";
import { image, recordName, wayBack } from "./image-parts.ts";

/** What the page with the images of a record shows. */
export interface ManageImagesPage {
  readonly target: ImageTarget;
  readonly record: CatalogRecord;
  readonly images: readonly number[];
  /** True when they are those of a work's editions, because it has none itself. */
  readonly areOthers: boolean;
}

/** The images of a record: which it keeps, and in which order. */
export function manageImagesPage(what: ManageImagesPage): Reply {
  const { target, record, images, areOthers } = what;
  const { kind } = target;
  const body = markup`${wayBack(target, record, "manage")}
${areOthers && markup`<p>The work has no covers of its own. These are those of its editions; what you keep becomes its own.</p>`}
${images.length === 0 ? markup`<p>There are no ${kind.images}.</p>` : imagesForm(what)}`;
  return page({ title: `The ${kind.images} of ${recordName(target, record)}`, body });
}

function imagesForm({ target, images }: ManageImagesPage): Markup {
  const { key, kind } = target;
  return markup`<form method="post" action="${key}/manage-${kind.images}">
${field({ name: "shown", label: "", type: "hidden", value: images.join(" ") })}
${table({
  caption: `The first ${kind.image} is the one that is shown`,
  columns: [kind.image === "cover" ? "Cover" : "Photo", "Keep", "Place"],
  rows: images.map((id, index) => row(target, id, index + 1)),
})}
${field({ name: "image", label: "", type: "hidden", value: END_OF_IMAGES })}
<p><button type="submit">Save</button></p></form>`;
}

function row(target: ImageTarget, id: number, place: number): readonly Piece[] {
  const name = `${target.kind.image} ${id}`;
  return [
    image(target, id, `Number ${id}`),
    markup`<input type="checkbox" name="image" value="${id}" id="keep-${id}" checked>
<label class="unseen" for="keep-${id}">Keep ${name}</label>`,
    markup`<label class="unseen" for="position-${id}">Place of ${name}</label>
<input type="number" name="position-${id}" id="position-${id}" value="${place}" min="1" step="any">`,
  ];
}
