import { CLIENT_HEADER, FEED_NAME } from "../../durable/change-feed/names.ts";
import type { RequestContext } from "../context.ts";
import { tooManyRequests, unavailable } from "../errors.ts";

/** Seconds after which somebody who found no room to listen may come again. */
const RETRY_SECONDS = 30;

/** Somebody who waits for changes. */
export interface Listener {
  /** Waits until something was stored, at most so many milliseconds; false when nothing came. */
  next(milliseconds: number): Promise<boolean>;
  /** True when nothing will come any more, as the other end has gone. */
  isClosed(): boolean;
  close(): void;
}

/**
 * Begins to listen. What is stored from now on wakes the listener, so the log is to be read after this and not
 * before. 503 or 429 when there are too many listeners.
 */
export async function listen({ stores, client }: RequestContext): Promise<Listener> {
  const feed = stores.changeFeed.getByName(FEED_NAME);
  // Behind no proxy all clients have one name.
  const headers = { Upgrade: "websocket", [CLIENT_HEADER]: client === "local" ? "" : client };
  const { status, webSocket } = await feed.fetch("http://change-feed/", { headers });
  if (status === 429) throw tooManyRequests(RETRY_SECONDS, "Too many open feeds from this address.");
  if (webSocket === null) throw unavailable("Too many open feeds. Please try again later.");
  return listener(webSocket);
}

function listener(socket: WebSocket): Listener {
  let [woken, closed] = [false, false];
  let wake: (() => void) | undefined;
  const ended = (): void => {
    closed = true;
    wake?.();
  };
  socket.addEventListener("message", () => {
    woken = true;
    wake?.();
  });
  socket.addEventListener("close", ended);
  socket.addEventListener("error", ended);
  socket.accept();
  return {
    async next(milliseconds) {
      if (!woken && !closed) await waiting(milliseconds, (resolve) => (wake = resolve));
      const was = woken;
      woken = false;
      return was;
    },
    isClosed: () => closed,
    close() {
      if (!closed) socket.close(1000);
      ended();
    },
  };
}

function waiting(milliseconds: number, waker: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    waker(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
