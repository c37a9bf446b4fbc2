import type { Sources } from "../http/bindings.ts";
import { CarrelError } from "../http/errors.ts";
import { COVER_BYTES } from "./check-image.ts";

/** Time limit of waiting for room, and interval of polling for it, in milliseconds. */
export const ROOM_WAIT_MS = 20_000;
export const ROOM_LOOK_MS = 50;
const RETRY_SECONDS = 10;

interface RoomOptions {
  size: number;
  /** Milliseconds after which a part is freed at the latest: a request may never finish if its client disconnects. */
  heldMs: number;
  /** Maximum of one owner; `size` if absent. */
  share?: number;
  refusal: string;
}

interface Part {
  amount: number;
  /** Account or client that the part counts for; undefined for services, which have no share. */
  owner?: string | undefined;
}

/** Limited resource that the requests of an isolate share. */
export class Room {
  /** Parts by holder, with their end in milliseconds since 1970. */
  private readonly parts = new Map<object, Part & { readonly until: number }>();

  constructor(private readonly options: RoomOptions) {}

  /**
   * Takes a part for a holder as soon as there is room. Throws 503 if there is none for too long. Polls, because a
   * request must not wait for a promise of another request.
   */
  async take(holder: object, { amount, owner }: Part, now: () => number): Promise<void> {
    const { size, share = size, heldMs, refusal } = this.options;
    const part = { amount: Math.min(amount, owner === undefined ? size : share), owner };
    for (let waited = 0; !this.hasRoom(part, now()); waited += ROOM_LOOK_MS) {
      if (waited >= ROOM_WAIT_MS) {
        const headers = { "Retry-After": String(RETRY_SECONDS) };
        throw new CarrelError(503, "unavailable", { message: refusal, headers });
      }
      await scheduler.wait(ROOM_LOOK_MS);
    }
    this.parts.set(holder, { ...part, until: now() + heldMs });
  }

  leave(holder: object): void {
    this.parts.delete(holder);
  }

  private hasRoom({ amount, owner }: Part, now: number): boolean {
    const { size, share = size } = this.options;
    let [sum, ownerSum] = [amount, amount];
    for (const [holder, part] of this.parts) {
      if (part.until <= now) this.parts.delete(holder);
      else {
        sum += part.amount;
        if (part.owner === owner) ownerSum += part.amount;
      }
    }
    return sum <= size && (owner === undefined || ownerSum <= share);
  }
}

/** Bytes of images in transit that an isolate holds at a time, besides the one being decoded (decision 0028). */
export const UPLOADS_BYTES_MAX = 24 * 1024 * 1024;
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
  refusal: "Too many images are being uploaded at once",
});

/**
 * Runs a function that reads the body of a request and keeps its image, as soon as there is room for the declared
 * number of bytes. Throws 503 if there is none.
 */
export async function withRoomForBody<Value>(
  uploading: Uploading,
  run: () => Promise<Value>,
): Promise<Value> {
  const { request } = uploading;
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  try {
    await takeRoom(uploading, declared > 0 ? declared : COVER_BYTES);
    return await run();
  } finally {
    uploads.leave(request);
  }
}

/**
 * Replaces the room of a request by that of an image fetched for it; the body no longer counts. The old part is freed
 * first, so that no two requests wait for each other. Throws 503.
 */
export async function changeRoomForImage(uploading: Uploading): Promise<void> {
  uploads.leave(uploading.request);
  await takeRoom(uploading, COVER_BYTES);
}

async function takeRoom({ request, sources, session }: Uploading, amount: number): Promise<void> {
  const owner = session === undefined ? undefined : (await session())?.username;
  await uploads.take(request, { amount, owner }, () => sources.now());
}
