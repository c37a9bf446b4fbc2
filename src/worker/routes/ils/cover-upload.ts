import * as z from "zod";
import { parseOlid } from "../../../catalog/keys.ts";
import { readRecord } from "../../../db/records/read-record.ts";
import type { RequestContext } from "../../context.ts";
import { COVER_BYTES } from "../../covers/check-image.ts";
import { addImage, refuseImages } from "../../covers/editing/change-images.ts";
import { spendImage } from "../../covers/editing/image-budget.ts";
import { EDITION, type ImageTarget } from "../../covers/editing/kinds.ts";
import { UPLOAD_FORM_BYTES } from "../../covers/store/form-data.ts";
import { withRoomForBody } from "../../covers/room.ts";
import { CarrelError } from "../../errors.ts";
import { asBasicUser } from "../../ils/basic-user.ts";
import { ilsUnauthorized, withIlsErrors } from "../../ils/ils-error.ts";
import { type UploadForm, readUpload } from "../../ils/upload-form.ts";
import { uploadFailed, uploadReplies } from "../../ils/upload-reply.ts";
import { uploadedImage } from "../../ils/uploaded-image.ts";
import { operation } from "../../operation.ts";
import type { Reply } from "../../reply.ts";

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
    429: {
      description: "Too many wrong credentials, or too many images of this account within an hour",
      schema: error,
    },
  },
  handle: (_input, context) =>
    withIlsErrors(async () => {
      const user = await asBasicUser(context);
      return user === undefined ? refuseNobody(context) : withRoomForBody(user, () => takeUpload(user));
    }),
});

/** Somebody without credentials is told what is wrong with his form, but no image is kept for that. */
async function refuseNobody(context: RequestContext): Promise<Reply> {
  const unknown = ilsUnauthorized(context, "No credentials provided");
  const form = await formOrRefusal(context.request, { limit: UPLOAD_FORM_BYTES, refusal: unknown });
  return replied(context, form, async () => {
    await uploadTarget(context, form);
    throw unknown;
  });
}

/** Takes the upload of somebody known. */
async function takeUpload(context: RequestContext): Promise<Reply> {
  const refusal = uploadFailed("upload failed");
  const form = await formOrRefusal(context.request, { limit: COVER_BYTES + UPLOAD_FORM_BYTES, refusal });
  return replied(context, form, async () => {
    const target = await uploadTarget(context, form);
    const sourceUrl = form.url === "" ? null : form.url;
    await refuseImages(context, target, sourceUrl);
    await spendImage(context);
    const image = await uploadedImage(form, context);
    const added = image === undefined ? undefined : await addImage(context, target, { image, sourceUrl });
    if (added === undefined) throw refusal;
  });
}

async function formOrRefusal(
  request: Request,
  { limit, refusal }: { readonly limit: number; readonly refusal: CarrelError },
): Promise<UploadForm> {
  try {
    return await readUpload(request, limit);
  } catch (failure) {
    if (failure instanceof CarrelError && failure.status === 413) throw refusal;
    throw failure;
  }
}

/** What became of an upload, told where its form leads back to. */
async function replied(
  context: RequestContext,
  { redirectUrl }: UploadForm,
  run: () => Promise<void>,
): Promise<Reply> {
  const replies = uploadReplies(redirectUrl, context.settings);
  try {
    await withIlsErrors(run);
    return replies.ok();
  } catch (failure) {
    return replies.refused(failure);
  }
}

async function uploadTarget(context: RequestContext, { olid }: UploadForm): Promise<ImageTarget> {
  if (olid === "") throw uploadFailed("olid missing");
  const target = await editionTarget(context, olid);
  if (target === undefined) throw uploadFailed("bad olid");
  return target;
}

/** An edition that exists, by its number in any spelling. */
async function editionTarget(context: RequestContext, text: string): Promise<ImageTarget | undefined> {
  const parsed = parseOlid(text, context.settings.RECORD_PREFIX);
  if (parsed?.kind !== "edition") return undefined;
  const { olid } = parsed;
  const key = `/books/${olid}`;
  // It may have been made a moment ago.
  const database = context.stores.catalog.withSession("first-primary");
  const row = await readRecord(database, key);
  return row?.type === "/type/edition" ? { kind: EDITION, olid, key } : undefined;
}
