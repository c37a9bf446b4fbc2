import * as z from "zod";
import { parseOlid } from "../../../catalog/keys.ts";
import { readRecord } from "../../../db/records/read-record.ts";
import type { RequestContext } from "../../context.ts";
import { addCover, refuseCover } from "../../covers/add-cover.ts";
import { CarrelError } from "../../errors.ts";
import { asBasicUser } from "../../ils/basic-user.ts";
import { ilsUnauthorized, withIlsErrors } from "../../ils/ils-error.ts";
import { type UploadForm, readUpload } from "../../ils/upload-form.ts";
import { uploadFailed, uploadReplies } from "../../ils/upload-reply.ts";
import { uploadedImage } from "../../ils/uploaded-image.ts";
import { operation } from "../../operation.ts";

const error = z.object({ status: z.literal("error"), reason: z.string() });

/** `POST /api/ils_cover_upload`: a library system gives an edition a cover (import.md 5.2). */
export const ilsCoverUpload = operation({
  id: "ilsCoverUpload",
  summary: "Stores an image as the first cover of an edition, with Basic credentials",
  tag: "import",
  body: {
    contentType: "multipart/form-data",
    description: "olid, and file or url; redirect_url leads back to the library system",
  },
  responses: {
    200: { description: "Stored", schema: z.object({ status: z.literal("ok") }) },
    303: { description: "The same, or an error, told to redirect_url" },
    400: { description: "olid missing, bad olid, or upload failed", schema: error },
    401: { description: "No credentials, or wrong ones", schema: error },
    403: { description: "The account may not change this edition", schema: error },
    429: { description: "Too many wrong credentials", schema: error },
  },
  handle: (_input, context) =>
    withIlsErrors(async () => {
      const form = await uploadForm(context.request);
      const replies = uploadReplies(form.redirectUrl, context.settings);
      try {
        await withIlsErrors(() => upload(context, form));
        return replies.ok();
      } catch (failure) {
        return replies.refused(failure);
      }
    }),
});

async function uploadForm(request: Request): Promise<UploadForm> {
  try {
    return await readUpload(request);
  } catch (failure) {
    if (failure instanceof CarrelError && failure.status === 413) throw uploadFailed("upload failed");
    throw failure;
  }
}

async function upload(context: RequestContext, form: UploadForm): Promise<void> {
  if (form.olid === "") throw uploadFailed("olid missing");
  const olid = await editionOlid(context, form.olid);
  if (olid === undefined) throw uploadFailed("bad olid");
  const user = await asBasicUser(context);
  if (user === undefined) throw ilsUnauthorized(context, "No credentials provided");
  const sourceUrl = form.url === "" ? null : form.url;
  await refuseCover(user, { olid, sourceUrl });
  const image = await uploadedImage(form, context.settings);
  if (image === undefined) throw uploadFailed("upload failed");
  await addCover(user, { olid, image, sourceUrl });
}

/** The number of an edition that exists, in any spelling. */
async function editionOlid(context: RequestContext, text: string): Promise<string | undefined> {
  const parsed = parseOlid(text, context.settings.RECORD_PREFIX);
  if (parsed?.kind !== "edition") return undefined;
  // It may have been made a moment ago.
  const database = context.stores.catalog.withSession("first-primary");
  const row = await readRecord(database, `/books/${parsed.olid}`);
  return row?.type === "/type/edition" ? parsed.olid : undefined;
}
