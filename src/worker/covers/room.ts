import { CarrelError } from "../errors.ts";

/** How long a request waits for room, in milliseconds; and how often it looks. */
export const ROOM_WAIT_MS = 20_000;
export const ROOM_LOOK_MS = 50;
/** Seconds after which a client that got no room may try again. */
const RETRY_SECONDS = 10;

interface RoomOptions {
  /** How much may be held at a time. */
  readonly size: number;
  /** After how many milliseconds a part is free again at the latest: a request whose client has gone never comes to its end. */
  readonly heldMs: number;
  /** What somebody is told who got none. */
  readonly refusal: string;
}

interface Part {
  readonly amount: number;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Something of which an isolate has only so much for its requests at a time. */
export class Room {
  private readonly parts = new Map<object, Part>();

  constructor(private readonly options: RoomOptions) {}

  /**
   * Takes a part for a holder, as soon as there is as much. Throws a 503 when there is none for too long. It looks again and
   * again: nothing that another request does may be waited for in this one.
   */
  async take(holder: object, wanted: number, now: () => number): Promise<void> {
    const { size, heldMs, refusal } = this.options;
    const amount = Math.min(wanted, size);
    for (let waited = 0; !this.has(amount, now()); waited += ROOM_LOOK_MS) {
      if (waited >= ROOM_WAIT_MS) throw noRoom(refusal);
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

function noRoom(message: string): CarrelError {
  const headers = { "Retry-After": String(RETRY_SECONDS) };
  return new CarrelError(503, "unavailable", { message, headers });
}
