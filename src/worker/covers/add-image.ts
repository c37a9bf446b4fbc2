import * as z from "zod";

import { isCoverGone } from "../../db/covers/read-covers.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, coversUrl, operation } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { type ImageForm, addPage } from "./add-image-page.ts";
import { coverNumber } from "./categories.ts";
import { type FirstImage, addImage, putFirst, refuseImages, spendImage } from "./change-images.ts";
import { type CheckedImage, COVER_BYTES, NO_IMAGE_FILE, checkImage } from "./check-image.ts";
import { UPLOAD_FORM_BYTES, boundedFormData, formText, formUrl } from "./form-data.ts";
import { type ImageTarget, SAVED, asksForPage, forKinds, imagesReply, targetOf } from "./image-kinds.ts";
import { imageRecord } from "./record-images.ts";
import { withRoomForBody } from "./room.ts";
import { sourceImage } from "./source-image.ts";
import { NO_IMAGE, isProblem, storeError } from "./store-error.ts";

const EXTENSION = /\.(?:jpe?g|gif|png|webp)$/i;

interface AddForm {
  readonly file: File | undefined;
  /** Address of an image; empty if there is none. */
  readonly url: string;
  /** Number of an existing cover, as text; empty if there is none. Works only. */
  readonly coverId: string;
}

/** Reads a form of either content type; an unreadable form has no fields. Throws 400 if it is too large. */
async function readAddForm(request: Request): Promise<AddForm> {
  const form = await formOf(request);
  const file = form.get("file");
  return {
    file: file instanceof File && isChosen(file) ? file : undefined,
    url: formUrl(form),
    coverId: formText(form, "coverid"),
  };
}

/**
 * True if a file was chosen. Otherwise browsers send no name, openlibrary-client an empty file named like its field.
 */
function isChosen({ name, size }: File): boolean {
  return name !== "" && (size > 0 || EXTENSION.test(name));
}

async function formOf(request: Request): Promise<FormData> {
  try {
    return await boundedFormData(request, COVER_BYTES + UPLOAD_FORM_BYTES);
  } catch (error) {
    if (error instanceof CarrelError && error.status === 413) throw tooLargeImage();
    throw error;
  }
}

/** Returns the image of a form, preferably from the address. Q413: the file is checked all the same. Throws 400. */
async function imageOfForm(context: RequestContext, { file, url }: AddForm): Promise<CheckedImage> {
  const sent = file === undefined ? undefined : await imageOfFile(file, context);
  if (url === "") {
    if (sent === undefined) throw storeError(NO_IMAGE);
    return sent;
  }
  const image = await sourceImage(context, url);
  if (isProblem(image)) throw storeError(image);
  return image;
}

async function imageOfFile(file: File, { stores }: RequestContext): Promise<CheckedImage> {
  if (!EXTENSION.test(file.name)) throw imageError("Unsupported file extension");
  if (file.size > COVER_BYTES) throw tooLargeImage();
  const image = checkImage(new Uint8Array(await file.arrayBuffer()), stores);
  if (image === NO_IMAGE_FILE) throw imageError(NOT_AN_IMAGE);
  // Q405: an image with too many pixels.
  if (typeof image === "string") throw imageError(`The image is too large: ${image}`);
  return image;
}

function tooLargeImage(): CarrelError {
  return imageError("File size exceeds 10MB limit");
}

/** Message for a file that is not an image, or a broken one. */
const NOT_AN_IMAGE = "Not a valid image file";

/** Builds a 400 in the form that programs expect. */
function imageError(message: string): CarrelError {
  return new CarrelError(400, "image", { message, body: { error: message } });
}

const problem = z.union([
  z.object({ error: z.string() }),
  z.object({ code: z.literal([1, 2, 3]), message: z.string(), detail: z.string().optional() }),
]);

/**
 * `POST /books/OL1M/add-cover`, `/authors/OL1A/add-photo`: adds an image to a record, as the first one. For works,
 * `coverid` can name an existing cover.
 */
export const addRecordImage = forKinds((kind, names) =>
  operation({
    id: `add${names.noun}${names.image}`,
    summary: `Gives ${names.one} a ${kind.image}`,
    tag: "covers",
    path: names.path,
    body: {
      contentType: "multipart/form-data",
      description: `\`file\`, or \`url\`, which goes first${
        kind.noun === "work" ? "; or `coverid`, a cover that is there" : ""
      }`,
    },
    responses: {
      200: {
        description: "Saved, for programs",
        schema: z.object({ id: z.int(), url: z.string(), message: z.literal(SAVED), ...names.schema.shape }),
      },
      303: { description: `Saved: people are led to the ${kind.images}` },
      400: { description: "No image, or one that is not taken; people get the form again", schema: problem },
      403: { description: "Not allowed to change the record" },
      404: { description: `No such ${kind.noun}` },
      429: { description: "Too many images of this account within an hour" },
    },
    async handle({ path }, context) {
      const target = targetOf(kind, path, context);
      const record = await imageRecord(context.stores.catalog.withSession("first-primary"), target);
      await refuseImages(context, target, null);
      return withRoomForBody(context, async () => {
        const form = await orPage(context, { target, record }, () => readAddForm(context.request));
        return "status" in form ? form : add(context, { target, record }, form);
      });
    },
  }),
);

function add(context: RequestContext, shown: ImageForm, form: AddForm): Promise<Reply> {
  const { target } = shown;
  return orPage(context, { ...shown, url: form.url }, async () => {
    const added = await addOf(context, target, form);
    if (asksForPage(context)) return redirect(303, `${target.key}/manage-${target.kind.images}?saved`);
    const url = `${coversUrl(context)}/${target.kind.category}/id/${added.id}-M.jpg`;
    return imagesReply(target, added.images, { id: added.id, url, message: SAVED });
  });
}

async function addOf(context: RequestContext, target: ImageTarget, form: AddForm): Promise<FirstImage> {
  // Q414: `coverid` takes precedence over file and address.
  if (form.coverId !== "" && target.kind.noun === "work") {
    const id = coverNumber(form.coverId);
    if (id === undefined || (await isCoverGone(context.stores.catalog, id)))
      throw imageError("No such cover");
    return putFirst(context, target, { id, sourceUrl: null });
  }
  const sourceUrl = form.url === "" ? null : form.url;
  // The address itself may be spam.
  if (sourceUrl !== null) await refuseImages(context, target, sourceUrl);
  await spendImage(context);
  const image = await imageOfForm(context, form);
  const added = await addImage(context, target, { image, sourceUrl });
  if (added === undefined) throw imageError(NOT_AN_IMAGE);
  return added;
}

/** Runs a step; people whose form is refused get it again. */
async function orPage<Value>(
  context: RequestContext,
  shown: ImageForm,
  run: () => Promise<Value>,
): Promise<Value | Reply> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CarrelError) || error.status !== 400 || !asksForPage(context)) throw error;
    return addPage(context, { ...shown, problem: error.message });
  }
}
