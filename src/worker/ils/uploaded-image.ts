import type { RequestContext } from "../context.ts";
import { type CheckedImage, checkImage } from "../covers/check-image.ts";
import { fetchImage } from "../covers/fetch-image.ts";
import { changeRoomForImage } from "../covers/upload-room.ts";
import type { UploadForm } from "./upload-form.ts";

/** The image of an upload; undefined for none, or one that is not taken. An address goes before a file (lookup.md 7). */
export async function uploadedImage(
  { file, url }: UploadForm,
  context: RequestContext,
): Promise<CheckedImage | undefined> {
  if (url !== "") {
    await changeRoomForImage(context);
    const fetched = await fetchImage(url, context.settings.COVER_HOSTS);
    return fetched.ok ? fetched.image : undefined;
  }
  const image = file === undefined ? undefined : checkImage(new Uint8Array(await file.arrayBuffer()));
  return typeof image === "string" ? undefined : image;
}
