import { boundedFormData, formText } from "../covers/store/form-data.ts";

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

/** Reads a form of either kind, of so many bytes at most; one that cannot be read has no fields. Throws a 413. */
export async function readUpload(request: Request, limit: number): Promise<UploadForm> {
  const form = await boundedFormData(request, limit);
  const file = form.get("file");
  const url = formText(form, "url");
  return {
    olid: formText(form, "olid"),
    // An empty file is what browsers send where none was chosen.
    file: file instanceof File && file.size > 0 ? file : undefined,
    url: NO_URL.has(url) ? "" : url,
    redirectUrl: formText(form, "redirect_url"),
  };
}
