import type { Sources } from "../context.ts";
import { CarrelError } from "../errors.ts";
import { COVER_BYTES } from "./check-image.ts";

/** Bytes of images on their way that an isolate holds at a time, besides the one that is unpacked (decision 0028). */
export const UPLOADS_BYTES_MAX = 24 * 1024 * 1024;
/** After how many milliseconds room is free again at the latest: a request whose client has gone never comes to its end. */
export const UPLOAD_ROOM_MS = 60_000;
/** How long an upload waits for room, in milliseconds; and how often it looks. */
export const UPLOAD_WAIT_MS = 20_000;
export const UPLOAD_LOOK_MS = 50;
/** Seconds after which a client that got no room may try again. */
const RETRY_SECONDS = 10;

/** A request, and what tells the time. */
interface Uploading {
  readonly request: Request;
  readonly sources: Pick<Sources, "now">;
}

interface Room {
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** The room that requests of this isolate have. */
const rooms = new Map<Request, Room>();

/**
 * Runs what reads the body of a request and keeps the image in it, as soon as there is room for as many bytes as the request
 * declares. Throws a 503 when there is none.
 */
export async function withRoomForBody<Value>(
  uploading: Uploading,
  run: () => Promise<Value>,
): Promise<Value> {
  const declared = Number(uploading.request.headers.get("Content-Length") ?? 0);
  try {
    await takeRoom(uploading, declared > 0 ? declared : COVER_BYTES);
    return await run();
  } finally {
    rooms.delete(uploading.request);
  }
}

/**
 * Changes the room of a request into that for an image which is fetched for it; whatever else was sent counts no more. What it
 * had is given back first, so that no two wait for each other. Throws a 503.
 */
export async function changeRoomForImage(uploading: Uploading): Promise<void> {
  rooms.delete(uploading.request);
  await takeRoom(uploading, COVER_BYTES);
}

/** Looks for room again and again: nothing that another request does may be waited for in this one. */
async function takeRoom({ request, sources }: Uploading, declared: number): Promise<void> {
  const bytes = Math.min(declared, UPLOADS_BYTES_MAX);
  for (let waited = 0; !isRoom(sources.now(), bytes); waited += UPLOAD_LOOK_MS) {
    if (waited >= UPLOAD_WAIT_MS) throw noRoom();
    await scheduler.wait(UPLOAD_LOOK_MS);
  }
  rooms.set(request, { bytes, until: sources.now() + UPLOAD_ROOM_MS });
}

function isRoom(now: number, bytes: number): boolean {
  let sum = bytes;
  for (const [request, room] of rooms) {
    if (room.until <= now) rooms.delete(request);
    else sum += room.bytes;
  }
  return sum <= UPLOADS_BYTES_MAX;
}

function noRoom(): CarrelError {
  return new CarrelError(503, "unavailable", {
    message: "Too many images are being uploaded at once",
    headers: { "Retry-After": String(RETRY_SECONDS) },
  });
}
