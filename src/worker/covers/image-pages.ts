import { type CatalogRecord, isObject, textOf } from "../../catalog/record.ts";
import type { Failure } from "../http/failure.ts";
import type { Reply } from "../http/reply.ts";
import { refusalText } from "../ui/failure-text.ts";
import { errorSummary, field, recordPagePath } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { notice } from "../ui/notice.ts";
import { commas, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { type Words, t } from "../ui/words.ts";
import type { ImageKind } from "./image-kinds.ts";
import { type ImageTarget, imagesOf } from "./record-images.ts";

/** Marker after the images to keep, in the form for arranging them. */
export const END_OF_IMAGES = "-";

const IMAGE_WORDS = {
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

function image({ kind }: ImageTarget, id: number, alt: Piece): Markup {
  return markup`<img src="/${kind.category}/id/${id}-M.jpg" alt="${alt}" width="120" loading="lazy">`;
}

function backLinks({ key, kind }: ImageTarget, record: CatalogRecord, here: "add" | "manage"): Markup {
  return markup`<p>${link(recordPagePath(key, record), t("covers.back", { title: markup`<bdi>${nameOf(record)}</bdi>` }))}</p>
<p>${
    here === "add"
      ? link(`${key}/manage-${kind.images}`, t(IMAGE_WORDS[kind.image].arrange))
      : link(`${key}/add-${kind.image}`, t(IMAGE_WORDS[kind.image].add))
  }</p>`;
}

/**
 * Writes the form for a new image of a record. `choices`: covers of editions that a work can take; `hosts`: hosts of
 * addresses that the form accepts; `url`: the address that was typed.
 */
export function addImagePage({
  target,
  record,
  choices,
  hosts,
  url = "",
  refusal,
}: {
  target: ImageTarget;
  record: CatalogRecord;
  choices: readonly number[];
  hosts: readonly string[];
  url?: string;
  refusal?: Failure;
}): Reply {
  const { key, kind } = target;
  const words = IMAGE_WORDS[kind.image];
  const [present] = imagesOf(record, kind);
  const error = refusal && refusalText(refusal);
  // A typed address takes precedence over a file.
  const isUrl = url !== "";
  const body = markup`${backLinks(target, record, "add")}
${errorSummary(error === undefined ? [] : [{ name: isUrl ? "url" : "file", message: error }])}
${present !== undefined && markup`<p>${image(target, present, t(words.present))}</p>`}
<form method="post" action="${key}/add-${kind.image}" enctype="multipart/form-data" class="record">
<div class="card"><label for="file">${t("covers.file")}</label>
<p class="hint" id="file-hint">${t("covers.file_hint")} ${t("covers.drop")}</p>${error !== undefined && !isUrl && markup`<p class="error" id="file-error">${error}</p>`}
<input type="file" id="file" name="file" accept=".jpg,.jpeg,.gif,.png,.webp" aria-describedby="file-hint${error !== undefined && !isUrl && " file-error"}"${error !== undefined && !isUrl && markup` aria-invalid="true"`} data-drop="dropped">
<p id="dropped" role="status"></p></div>
${field({
  name: "url",
  label: t("covers.address"),
  type: "url",
  value: url,
  hint: t("covers.address_hint", { hosts: commas(hosts) }),
  error: isUrl ? error : undefined,
})}
<p><button class="primary">${t(words.add)}</button></p></form>
${kind.noun === "author" && wikidataLink(record)}
${choices.length > 0 && choiceForm(target, choices)}`;
  return page({ title: t(words.addTo, { title: nameOf(record) }), body });
}

function wikidataLink(record: CatalogRecord): Markup | undefined {
  const { remote_ids: ids } = record;
  const entry = isObject(ids) ? textOf(ids["wikidata"]) : undefined;
  if (entry === undefined || !/^Q\d{1,15}$/.test(entry)) return undefined;
  return markup`<p>${link(`https://www.wikidata.org/wiki/${entry}`, t("covers.wikidata"))}</p>`;
}

function choiceForm(target: ImageTarget, ids: readonly number[]): Markup {
  const { key, kind } = target;
  const choices = ids.map(
    (
      id,
    ) => markup`<p class="check"><input type="radio" name="coverid" value="${id}" id="cover-${id}" required>
<label for="cover-${id}">${image(target, id, "")} ${t("covers.cover")} ${id}</label></p>`,
  );
  return markup`<h2>${t("covers.editions")}</h2>
<form method="post" action="${key}/add-${kind.image}">
<fieldset><legend>${t("covers.choose")}</legend>${choices}</fieldset>
<p><button class="primary">${t("covers.take")}</button></p></form>`;
}

/**
 * Writes the page for choosing and ordering the images of a record; `areOfEditions` if a work without images shows those
 * of its editions, `areSaved` after a change.
 */
export function imagesPage({
  target,
  record,
  images,
  areOfEditions,
  areSaved = false,
  refusal,
}: {
  target: ImageTarget;
  record: CatalogRecord;
  images: readonly number[];
  areOfEditions: boolean;
  areSaved?: boolean;
  refusal?: Failure;
}): Reply {
  const { key, kind } = target;
  const words = IMAGE_WORDS[kind.image];
  const rows = images.map((id, index): readonly Piece[] => {
    const name = t("covers.numbered", { number: String(id) });
    return [
      image(target, id, name),
      markup`<input type="checkbox" name="image" value="${id}" id="keep-${id}" checked>
<label class="unseen" for="keep-${id}">${t("list.pair", { name: t("covers.keep"), value: name })}</label>`,
      markup`<label class="unseen" for="position-${id}">${t("list.pair", { name: t("covers.place"), value: name })}</label>
<input type="number" name="position-${id}" id="position-${id}" value="${index + 1}" min="1" step="any">`,
    ];
  });
  const form = markup`<form method="post" action="${key}/manage-${kind.images}">
${field({ name: "shown", label: "", type: "hidden", value: images.join(" ") })}
${table({ caption: t(words.first), columns: [t(words.one), t("covers.keep"), t("covers.place")], rows })}
${field({ name: "image", label: "", type: "hidden", value: END_OF_IMAGES })}
<p><button class="primary">${t("edit.save")}</button></p></form>`;
  const body = markup`${refusal && errorSummary([{ message: refusalText(refusal) }])}${areSaved && notice("good", t("covers.saved"))}${backLinks(target, record, "manage")}
${areOfEditions && markup`<p>${t("covers.others")}</p>`}
${images.length === 0 ? markup`<p>${t(words.none)}</p>` : form}`;
  return page({ title: t(words.allOf, { title: nameOf(record) }), body });
}
