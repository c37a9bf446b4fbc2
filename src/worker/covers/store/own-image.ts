import type { CoverCategory } from "../../../db/covers/cover-rows.ts";
import type { RequestContext } from "../../context.ts";
import { decoded } from "../../path-pattern.ts";
import { originalName, renditionName } from "../cover-object.ts";
import type { Rendition } from "../rendition-sizes.ts";
import { resolveCover } from "../resolve-cover.ts";
import { changeRoomForImage } from "../room.ts";

const PATH = /^\/([abw])\/([^/]+)\/([^/]+?)(?:-([SML]))?\.jpg$/;

/** The bytes of one of this service's own covers, by its path; undefined when there is none. */
export async function ownBytes(
  context: RequestContext,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const match = PATH.exec(path);
  if (match === null) return undefined;
  // The pattern lets no other letters through, of either.
  const [, category = "", key = "", value = "", size] = match;
  const name = { category: category as CoverCategory, key, value: decoded(value) };
  const id = await resolveCover(context, name);
  const { stores, settings } = context;
  if (id === undefined || settings.COVERS_BLOCKED.includes(String(id))) return undefined;
  await changeRoomForImage(context);
  const small = size === undefined ? null : await stores.covers.get(renditionName(id, size as Rendition));
  const object = small ?? (await stores.covers.get(originalName(id)));
  return object === null ? undefined : new Uint8Array(await object.arrayBuffer());
}
