import { MIB } from "../../catalog/units.ts";
import type { Sources } from "../http/bindings.ts";
import { Room } from "../http/room.ts";
import { COVER_BYTES } from "./check-image.ts";

/** Bytes of images in transit that an isolate holds at a time, besides the one being decoded (decision 0028). */
export const UPLOADS_BYTES_MAX = 24 * MIB;
export const UPLOAD_ROOM_MS = 60_000;

/** Maximum bytes of one account: an upload that hangs must not take the room of others. */
const UPLOADS_SHARE = UPLOADS_BYTES_MAX / 2;

interface Uploading {
  request: Request;
  sources: Pick<Sources, "now">;
  session?(): Promise<{ username: string } | undefined>;
}

const uploads = new Room({
  size: UPLOADS_BYTES_MAX,
  share: UPLOADS_SHARE,
  heldMs: UPLOAD_ROOM_MS,
});

/**
 * Runs a function that reads the body of a request and keeps its image, as soon as there is room for the declared
 * number of bytes. Throws 503 if there is none.
 */
export async function withRoomForBody<Value>(
  uploading: Uploading,
  run: () => Promise<Value>,
): Promise<Value> {
  const { request, sources } = uploading;
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  try {
    await takeRoom(uploading, declared > 0 ? declared : COVER_BYTES);
    return await run();
  } finally {
    uploads.leave(request, sources.now());
  }
}

/**
 * Replaces the room of a request by that of an image fetched for it; the body no longer counts. The old part is freed
 * first, so that no two requests wait for each other. Throws 503.
 */
export async function changeRoomForImage(uploading: Uploading): Promise<void> {
  uploads.leave(uploading.request, uploading.sources.now());
  await takeRoom(uploading, COVER_BYTES);
}

async function takeRoom({ request, sources, session }: Uploading, amount: number): Promise<void> {
  const owner = session === undefined ? undefined : (await session())?.username;
  await uploads.take(request, { amount, owner }, () => sources.now());
}
