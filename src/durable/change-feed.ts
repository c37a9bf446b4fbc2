import { CLIENT_HEADER } from "./protocol.ts";
import { EdgeObject } from "./edge-object.ts";

const LISTENERS_MAX = 2000;
const LISTENERS_PER_CLIENT_MAX = 50;

/** Longest client address used as the tag of a socket, in characters. The platform accepts 256. */
const CLIENT_LENGTH = 100;

/**
 * Wakes clients that wait for changes. Each listens by a WebSocket that hibernates with the object, so that waiting
 * costs nothing. A message is the number of a change as text; it may be lost or doubled, because the log itself is in
 * D1 and every listener reads it there, from its own position.
 */
export class ChangeFeed extends EdgeObject {
  async announce(change: number): Promise<void> {
    for (const socket of this.ctx.getWebSockets()) {
      try {
        socket.send(String(change));
      } catch {
        // The socket is closing: its reader has left, or reconnects and reads the log.
      }
    }
  }

  /** Returns the number of listeners; a health check. */
  ping(): number {
    return this.ctx.getWebSockets().length;
  }

  /**
   * Accepts the WebSocket of a new listener. Responds 426 to other requests, 503 to too many listeners, 429 to too many
   * of one client.
   */
  override async fetch(request: Request): Promise<Response> {
    if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") {
      return new Response(null, { status: 426, headers: { Upgrade: "websocket" } });
    }
    const client = (request.headers.get(CLIENT_HEADER) ?? "").slice(0, CLIENT_LENGTH);
    if (this.ctx.getWebSockets().length >= LISTENERS_MAX) return new Response(null, { status: 503 });
    if (client !== "" && this.ctx.getWebSockets(client).length >= LISTENERS_PER_CLIENT_MAX) {
      return new Response(null, { status: 429 });
    }
    const { 0: clientSocket, 1: serverSocket } = new WebSocketPair();
    this.ctx.acceptWebSocket(serverSocket, client === "" ? [] : [client]);
    return new Response(null, { status: 101, webSocket: clientSocket });
  }

  override webSocketMessage(): void {
    return;
  }

  override webSocketClose(socket: WebSocket): void {
    close(socket);
  }

  override webSocketError(socket: WebSocket): void {
    close(socket);
  }
}

function close(socket: WebSocket): void {
  try {
    socket.close(1000);
  } catch {
    // It is closed already.
  }
}
