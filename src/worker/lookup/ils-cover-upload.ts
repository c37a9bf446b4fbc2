import * as z from "zod";
import { parseAllowedUrl } from "../../catalog/allowed-url.ts";
import { parseOlid } from "../../catalog/keys.ts";
import { readRecord } from "../../db/records/records.ts";
import { type CheckedImage, COVER_BYTES, checkImage } from "../covers/check-image.ts";
import { addImage, countImage, refuseImages } from "../covers/change-images.ts";
import { EDITION } from "../covers/image-kinds.ts";
import type { ImageTarget } from "../covers/record-images.ts";
import { fetchImage } from "../covers/source-image.ts";
import { changeRoomForImage, withRoomForBody } from "../covers/room.ts";
import { UPLOAD_FORM_BYTES, readFormData, formText, formUrl } from "../covers/form-data.ts";
import { Failure } from "../http/failure.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { authenticateBasic, ilsError, ilsErrorSchema, ilsUnauthorized, withIlsErrors } from "./ils-user.ts";

export const ilsCoverUpload = operation({
  id: "ilsCoverUpload",
  summary: "Upload the first cover of an edition from a library system",
  tag: "import",
  body: {
    contentType: "multipart/form-data",
    description: "`olid`; `file` or `url`; optional `redirect_url` of the library system",
  },
  responses: {
    200: { description: "Confirmation", schema: z.object({ status: z.literal("ok") }) },
    303: { description: "Redirect to `redirect_url` with the status or error" },
    400: { description: "Missing or invalid `olid`, or failed upload", schema: ilsErrorSchema },
    401: { description: "Missing or wrong Basic credentials", schema: ilsErrorSchema },
    403: { description: "No permission to edit the edition", schema: ilsErrorSchema },
    429: {
      description: "Too many failed logins, or too many images from this account within an hour",
      schema: ilsErrorSchema,
    },
  },
  handle: (_input, context) =>
    withIlsErrors(async () => {
      const user = await authenticateBasic(context);
      return user === undefined ? refuseAnonymous(context) : withRoomForBody(user, () => storeUpload(user));
    }),
});

/** Fields of an upload; texts are empty if absent. */
type UploadForm = Awaited<ReturnType<typeof readUpload>>;

/** Reads a form of either content type; an unreadable form has no fields. Throws `refusal` if it is too large. */
async function readUpload(request: Request, { limit, refusal }: { limit: number; refusal: Failure }) {
  const form = await readFormData(request, limit).catch((error: unknown) => {
    throw error instanceof Failure && error.status === 413 ? refusal : error;
  });
  const file = form.get("file");
  return {
    olid: formText(form, "olid"),
    // Browsers send an empty file if none was chosen.
    file: file instanceof File && file.size > 0 ? file : undefined,
    url: formUrl(form),
    redirectUrl: formText(form, "redirect_url"),
  };
}

function redirectBack({ href }: URL, members: Readonly<Record<string, string>>): Reply {
  const [address = "", ...fragment] = href.split("#");
  const joint = address.includes("?") ? "&" : "?";
  const location = [address + joint + new URLSearchParams(members).toString(), ...fragment].join("#");
  return redirect(303, location, { cacheControl: NO_STORE });
}

/** Returns the image of an upload, preferably from the address; undefined if it is missing or rejected. */
async function imageOfUpload(
  { file, url }: UploadForm,
  context: RequestContext,
): Promise<CheckedImage | undefined> {
  const { settings, stores } = context;
  if (url !== "") {
    await changeRoomForImage(context);
    const fetched = await fetchImage(url, { hosts: settings.COVER_HOSTS, stores });
    return fetched.ok ? fetched.image : undefined;
  }
  const bytes = file === undefined ? undefined : new Uint8Array(await file.arrayBuffer());
  const image = bytes === undefined ? undefined : checkImage(bytes, stores);
  return image === undefined || "key" in image ? undefined : image;
}

/** Refuses a request without credentials, after reporting errors of its form. Accepts no image. */
async function refuseAnonymous(context: RequestContext): Promise<Reply> {
  const refusal = ilsUnauthorized(context, "unauthenticated.no_credentials");
  const form = await readUpload(context.request, { limit: UPLOAD_FORM_BYTES, refusal });
  return replyTo(context, form, async () => {
    await uploadTarget(context, form);
    throw refusal;
  });
}

async function storeUpload(context: RequestContext): Promise<Reply> {
  const refusal = ilsError("bad_request.upload");
  const form = await readUpload(context.request, { limit: COVER_BYTES + UPLOAD_FORM_BYTES, refusal });
  return replyTo(context, form, async () => {
    const target = await uploadTarget(context, form);
    const sourceUrl = form.url === "" ? null : form.url;
    await refuseImages(context, target, sourceUrl);
    await countImage(context);
    const image = await imageOfUpload(form, context);
    const added = image === undefined ? undefined : await addImage(context, target, { image, sourceUrl });
    if (added === undefined) throw refusal;
  });
}

/**
 * Runs an upload and answers with its result: a redirect if `redirect_url` is on one of `ILS_HOSTS` (Q384), else JSON,
 * so that this is no open redirect.
 */
async function replyTo(
  { settings }: RequestContext,
  { redirectUrl }: UploadForm,
  run: () => Promise<void>,
): Promise<Reply> {
  const target = parseAllowedUrl(redirectUrl, settings.ILS_HOSTS);
  try {
    await withIlsErrors(run);
    const result = { status: "ok" };
    return target === undefined ? json(result, { cacheControl: NO_STORE }) : redirectBack(target, result);
  } catch (error) {
    if (target === undefined || !(error instanceof Failure) || error.status === 401) throw error;
    return redirectBack(target, { status: "error", reason: error.message });
  }
}

/** Returns the edition that a form names, in any spelling of its number. Throws 400 if there is none. */
async function uploadTarget(context: RequestContext, form: UploadForm): Promise<ImageTarget> {
  if (form.olid === "") throw ilsError("bad_request.no_olid");
  const parsed = parseOlid(form.olid, context.settings.RECORD_PREFIX);
  if (parsed?.kind !== "edition") throw ilsError("bad_request.olid");
  const { olid } = parsed;
  const key = `/books/${olid}`;
  // The edition may have been created a moment ago.
  const database = context.stores.catalog.withSession("first-primary");
  const row = await readRecord(database, key);
  if (row?.type !== "/type/edition") throw ilsError("bad_request.olid");
  return { kind: EDITION, olid, key };
}
