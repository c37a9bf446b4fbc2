import { KIB, MIB } from "../../catalog/units.ts";
import type { RequestContext } from "./operation.ts";
import { networkOf } from "./rate-limit.ts";
import { Room } from "./room.ts";

/** Bytes of answers in an isolate (of its 128 MB) that clients have not taken, and those for one network. */
const ANSWERS_BYTES_MAX = 24 * MIB;
const NETWORK_ANSWERS_BYTES = ANSWERS_BYTES_MAX / 4;
/** Size of the parts of an answer, in bytes. Answers up to it need no room: buffers of a connection are as large. */
export const ANSWER_PART_BYTES = 64 * KIB;
/** Time for the first part of an answer in milliseconds, and for each byte after it: at least 64 KiB/s. */
const ANSWER_MS = 30_000;
const ANSWER_MS_PER_BYTE = 1000 / ANSWER_PART_BYTES;
export const TOO_SLOW = "The client took too long to read the answer.";

/** Room by in-memory cache, of which there is one per isolate (and per service under test). */
const rooms = new WeakMap<object, Room>();

function roomOf({ cache }: RequestContext): Room {
  const known = rooms.get(cache);
  if (known !== undefined) return known;
  const room = new Room({
    size: ANSWERS_BYTES_MAX,
    share: NETWORK_ANSWERS_BYTES,
    heldMs: ANSWER_MS + NETWORK_ANSWERS_BYTES * ANSWER_MS_PER_BYTE,
  });
  rooms.set(cache, room);
  return room;
}

/**
 * Takes room for an answer whose bytes are still to be read, if it is large; each request has room once. Throws 503 if
 * there is none for too long.
 */
export async function reserveAnswerRoom(context: RequestContext, amount: number): Promise<void> {
  if (amount > ANSWER_PART_BYTES) await takeRoom(context, context, { amount });
}

export function leaveAnswerRoom(context: RequestContext): void {
  roomOf(context).leave(context, context.sources.now());
}

function takeRoom(holder: object, context: RequestContext, part: { amount: number; isMade?: boolean }) {
  return roomOf(context).take(holder, { ...part, owner: networkOf(context) }, () => context.sources.now());
}

/**
 * Takes room for bytes that are in memory until the client has taken them. Returns the function that frees it. Calls
 * `onSlow` if that takes too long.
 */
export async function holdRoom(
  context: RequestContext,
  { holder, amount }: { holder: object; amount: number },
  onSlow: () => void,
): Promise<() => void> {
  await takeRoom(holder, context, { amount, isMade: true });
  const free = (): void => {
    clearTimeout(timer);
    roomOf(context).leave(holder, context.sources.now());
  };
  const timer = setTimeout(
    () => {
      free();
      onSlow();
    },
    ANSWER_MS + amount * ANSWER_MS_PER_BYTE,
  );
  return free;
}

const encoder = new TextEncoder();

/**
 * Returns the body of an answer. A large one becomes a stream that holds room until the client has taken its last part,
 * has gone, or was too slow.
 */
export async function bodyInRoom(
  body: string | Uint8Array | ReadableStream | null,
  context: RequestContext,
): Promise<BodyInit | null> {
  if (body === null || body instanceof ReadableStream) return body;
  if (body.length <= ANSWER_PART_BYTES || context.request.method === "HEAD") {
    leaveAnswerRoom(context);
    return body;
  }
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const slow = new AbortController();
  const part = { holder: context, amount: bytes.byteLength };
  const free = await holdRoom(context, part, () => slow.abort(TOO_SLOW));
  let position = 0;
  return new ReadableStream<Uint8Array>(
    {
      expectedLength: bytes.byteLength,
      start: (controller) =>
        slow.signal.addEventListener("abort", () => controller.error(slow.signal.reason)),
      pull(controller) {
        controller.enqueue(bytes.subarray(position, (position += ANSWER_PART_BYTES)));
        if (position < bytes.byteLength) return;
        free();
        controller.close();
      },
      cancel: free,
    },
    { highWaterMark: 0 },
  );
}
