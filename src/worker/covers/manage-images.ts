import * as z from "zod";
import type { FormField } from "../../catalog/editing/form-fields.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { readEditionCovers } from "../../db/covers/read-covers.ts";
import { readForm } from "../editing/sent-form.ts";
import { requireAccess } from "../http/access.ts";
import { validationFailed } from "../http/errors.ts";
import { catalogReader, coversUrl, operation } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { coverNumber } from "./categories.ts";
import { arrangeImages } from "./change-images.ts";
import { IMAGE_WORDS, image, wayBack } from "./edit-page-parts.ts";
import { type ImageTarget, asksForPage, forKinds, imagesReply, targetOf } from "./image-kinds.ts";
import { type Arrangement, RECORD_IMAGES_MAX, imageRecord, imagesOf } from "./record-images.ts";
import { notice } from "../ui/notice.ts";
import { table } from "../ui/table.ts";
import { say } from "../ui/words.ts";

/** Marker after the images that a record is to keep. */
const END_OF_IMAGES = "-";
const IMAGE = /^image(?:--\d+)?$/;
const POSITION = /^position-(\d{1,15})$/;

/**
 * Reads the arrangement of a record's images from a form: the numbers called `image` before the first `-`. The page
 * also sends places, `position-<number>`, by which they are sorted, and in `shown` the numbers that it has shown.
 * Throws 422.
 */
export function readArrangement(fields: readonly FormField[]): Arrangement {
  const named = fields.filter(([name]) => IMAGE.test(name)).map(([, text]) => text.trim());
  const end = named.indexOf(END_OF_IMAGES);
  if (end < 0) throw wrong(`Value error, '${END_OF_IMAGES}' has to follow the images`, null);
  if (end > RECORD_IMAGES_MAX) throw wrong(`Value error, at most ${RECORD_IMAGES_MAX} images`, end);
  const images = named.slice(0, end).map(imageNumber);
  const shown = shownImages(fields);
  return { images: [...new Set(placed(images, placesOf(fields), shown))], shown: shown && new Set(shown) };
}

/** Sorts images by their places. Of two at one place, one that moved up comes first, one that moved down comes last. */
function placed(
  images: readonly number[],
  places: ReadonlyMap<number, number>,
  shown: readonly number[] = [],
): readonly number[] {
  if (places.size === 0) return images;
  const before = new Map(shown.map((id, index) => [id, index + 1]));
  const place = (id: number): number => places.get(id) ?? Number.POSITIVE_INFINITY;
  const moved = (id: number): number => compared(place(id), before.get(id) ?? place(id));
  return images.toSorted((a, b) => compared(place(a), place(b)) || moved(a) - moved(b));
}

function imageNumber(text: string): number {
  const id = coverNumber(text);
  if (id !== undefined) return id;
  throw wrong("Value error, not the number of an image", text);
}

function placesOf(fields: readonly FormField[]): ReadonlyMap<number, number> {
  return new Map(
    fields.flatMap(([name, text]) => {
      const [, digits] = POSITION.exec(name) ?? [];
      const place = Number(text);
      return digits === undefined || text.trim() === "" || Number.isNaN(place)
        ? []
        : [[Number(digits), place] as const];
    }),
  );
}

function compared(a: number, b: number): -1 | 0 | 1 {
  return a === b ? 0 : a < b ? -1 : 1;
}

function shownImages(fields: readonly FormField[]): readonly number[] | undefined {
  const text = fields.findLast(([name]) => name === "shown")?.[1];
  if (text === undefined) return undefined;
  return text.split(" ").flatMap((part) => coverNumber(part) ?? []);
}

function wrong(msg: string, input: unknown) {
  return validationFailed([{ type: "value_error", loc: ["body", "image"], msg, input }]);
}

/** `POST /books/OL1M/manage-covers`, `/authors/OL1A/manage-photos`: gives a record these images in this order. */
export const manageImages = forKinds((kind, names) =>
  operation({
    id: `manage${names.noun}${names.images}`,
    summary: `Gives ${names.one} these ${kind.images} in this order`,
    tag: "covers",
    path: names.path,
    body: {
      contentType: "application/x-www-form-urlencoded",
      description: "`image` several times: the numbers to be kept, `-`, and whatever is to go",
    },
    responses: {
      200: { description: "Saved, for programs", schema: names.schema },
      303: { description: `Saved: people are led to the ${kind.images}` },
      403: { description: "Not allowed to change the record" },
      404: { description: `No such ${kind.noun}` },
      422: { description: "No `-` among the images, or something that is no number" },
    },
    async handle({ path }, context) {
      const target = targetOf(kind, path, context);
      await imageRecord(context.stores.catalog.withSession("first-primary"), target);
      const images = await arrangeImages(context, target, readArrangement(await readForm(context)));
      if (asksForPage(context)) return redirect(303, `${target.key}/manage-${kind.images}?saved`);
      return imagesReply(target, images);
    },
  }),
);

interface ImagesPage {
  readonly target: ImageTarget;
  readonly record: CatalogRecord;
  readonly images: readonly number[];
  /** True if they are covers of a work's editions, because the work has none itself. */
  readonly areOthers: boolean;
  /** True after a change. */
  readonly areSaved: boolean;
}

/** Renders the page for choosing and ordering the images of a record. */
function imagesPage(what: ImagesPage): Reply {
  const { target, record, images, areOthers, areSaved } = what;
  const { kind } = target;
  const body = markup`${areSaved && notice("good", say("covers.saved"))}${wayBack(target, record, "manage")}
${areOthers && markup`<p>${say("covers.others")}</p>`}
${images.length === 0 ? markup`<p>${say(IMAGE_WORDS[kind.image].none)}</p>` : imagesForm(what)}`;
  return page({ title: say(IMAGE_WORDS[kind.image].allOf, { title: nameOf(record) }), body });
}

function imagesForm({ target, images }: ImagesPage): Markup {
  const { key, kind } = target;
  return markup`<form method="post" action="${key}/manage-${kind.images}">
${field({ name: "shown", label: "", type: "hidden", value: images.join(" ") })}
${table({
  caption: say(IMAGE_WORDS[kind.image].first),
  columns: [say(IMAGE_WORDS[kind.image].one), say("covers.keep"), say("covers.place")],
  rows: images.map((id, index) => row(target, id, index + 1)),
})}
${field({ name: "image", label: "", type: "hidden", value: END_OF_IMAGES })}
<p><button class="primary">${say("edit.save")}</button></p></form>`;
}

function row(target: ImageTarget, id: number, place: number): readonly Piece[] {
  const name = say("covers.numbered", { number: String(id) });
  return [
    image(target, id, name),
    markup`<input type="checkbox" name="image" value="${id}" id="keep-${id}" checked>
<label class="unseen" for="keep-${id}">${say("covers.keep")}: ${name}</label>`,
    markup`<label class="unseen" for="position-${id}">${say("covers.place")}: ${name}</label>
<input type="number" name="position-${id}" id="position-${id}" value="${place}" min="1" step="any">`,
  ];
}

/**
 * `GET /books/OL1M/manage-covers`, `/authors/OL1A/manage-photos`: the images of a record, to be chosen and ordered; for
 * a work without images, those of its editions.
 */
export const manageImagesPage = forKinds((kind, names) =>
  operation({
    id: `manage${names.noun}${names.images}Page`,
    summary: `The ${kind.images} of ${names.one}`,
    tag: "covers",
    path: names.path,
    responses: {
      200: {
        description: "A page for people",
        schema: z.object({
          ...names.schema.shape,
          images: z.array(z.object({ id: z.int(), url: z.string() })).describe("Those that the page shows"),
        }),
        also: ["text/html"],
      },
      301: { description: "The record has become another one" },
      303: { description: "People log in first" },
      404: { description: `No such ${kind.noun}` },
    },
    async handle({ path }, context) {
      const target = targetOf(kind, path, context);
      const record = await imageRecord(catalogReader(context), target, `/manage-${kind.images}`);
      const own = imagesOf(record, kind);
      // A work without images shows those of its editions.
      const isWithout = own.length === 0 && kind.noun === "work";
      const images = isWithout ? await readEditionCovers(catalogReader(context), target.key) : own;
      if (asksForPage(context)) {
        await requireAccess("session", context);
        const areSaved = context.url.searchParams.has("saved");
        return imagesPage({ target, record, images, areOthers: own.length < images.length, areSaved });
      }
      const base = `${coversUrl(context)}/${kind.category}/id`;
      return imagesReply(target, own, { images: images.map((id) => ({ id, url: `${base}/${id}-M.jpg` })) });
    },
  }),
);
