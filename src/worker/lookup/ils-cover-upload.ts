import * as z from "zod";
import { allowedUrl } from "../../catalog/allowed-url.ts";
import { parseOlid } from "../../catalog/keys.ts";
import { readRecord } from "../../db/records/records.ts";
import { type CheckedImage, COVER_BYTES, checkImage } from "../covers/check-image.ts";
import { addImage, refuseImages, spendImage } from "../covers/change-images.ts";
import { type ImageTarget, EDITION } from "../covers/image-kinds.ts";
import { fetchImage } from "../covers/fetch-image.ts";
import { changeRoomForImage, withRoomForBody } from "../covers/room.ts";
import { UPLOAD_FORM_BYTES, boundedFormData, formText, formUrl } from "../covers/form-data.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { asBasicUser, ilsError, ilsErrorSchema, ilsUnauthorized, withIlsErrors } from "./ils-user.ts";

/** `POST /api/ils_cover_upload`: a library system gives an edition a cover. */
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
    400: { description: "olid missing, bad olid, or upload failed", schema: ilsErrorSchema },
    401: { description: "No credentials, or wrong ones", schema: ilsErrorSchema },
    403: { description: "The account may not change this edition", schema: ilsErrorSchema },
    429: {
      description: "Too many wrong credentials, or too many images of this account within an hour",
      schema: ilsErrorSchema,
    },
  },
  handle: (_input, context) =>
    withIlsErrors(async () => {
      const user = await asBasicUser(context);
      return user === undefined ? refuseNobody(context) : withRoomForBody(user, () => takeUpload(user));
    }),
});

interface UploadForm {
  readonly olid: string;
  readonly file: File | undefined;
  /** Empty when it is absent. */
  readonly url: string;
  readonly redirectUrl: string;
}

/** Reads a form of either kind, of so many bytes at most; one that cannot be read has no fields. Throws a 413. */
async function readUpload(request: Request, limit: number): Promise<UploadForm> {
  const form = await boundedFormData(request, limit);
  const file = form.get("file");
  return {
    olid: formText(form, "olid"),
    // An empty file is what browsers send where none was chosen.
    file: file instanceof File && file.size > 0 ? file : undefined,
    url: formUrl(form),
    redirectUrl: formText(form, "redirect_url"),
  };
}

function back({ href }: URL, members: Readonly<Record<string, string>>): Reply {
  const [address = "", ...fragment] = href.split("#");
  const joint = address.includes("?") ? "&" : "?";
  const location = [address + joint + new URLSearchParams(members).toString(), ...fragment].join("#");
  return redirect(303, location, { cacheControl: NO_STORE });
}

/** The image of an upload; undefined for none, or one that is not taken. An address goes before a file. */
async function uploadedImage(
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
  return typeof image === "string" ? undefined : image;
}

/** Somebody without credentials is told what is wrong with his form, but no image is kept for that. */
async function refuseNobody(context: RequestContext): Promise<Reply> {
  const unknown = ilsUnauthorized(context, "No credentials provided");
  const form = await formOrRefusal(context.request, { limit: UPLOAD_FORM_BYTES, refusal: unknown });
  return replied(context, form, async () => {
    await uploadTarget(context, form);
    throw unknown;
  });
}

async function takeUpload(context: RequestContext): Promise<Reply> {
  const refusal = ilsError(400, "upload failed");
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

/**
 * What became of an upload. Answers lead back to the library system where `redirect_url` is of one of its hosts (Q384);
 * all others are JSON, so that this address leads nobody anywhere.
 */
async function replied(
  { settings }: RequestContext,
  { redirectUrl }: UploadForm,
  run: () => Promise<void>,
): Promise<Reply> {
  const target = allowedUrl(redirectUrl, settings.ILS_HOSTS);
  try {
    await withIlsErrors(run);
    const done = { status: "ok" };
    return target === undefined ? json(done, { cacheControl: NO_STORE }) : back(target, done);
  } catch (failure) {
    if (target === undefined || !(failure instanceof CarrelError) || failure.status === 401) throw failure;
    return back(target, { status: "error", reason: failure.message });
  }
}

/** An edition that exists, by its number in any spelling. */
async function uploadTarget(context: RequestContext, form: UploadForm): Promise<ImageTarget> {
  if (form.olid === "") throw ilsError(400, "olid missing");
  const parsed = parseOlid(form.olid, context.settings.RECORD_PREFIX);
  if (parsed?.kind !== "edition") throw ilsError(400, "bad olid");
  const { olid } = parsed;
  const key = `/books/${olid}`;
  // It may have been made a moment ago.
  const database = context.stores.catalog.withSession("first-primary");
  const row = await readRecord(database, key);
  if (row?.type !== "/type/edition") throw ilsError(400, "bad olid");
  return { kind: EDITION, olid, key };
}
