import { bodyBytes } from "../http/bytes.ts";
import { formType } from "../http/request-body.ts";

/** Bytes of a form besides its image. */
export const UPLOAD_FORM_BYTES = 65_536;

/** Bytes of a form from which its content type is detected. */
const START_BYTES = 256;

/** Reads a form of either content type; an unreadable form has no fields. Throws 413. */
export async function boundedFormData(request: Request, limit: number): Promise<FormData> {
  const bytes = await bodyBytes(request, limit);
  const type = formType(request, new TextDecoder("latin1").decode(bytes.subarray(0, START_BYTES)));
  try {
    const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData();
    // Q524: the address may be sent like a file.
    const url = form.get("url");
    if (url instanceof File) form.set("url", await url.text());
    return form;
  } catch (error) {
    if (error instanceof TypeError) return new FormData();
    throw error;
  }
}

/** Placeholders of an address field that the user has not filled in. */
const NO_URL: ReadonlySet<string> = new Set(["http://", "https://"]);

/** Returns the address of an image; empty if there is none. */
export function formUrl(form: FormData): string {
  const url = formText(form, "url");
  return NO_URL.has(url) ? "" : url;
}

/** Returns a text field, trimmed; empty if there is none. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
