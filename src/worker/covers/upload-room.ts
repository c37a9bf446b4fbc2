import type { Sources } from "../context.ts";
import { COVER_BYTES } from "./check-image.ts";
import { Room } from "./room.ts";

/** Bytes of images on their way that an isolate holds at a time, besides the one that is unpacked (decision 0028). */
export const UPLOADS_BYTES_MAX = 24 * 1024 * 1024;
/** After how many milliseconds room is free again at the latest. */
export const UPLOAD_ROOM_MS = 60_000;

/** A request, and what tells the time. */
interface Uploading {
  readonly request: Request;
  readonly sources: Pick<Sources, "now">;
}

/** The room that requests of this isolate have, in bytes. */
const room = new Room({
  size: UPLOADS_BYTES_MAX,
  heldMs: UPLOAD_ROOM_MS,
  refusal: "Too many images are being uploaded at once",
});

/**
 * Runs what reads the body of a request and keeps the image in it, as soon as there is room for as many bytes as the request
 * declares. Throws a 503 when there is none.
 */
export async function withRoomForBody<Value>(
  { request, sources }: Uploading,
  run: () => Promise<Value>,
): Promise<Value> {
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  try {
    await room.take(request, declared > 0 ? declared : COVER_BYTES, () => sources.now());
    return await run();
  } finally {
    room.leave(request);
  }
}

/**
 * Changes the room of a request into that for an image which is fetched for it; whatever else was sent counts no more. What it
 * had is given back first, so that no two wait for each other. Throws a 503.
 */
export async function changeRoomForImage({ request, sources }: Uploading): Promise<void> {
  room.leave(request);
  await room.take(request, COVER_BYTES, () => sources.now());
}
