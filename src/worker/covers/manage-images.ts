import * as z from "zod";
import type { FormField } from "../../catalog/editing/form-fields.ts";
import { readEditionCovers } from "../../db/covers/read-covers.ts";
import { readForm } from "../editing/submitted-form.ts";
import { requireAccess } from "../http/access.ts";
import { validationFailed } from "../http/errors.ts";
import { type RequestContext, catalogReader, coversUrl } from "../http/operation.ts";
import { redirect } from "../http/reply.ts";
import { coverNumber } from "./categories.ts";
import { arrangeImages } from "./change-images.ts";
import { END_OF_IMAGES, imagesPage } from "./image-pages.ts";
import {
  type Arrangement,
  type ImageTarget,
  RECORD_IMAGES_MAX,
  forKinds,
  imageRecord,
  imagesOf,
  imagesReply,
  imageTargetOf,
} from "./record-images.ts";
import { invalid } from "../http/input-failures.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { Text } from "../../catalog/texts.ts";
import { resource } from "../http/views.ts";
import { command } from "../ui/command.ts";

const IMAGE = /^image(?:--\d+)?$/;
const POSITION = /^position-(\d{1,15})$/;

/**
 * Reads the arrangement of a record's images from a form: the fields `image` before the first `-`. The page also sends
 * `position-<number>`, by which they are sorted, and `shown`, the numbers that it displayed. Throws 422.
 */
export function readArrangement(fields: readonly FormField[]): Arrangement {
  const values = fields.filter(([name]) => IMAGE.test(name)).map(([, text]) => text.trim());
  const end = values.indexOf(END_OF_IMAGES);
  if (end < 0) throw invalidImage({ key: "validation.images_end", values: { end: END_OF_IMAGES } }, null);
  if (end > RECORD_IMAGES_MAX)
    throw invalidImage({ key: "bad_request.record_images", values: { most: RECORD_IMAGES_MAX } }, end);
  const images = values.slice(0, end).map((text) => {
    const id = coverNumber(text);
    if (id === undefined) throw invalidImage({ key: "validation.image_number" }, text);
    return id;
  });
  const places = new Map<number, number>();
  for (const [name, text] of fields) {
    const [, digits] = POSITION.exec(name) ?? [];
    const place = text.trim() === "" ? Number.NaN : Number(text);
    if (digits !== undefined && !Number.isNaN(place)) places.set(Number(digits), place);
  }
  const shown = fields.findLast(([name]) => name === "shown")?.[1];
  const displayed = shown?.split(" ").flatMap((part) => coverNumber(part) ?? []);
  return {
    images: [...new Set(sortImages(images, places, displayed))],
    displayed: displayed && new Set(displayed),
  };
}

/** Sorts images by their places. Of two at one place, one that moved up comes first, one that moved down last. */
function sortImages(
  images: readonly number[],
  places: ReadonlyMap<number, number>,
  displayed: readonly number[] = [],
): readonly number[] {
  if (places.size === 0) return images;
  const before = new Map(displayed.map((id, index) => [id, index + 1]));
  const place = (id: number): number => places.get(id) ?? Number.POSITIVE_INFINITY;
  const moved = (id: number): number => compare(place(id), before.get(id) ?? place(id));
  return images.toSorted((a, b) => compare(place(a), place(b)) || moved(a) - moved(b));
}

function compare(a: number, b: number): -1 | 0 | 1 {
  return a === b ? 0 : a < b ? -1 : 1;
}

function invalidImage(text: Text, input: unknown) {
  return validationFailed([invalid(["body", "image"], text, { input })]);
}

export const manageImages = forKinds((kind, names) =>
  command({
    id: `manage${names.noun}${names.images}`,
    summary: `Set the ${kind.images} of ${names.one} and their order`,
    tag: "covers",
    path: names.path,
    body: {
      contentType: "application/x-www-form-urlencoded",
      description: "Repeated `image`: numbers of the images to keep in order, then `-`, then those to remove",
    },
    responses: {
      200: { description: "Saved images (API clients)", schema: names.schema },
      303: { description: `Redirect to the ${kind.images} (browsers)` },
      422: { description: "Missing `-`, or an `image` that is not a number" },
    },
    async load({ path }, context) {
      const target = imageTargetOf(kind, path, context);
      const record = await imageRecord(context.stores.catalog.withSession("first-primary"), target);
      return { target, record };
    },
    async submit({ loaded: { target } }, context) {
      const arrangement = readArrangement(await readForm(context));
      return { target, images: await arrangeImages(context, target, arrangement) };
    },
    asJson: ({ target, images }) => imagesReply(target, images),
    page: ({ target }) => redirect(303, `${target.key}/manage-${kind.images}?saved`),
    again: async (refusal, { loaded: { target, record } }, context) =>
      imagesPage({ ...(await readImages(context, target, record)), refusal }),
  }),
);

/** Reads the images that the page of a record shows: a work without images shows those of its editions. */
async function readImages(context: RequestContext, target: ImageTarget, record: CatalogRecord) {
  const { kind, key } = target;
  const own = imagesOf(record, kind);
  const isWorkWithout = own.length === 0 && kind.noun === "work";
  const images = isWorkWithout ? await readEditionCovers(catalogReader(context), key) : own;
  return { target, record, images, areOfEditions: own.length < images.length };
}

export const manageImagesPage = forKinds((kind, names) =>
  resource({
    id: `manage${names.noun}${names.images}Page`,
    summary: `Show the ${kind.images} of ${names.one}`,
    tag: "covers",
    path: names.path,
    responses: {
      200: {
        description: "HTML page or JSON",
        schema: z.object({
          ...names.schema.shape,
          images: z.array(z.object({ id: z.int(), url: z.string() })).describe("Images on the page"),
        }),
        also: ["text/html"],
      },
      301: { description: "Redirect to the record that it was merged into" },
      303: { description: "Redirect to the login page" },
    },
    async read({ path }, context) {
      const target = imageTargetOf(kind, path, context);
      const record = await imageRecord(catalogReader(context), target, `/manage-${kind.images}`);
      return readImages(context, target, record);
    },
    asJson({ target, record, images }, context) {
      const base = `${coversUrl(context)}/${kind.category}/id`;
      return imagesReply(target, imagesOf(record, kind), {
        images: images.map((id) => ({ id, url: `${base}/${id}-M.jpg` })),
      });
    },
    async page(view, _input, context) {
      await requireAccess("session", context);
      return imagesPage({ ...view, areSaved: context.url.searchParams.has("saved") });
    },
  }),
);
