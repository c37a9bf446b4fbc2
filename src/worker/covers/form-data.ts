import { bodyBytes } from "../http/bytes.ts";
import { formType } from "../http/request-body.ts";

/** Bytes of a form besides the image in it. */
export const UPLOAD_FORM_BYTES = 65_536;

/** Bytes of a form by which its kind is told. */
const START_BYTES = 256;

/** Reads a form of either kind; one that cannot be read has no fields. Throws a 413. */
export async function boundedFormData(request: Request, limit: number): Promise<FormData> {
  const bytes = await bodyBytes(request, limit);
  const type = formType(request, new TextDecoder("latin1").decode(bytes.subarray(0, START_BYTES)));
  try {
    const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData();
    // Q524: an address that is sent as if it were a file.
    const url = form.get("url");
    if (url instanceof File) form.set("url", await url.text());
    return form;
  } catch (error) {
    if (error instanceof TypeError) return new FormData();
    throw error;
  }
}

/** What a field of an address holds before anybody has written into it. */
const NO_URL: ReadonlySet<string> = new Set(["http://", "https://"]);

/** The address of an image; empty when there is none. */
export function formUrl(form: FormData): string {
  const url = formText(form, "url");
  return NO_URL.has(url) ? "" : url;
}

/** A field of text without blanks around it; empty when there is none. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
