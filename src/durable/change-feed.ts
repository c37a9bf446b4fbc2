import { DurableObject } from "cloudflare:workers";
import { CLIENT_HEADER } from "./names.ts";

/** Readers that may listen at a time: all of them, and those of one address. */
const LISTENERS_MAX = 2000;
const LISTENERS_PER_CLIENT_MAX = 50;

/** Longest address that listeners are told apart by, in characters (a tag of a socket takes 256). */
const CLIENT_LENGTH = 100;

/**
 * Wakes those who wait for changes. Each listens by a WebSocket that sleeps with the object, so that waiting costs
 * nothing. A message is the number of a change as text; it may be lost or doubled, as the log itself is in D1 and
 * every listener reads it there, from where it had come to.
 */
export class ChangeFeed extends DurableObject<Env> {
  /** Wakes all listeners: a change with this number was stored. */
  async announce(change: number): Promise<void> {
    for (const socket of this.ctx.getWebSockets()) {
      try {
        socket.send(String(change));
      } catch {
        // It is closing: its reader has gone, or comes again and reads the log.
      }
    }
  }

  /** Says that the feed answers, and how many listen. */
  ping(): number {
    return this.ctx.getWebSockets().length;
  }

  /** `GET` with `Upgrade: websocket`: the socket of a new listener. 503 when there are too many, 429 of one client. */
  override async fetch(request: Request): Promise<Response> {
    if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") {
      return new Response(null, { status: 426, headers: { Upgrade: "websocket" } });
    }
    const client = (request.headers.get(CLIENT_HEADER) ?? "").slice(0, CLIENT_LENGTH);
    if (this.ctx.getWebSockets().length >= LISTENERS_MAX) return new Response(null, { status: 503 });
    if (client !== "" && this.ctx.getWebSockets(client).length >= LISTENERS_PER_CLIENT_MAX) {
      return new Response(null, { status: 429 });
    }
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours, client === "" ? [] : [client]);
    return new Response(null, { status: 101, webSocket: theirs });
  }

  /** Listeners have nothing to say. */
  override webSocketMessage(): void {
    return;
  }

  override webSocketClose(socket: WebSocket): void {
    end(socket);
  }

  override webSocketError(socket: WebSocket): void {
    end(socket);
  }
}

function end(socket: WebSocket): void {
  try {
    socket.close(1000);
  } catch {
    // It is closed already.
  }
}
