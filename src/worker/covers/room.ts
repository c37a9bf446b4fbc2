import type { Sources } from "../http/bindings.ts";
import { CarrelError } from "../http/errors.ts";
import { COVER_BYTES } from "./check-image.ts";

/** How long a request waits for room, in milliseconds; and how often it looks. */
export const ROOM_WAIT_MS = 20_000;
export const ROOM_LOOK_MS = 50;
/** Seconds after which a client that got no room may try again. */
const RETRY_SECONDS = 10;

interface RoomOptions {
  /** How much may be held at a time. */
  readonly size: number;
  /**
   * After how many milliseconds a part is free again at the latest: a request whose client has gone never comes to
   * its end.
   */
  readonly heldMs: number;
  /** What somebody is told who got none. */
  readonly refusal: string;
}

/** Something of which an isolate has only so much for its requests at a time. */
export class Room {
  /** How much each holder has, and until when in milliseconds since 1970. */
  private readonly parts = new Map<object, { readonly amount: number; readonly until: number }>();

  constructor(private readonly options: RoomOptions) {}

  /**
   * Takes a part for a holder, as soon as there is as much. Throws a 503 when there is none for too long. It looks again and
   * again: nothing that another request does may be waited for in this one.
   */
  async take(holder: object, wanted: number, now: () => number): Promise<void> {
    const { size, heldMs, refusal } = this.options;
    const amount = Math.min(wanted, size);
    for (let waited = 0; !this.has(amount, now()); waited += ROOM_LOOK_MS) {
      if (waited >= ROOM_WAIT_MS) {
        const headers = { "Retry-After": String(RETRY_SECONDS) };
        throw new CarrelError(503, "unavailable", { message: refusal, headers });
      }
      await scheduler.wait(ROOM_LOOK_MS);
    }
    this.parts.set(holder, { amount, until: now() + heldMs });
  }

  /** Gives back what a holder has. */
  leave(holder: object): void {
    this.parts.delete(holder);
  }

  private has(amount: number, now: number): boolean {
    let sum = amount;
    for (const [holder, part] of this.parts) {
      if (part.until <= now) this.parts.delete(holder);
      else sum += part.amount;
    }
    return sum <= this.options.size;
  }
}

/** Bytes of images on their way that an isolate holds at a time, besides the one that is unpacked (decision 0028). */
export const UPLOADS_BYTES_MAX = 24 * 1024 * 1024;
/** After how many milliseconds room is free again at the latest. */
export const UPLOAD_ROOM_MS = 60_000;

/** A request, and what tells the time. */
interface Uploading {
  readonly request: Request;
  readonly sources: Pick<Sources, "now">;
}

/** The room that uploads of this isolate have, in bytes. */
const uploads = new Room({
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
    await uploads.take(request, declared > 0 ? declared : COVER_BYTES, () => sources.now());
    return await run();
  } finally {
    uploads.leave(request);
  }
}

/**
 * Changes the room of a request into that for an image which is fetched for it; whatever else was sent counts no
 * more. What it had is given back first, so that no two wait for each other. Throws a 503.
 */
export async function changeRoomForImage({ request, sources }: Uploading): Promise<void> {
  uploads.leave(request);
  await uploads.take(request, COVER_BYTES, () => sources.now());
}
