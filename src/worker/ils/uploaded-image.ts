import type { Settings } from "../context.ts";
import { type CheckedImage, checkImage } from "../covers/check-image.ts";
import { fetchImage } from "../covers/fetch-image.ts";
import type { UploadForm } from "./upload-form.ts";

/** The image of an upload; undefined for none, or one that is not taken. An address goes before a file (lookup.md 7). */
export async function uploadedImage(
  { file, url }: UploadForm,
  { COVER_HOSTS }: Settings,
): Promise<CheckedImage | undefined> {
  if (url !== "") {
    const fetched = await fetchImage(url, COVER_HOSTS);
    return fetched.ok ? fetched.image : undefined;
  }
  const image = file === undefined ? undefined : checkImage(new Uint8Array(await file.arrayBuffer()));
  return typeof image === "string" ? undefined : image;
}
