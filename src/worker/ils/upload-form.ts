import { bodyBytes } from "../body.ts";
import { COVER_BYTES } from "../covers/check-image.ts";

/** Bytes of a form besides the image in it. */
export const UPLOAD_FORM_BYTES = 65_536;

/** The form in which a library system sends a cover (import.md 5.2). */
export interface UploadForm {
  readonly olid: string;
  readonly file: File | undefined;
  /** Empty when it is absent. */
  readonly url: string;
  readonly redirectUrl: string;
}

/** What a field of an address holds before anybody has written into it. */
const NO_URL: ReadonlySet<string> = new Set(["http://", "https://"]);

/** Reads a form of either kind; one that cannot be read has no fields. Throws a 413. */
export async function readUpload(request: Request): Promise<UploadForm> {
  const form = await formOf(request);
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const file = form.get("file");
  const url = text("url");
  return {
    olid: text("olid"),
    // An empty file is what browsers send where none was chosen.
    file: file instanceof File && file.size > 0 ? file : undefined,
    url: NO_URL.has(url) ? "" : url,
    redirectUrl: text("redirect_url"),
  };
}

async function formOf(request: Request): Promise<FormData> {
  const bytes = await bodyBytes(request, COVER_BYTES + UPLOAD_FORM_BYTES);
  const type = request.headers.get("Content-Type") ?? "";
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch (error) {
    if (error instanceof TypeError) return new FormData();
    throw error;
  }
}
