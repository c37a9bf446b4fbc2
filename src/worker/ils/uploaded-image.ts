import type { RequestContext } from "../context.ts";
import { type CheckedImage, checkImage } from "../covers/check-image.ts";
import { fetchImage } from "../covers/fetch-image.ts";
import { changeRoomForImage } from "../covers/room.ts";
import type { UploadForm } from "./upload-form.ts";

/** The image of an upload; undefined for none, or one that is not taken. An address goes before a file (lookup.md 7). */
export async function uploadedImage(
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
