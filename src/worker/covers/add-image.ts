import * as z from "zod";
import type { CatalogRecord } from "../../catalog/record.ts";
import { isCoverGone, readEditionCovers } from "../../db/covers/read-covers.ts";
import { requireAccess } from "../http/access.ts";
import { Failure } from "../http/failure.ts";
import { type RequestContext, catalogReader, coversUrl } from "../http/operation.ts";
import { redirect } from "../http/reply.ts";
import { coverNumber } from "./categories.ts";
import { addImage, countImage, putFirst, refuseImages } from "./change-images.ts";
import { type CheckedImage, COVER_BYTES, NO_IMAGE_FILE, checkImage } from "./check-image.ts";
import { UPLOAD_FORM_BYTES, readFormData, formText, formUrl } from "./form-data.ts";
import { addImagePage } from "./image-pages.ts";
import {
  type ImageTarget,
  SAVED,
  forKinds,
  imageRecord,
  imagesOf,
  imagesReply,
  imageTargetOf,
} from "./record-images.ts";
import { withRoomForBody } from "./room.ts";
import { NO_IMAGE, isProblem, sourceImage, coverStoreError, imageError } from "./source-image.ts";
import { resource } from "../http/views.ts";
import { command } from "../ui/command.ts";

const EXTENSION = /\.(?:jpe?g|gif|png|webp)$/i;

/** Fields of the form; texts are empty if absent. `coverId`: number of an existing cover, for works only. */
type AddForm = Awaited<ReturnType<typeof readAddForm>>;

async function readAddForm(request: Request) {
  const form = await readFormData(request, COVER_BYTES + UPLOAD_FORM_BYTES).catch((error: unknown) => {
    throw error instanceof Failure && error.status === 413 ? imageError("bad_request.image_size") : error;
  });
  const file = form.get("file");
  // Without a chosen file, browsers send an empty name, openlibrary-client an empty file named like its field.
  const isChosen = file instanceof File && file.name !== "" && (file.size > 0 || EXTENSION.test(file.name));
  return { file: isChosen ? file : undefined, url: formUrl(form), coverId: formText(form, "coverid") };
}

/** Returns the image of a form, preferably from the address. Q413: the file is checked all the same. Throws 400. */
async function imageOfForm(context: RequestContext, { file, url }: AddForm): Promise<CheckedImage> {
  let fileImage: CheckedImage | undefined;
  if (file !== undefined) {
    if (!EXTENSION.test(file.name)) throw imageError("bad_request.image_extension");
    if (file.size > COVER_BYTES) throw imageError("bad_request.image_size");
    const image = checkImage(new Uint8Array(await file.arrayBuffer()), context.stores);
    // Q405: also for an image with too many pixels.
    if ("key" in image) throw imageError(image.key, image.values);
    fileImage = image;
  }
  const image = url === "" ? (fileImage ?? NO_IMAGE) : await sourceImage(context, url);
  if (isProblem(image)) throw coverStoreError(image);
  return image;
}

const problem = z.union([
  z.object({ error: z.string() }),
  z.object({ code: z.literal([1, 2, 3]), message: z.string(), detail: z.string().optional() }),
]);

/** Adds an image to a record, as the first one. For works, `coverid` can name an existing cover. */
export const addRecordImage = forKinds((kind, names) =>
  command({
    id: `add${names.noun}${names.image}`,
    summary: `Add a ${kind.image} to ${names.one}`,
    tag: "covers",
    path: names.path,
    body: {
      contentType: "multipart/form-data",
      description: `\`file\` or \`url\`; \`url\` takes precedence${kind.noun === "work" ? ". Or `coverid`, number of an existing cover" : ""}`,
    },
    responses: {
      200: {
        description: "Saved image (API clients)",
        schema: z.object({ id: z.int(), url: z.string(), message: z.literal(SAVED), ...names.schema.shape }),
      },
      303: { description: `Redirect to the ${kind.images} (browsers)` },
      400: { description: "Missing or unsupported image; browsers get the form again", schema: problem },
      429: { description: "Too many images from this account within an hour" },
    },
    async load({ path }, context) {
      const target = imageTargetOf(kind, path, context);
      const record = await imageRecord(context.stores.catalog.withSession("first-primary"), target);
      await refuseImages(context, target, null);
      // Address that was typed, for the form shown again: the body can be read only once.
      return { target, record, typed: { url: "" } };
    },
    submit: ({ loaded: { target, typed } }, context) =>
      withRoomForBody(context, async () => {
        const form = await readAddForm(context.request);
        typed.url = form.url;
        // Q414: `coverid` takes precedence over file and address.
        if (form.coverId !== "" && kind.noun === "work") {
          const id = coverNumber(form.coverId);
          const isGone = id === undefined || (await isCoverGone(context.stores.catalog, id));
          if (isGone) throw imageError("bad_request.no_cover");
          return { target, ...(await putFirst(context, target, { id, sourceUrl: null })) };
        }
        const sourceUrl = form.url === "" ? null : form.url;
        // The address itself may be spam.
        if (sourceUrl !== null) await refuseImages(context, target, sourceUrl);
        await countImage(context);
        const image = await imageOfForm(context, form);
        const added = await addImage(context, target, { image, sourceUrl });
        if (added === undefined) throw imageError(NO_IMAGE_FILE.key);
        return { target, ...added };
      }),
    asJson: ({ target, id, images }, context) =>
      imagesReply(target, images, {
        id,
        url: `${coversUrl(context)}/${kind.category}/id/${id}-M.jpg`,
        message: SAVED,
      }),
    page: ({ target }) => redirect(303, `${target.key}/manage-${kind.images}?saved`),
    again: async (refusal, { loaded: { target, record, typed } }, context) =>
      addImagePage({ ...(await readAddView(context, target, record)), url: typed.url, refusal }),
  }),
);

/** Reads the form for a new image. For works it offers the covers of their editions. */
async function readAddView(context: RequestContext, target: ImageTarget, record: CatalogRecord) {
  const { key, kind } = target;
  const images = imagesOf(record, kind);
  const editionCovers = kind.noun === "work" ? await readEditionCovers(catalogReader(context), key) : [];
  const choices = editionCovers.filter((id) => !images.includes(id));
  return { target, record, choices, hosts: context.settings.COVER_HOSTS };
}

export const addImageForm = forKinds((kind, names) =>
  resource({
    id: `add${names.noun}${names.image}Form`,
    summary: `Show the form for a new ${kind.image} of ${names.one}`,
    tag: "covers",
    path: names.path,
    responses: {
      200: { description: "HTML page or JSON", schema: names.schema, also: ["text/html"] },
      301: { description: "Redirect to the record that it was merged into" },
      303: { description: "Redirect to the login page" },
    },
    async read({ path }, context) {
      const target = imageTargetOf(kind, path, context);
      return { target, record: await imageRecord(catalogReader(context), target, `/add-${kind.image}`) };
    },
    asJson: ({ target, record }) => imagesReply(target, imagesOf(record, kind)),
    async page({ target, record }, _input, context) {
      await requireAccess("session", context);
      return addImagePage(await readAddView(context, target, record));
    },
  }),
);
