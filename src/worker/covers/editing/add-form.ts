import { CarrelError } from "../../http/errors.ts";
import type { RequestContext } from "../../http/operation.ts";
import { type CheckedImage, COVER_BYTES, NO_IMAGE_FILE, checkImage } from "../check-image.ts";
import { UPLOAD_FORM_BYTES, boundedFormData, formText } from "../store/form-data.ts";
import { sourceImage } from "../store/source-image.ts";
import { NO_IMAGE, isProblem, storeError } from "../store/store-error.ts";

const EXTENSION = /\.(?:jpe?g|gif|png|webp)$/i;
/** What a field of an address holds before anybody has written into it. */
const NO_URL: ReadonlySet<string> = new Set(["http://", "https://"]);

/** The form with which people give a record an image (lookup.md 7). */
export interface AddForm {
  readonly file: File | undefined;
  /** Empty when there is none. */
  readonly url: string;
  /** Number of a cover that is there already, as text; empty when there is none. Of works only. */
  readonly coverId: string;
}

/** Reads a form of either kind; one that cannot be read has no fields. Throws a 400 when it is too large. */
export async function readAddForm(request: Request): Promise<AddForm> {
  const form = await formOf(request);
  const file = form.get("file");
  const url = formText(form, "url");
  return {
    // A file without a name is what browsers send where none was chosen.
    file: file instanceof File && file.name !== "" ? file : undefined,
    url: NO_URL.has(url) ? "" : url,
    coverId: formText(form, "coverid"),
  };
}

async function formOf(request: Request): Promise<FormData> {
  try {
    return await boundedFormData(request, COVER_BYTES + UPLOAD_FORM_BYTES);
  } catch (error) {
    if (error instanceof CarrelError && error.status === 413) throw tooLargeImage();
    throw error;
  }
}

/** The image of a form, that of the address when there is one. Q413: the file is looked at all the same. Throws a 400. */
export async function imageOfForm(context: RequestContext, { file, url }: AddForm): Promise<CheckedImage> {
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
  if (image === NO_IMAGE_FILE) throw notAnImage();
  // Q405: what is an image, but has too many pixels.
  if (typeof image === "string") throw imageError(`The image is too large: ${image}`);
  return image;
}

function tooLargeImage(): CarrelError {
  return imageError("File size exceeds 10MB limit");
}

/** 400 of a file that is no image, or a broken one. */
export function notAnImage(): CarrelError {
  return imageError("Not a valid image file");
}

/** 400 as programs read it. */
export function imageError(message: string): CarrelError {
  return new CarrelError(400, "image", { message, body: { error: message } });
}
