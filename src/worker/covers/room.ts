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
  /** Most that one owner may hold at a time; `size` if absent. */
  readonly share?: number;
  /** Message of the 503. */
  readonly refusal: string;
}

/** A part of a room. */
interface Part {
  readonly amount: number;
  /** Account or client that it counts for; undefined for services, which have no share. */
  readonly owner?: string | undefined;
}

/** Something of which an isolate has only so much for its requests at a time. */
export class Room {
  /** Parts by their holders, with when they end in milliseconds since 1970. */
  private readonly parts = new Map<object, Part & { readonly until: number }>();

  constructor(private readonly options: RoomOptions) {}

  /**
   * Takes a part for a holder, as soon as there is as much. Throws a 503 when there is none for too long. It looks again and
   * again: nothing that another request does may be waited for in this one.
   */
  async take(holder: object, { amount: wanted, owner }: Part, now: () => number): Promise<void> {
    const { size, share = size, heldMs, refusal } = this.options;
    const part = { amount: Math.min(wanted, owner === undefined ? size : share), owner };
    for (let waited = 0; !this.has(part, now()); waited += ROOM_LOOK_MS) {
      if (waited >= ROOM_WAIT_MS) {
        const headers = { "Retry-After": String(RETRY_SECONDS) };
        throw new CarrelError(503, "unavailable", { message: refusal, headers });
      }
      await scheduler.wait(ROOM_LOOK_MS);
    }
    this.parts.set(holder, { ...part, until: now() + heldMs });
  }

  /** Gives back what a holder has. */
  leave(holder: object): void {
    this.parts.delete(holder);
  }

  private has({ amount, owner }: Part, now: number): boolean {
    const { size, share = size } = this.options;
    let [sum, own] = [amount, amount];
    for (const [holder, part] of this.parts) {
      if (part.until <= now) this.parts.delete(holder);
      else {
        sum += part.amount;
        if (part.owner === owner) own += part.amount;
      }
    }
    return sum <= size && (owner === undefined || own <= share);
  }
}

/** Bytes of images on their way that an isolate holds at a time, besides the one that is unpacked (decision 0028). */
export const UPLOADS_BYTES_MAX = 24 * 1024 * 1024;
/** After how many milliseconds room is free again at the latest. */
export const UPLOAD_ROOM_MS = 60_000;

/** Most bytes that one account holds at a time: an image that hangs must not take the room of others. */
const UPLOADS_SHARE = UPLOADS_BYTES_MAX / 2;

/** An upload: its request, the clock, and its account. */
interface Uploading {
  readonly request: Request;
  readonly sources: Pick<Sources, "now">;
  session?(): Promise<{ readonly username: string } | undefined>;
}

/** The room that uploads of this isolate have, in bytes. */
const uploads = new Room({
  size: UPLOADS_BYTES_MAX,
  share: UPLOADS_SHARE,
  heldMs: UPLOAD_ROOM_MS,
  refusal: "Too many images are being uploaded at once",
});

/**
 * Runs what reads the body of a request and keeps the image in it, as soon as there is room for as many bytes as the request
 * declares. Throws a 503 when there is none.
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
 * Changes the room of a request into that for an image which is fetched for it; whatever else was sent counts no
 * more. What it had is given back first, so that no two wait for each other. Throws a 503.
 */
export async function changeRoomForImage(uploading: Uploading): Promise<void> {
  uploads.leave(uploading.request);
  await takeRoom(uploading, COVER_BYTES);
}

async function takeRoom({ request, sources, session }: Uploading, amount: number): Promise<void> {
  const owner = session === undefined ? undefined : (await session())?.username;
  await uploads.take(request, { amount, owner }, () => sources.now());
}
