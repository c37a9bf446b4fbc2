import { type FailureKey, failure } from "./failure.ts";

/** Time limit of waiting for room, and interval of looking for it, in milliseconds. */
export const ROOM_WAIT_MS = 20_000;
export const ROOM_LOOK_MS = 50;
const RETRY_SECONDS = 10;

interface RoomOptions {
  size: number;
  /** Milliseconds after which a part is freed at the latest: a request may never finish if its client disconnects. */
  heldMs: number;
  /** Maximum of one owner; `size` if absent. */
  share?: number;
  refusal?: FailureKey;
}

interface Part {
  readonly amount: number;
  /** Account or network that the part counts for; undefined for services, which have no share. */
  readonly owner?: string | undefined;
  /** True for bytes that are in memory while they wait. Of these, as many may wait as may have room. */
  readonly isMade?: boolean;
}

type TimedPart = Part & { readonly until: number };
type Waiter = TimedPart & { wake?: () => void };

/** Limited resource that the requests of an isolate share. */
export class Room {
  /** Parts by holder, with their end in milliseconds since 1970. */
  private readonly parts = new Map<object, TimedPart>();
  private readonly waiting = new Map<object, Waiter>();

  constructor(private readonly options: RoomOptions) {}

  /**
   * Takes a part for a holder, which has one at most, as soon as there is room. Throws 503 if there is none for too
   * long. Looks at intervals too: a request whose client disconnected neither leaves nor takes its turn.
   */
  async take(holder: object, { amount, owner, isMade = false }: Part, now: () => number): Promise<void> {
    const { size, share = size, refusal = "unavailable.busy" } = this.options;
    const part = { amount: Math.min(amount, owner === undefined ? size : share), owner, isMade };
    if (this.parts.has(holder) || this.give(holder, part, now())) return;
    const made = [...this.waiting.values()].filter((other) => other.isMade);
    const waiter: Waiter = { ...part, until: now() + ROOM_WAIT_MS };
    const end = isMade && !this.fits(made, part) ? 0 : ROOM_WAIT_MS;
    this.waiting.set(holder, waiter);
    for (let waited = 0; waited < end; waited += ROOM_LOOK_MS) {
      const woken = new Promise<void>((resolve) => (waiter.wake = resolve));
      await Promise.race([scheduler.wait(ROOM_LOOK_MS), woken]);
      if (!this.give(holder, part, now())) continue;
      // In the local runtime, connections wait until no task is ready: turns without a pause would block all of them.
      return scheduler.wait(0);
    }
    this.waiting.delete(holder);
    throw failure(refusal, {}, { retryAfter: RETRY_SECONDS });
  }

  /** Frees the part of a holder, and wakes those that have waited longest and for which there is room now. */
  leave(holder: object, now: number): void {
    if (!this.parts.delete(holder)) return;
    const parts: Part[] = [...this.parts.values()];
    for (const [other, waiter] of this.waiting) {
      if (waiter.until <= now) this.waiting.delete(other);
      else if (this.fits(parts, waiter)) {
        parts.push(waiter);
        waiter.wake?.();
      }
    }
  }

  private give(holder: object, part: Part, now: number): boolean {
    for (const [other, { until }] of this.parts) if (until <= now) this.parts.delete(other);
    const hasRoom = this.fits(this.parts.values(), part);
    if (hasRoom) {
      this.parts.set(holder, { ...part, until: now + this.options.heldMs });
      this.waiting.delete(holder);
    }
    return hasRoom;
  }

  private fits(parts: Iterable<Part>, { amount, owner }: Part): boolean {
    const { size, share = size } = this.options;
    let [sum, ownerSum] = [amount, amount];
    for (const part of parts) {
      sum += part.amount;
      if (part.owner === owner) ownerSum += part.amount;
    }
    return sum <= size && (owner === undefined || ownerSum <= share);
  }
}
