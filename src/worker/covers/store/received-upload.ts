import { bodyChunks } from "../../http/bytes.ts";
import { COVER_BYTES } from "../check-image.ts";
import { byteFields } from "./byte-fields.ts";
import { UPLOAD_FORM_BYTES, boundedFormData, formText } from "./form-data.ts";
import type { Upload } from "./upload.ts";

/** Bytes that one byte of an image can take in a urlencoded form. */
const ESCAPE_FACTOR = 3;

/**
 * The fields of `upload2`, in a form of either kind (lookup.md 6.5). Q410: in a urlencoded one `data` is bytes too. Throws a 413.
 */
export async function receivedUpload(request: Request): Promise<Upload> {
  const type = request.headers.get("Content-Type") ?? "";
  return /^\s*multipart\/form-data/i.test(type) ? multipartUpload(request) : urlencodedUpload(request);
}

async function multipartUpload(request: Request): Promise<Upload> {
  const form = await boundedFormData(request, COVER_BYTES + UPLOAD_FORM_BYTES);
  const data = form.get("data");
  return {
    bytes: data instanceof File ? new Uint8Array(await data.arrayBuffer()) : undefined,
    sourceUrl: formText(form, "source_url"),
    olid: formText(form, "olid"),
    author: formText(form, "author"),
    ip: formText(form, "ip"),
  };
}

async function urlencodedUpload(request: Request): Promise<Upload> {
  const fields = await byteFields(bodyChunks(request.body), ESCAPE_FACTOR * COVER_BYTES + UPLOAD_FORM_BYTES);
  const text = (name: string): string =>
    new TextDecoder().decode(fields.get(name) ?? new Uint8Array()).trim();
  return {
    bytes: fields.get("data"),
    sourceUrl: text("source_url"),
    olid: text("olid"),
    author: text("author"),
    ip: text("ip"),
  };
}
