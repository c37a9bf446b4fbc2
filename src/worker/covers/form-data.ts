import { bodyBytes } from "../http/bytes.ts";

/** Bytes of a form besides the image in it. */
export const UPLOAD_FORM_BYTES = 65_536;

/** Reads a form of either kind; one that cannot be read has no fields. Throws a 413. */
export async function boundedFormData(request: Request, limit: number): Promise<FormData> {
  const bytes = await bodyBytes(request, limit);
  const type = request.headers.get("Content-Type") ?? "";
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
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
