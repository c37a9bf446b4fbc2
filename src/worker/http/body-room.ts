import { MIB } from "../../catalog/units.ts";
import type { RequestContext } from "./operation.ts";
import { networkOf } from "./rate-limit.ts";
import { Room } from "./room.ts";

/** Bytes of request bodies above `SMALL_BODY_BYTES` that an isolate (of 128 MB) holds: parsed, each takes several times as much. */
const BODIES_BYTES_MAX = 12 * MIB;
const NETWORK_BODIES_BYTES = 8 * MIB;
const SMALL_BODY_BYTES = MIB;
/** Time after which a body that is still being sent or processed no longer counts, in milliseconds. */
const BODY_MS = 60_000;

const room = new Room({
  size: BODIES_BYTES_MAX,
  share: NETWORK_BODIES_BYTES,
  heldMs: BODY_MS,
});

const contexts = new WeakMap<Request, RequestContext>();

/** Runs the handler of a request. Its body has room from when it is read until the handler ends. */
export async function withBodyRoom<Value>(
  context: RequestContext,
  handle: () => Promise<Value>,
): Promise<Value> {
  if (context.request.body === null) return handle();
  contexts.set(context.request, context);
  try {
    return await handle();
  } finally {
    room.leave(context, context.sources.now());
  }
}

/** Waits until there is room for a body that is about to be read. Throws 503 if there is none for too long. */
export async function takeBodyRoom(request: Request, limit: number): Promise<void> {
  const context = contexts.get(request);
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  const amount = declared > 0 ? declared : limit;
  if (context === undefined || amount <= SMALL_BODY_BYTES) return;
  await room.take(context, { amount, owner: networkOf(context) }, () => context.sources.now());
}
