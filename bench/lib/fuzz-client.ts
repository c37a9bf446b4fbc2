// Sends bytes over a socket, so that requests may be hardly HTTP, and parses the response.
import net from "node:net";

const TIMEOUT_MS = 60_000;
/** Wait for a response to a request that lacks its end, or for more of an event stream. */
const UNFINISHED_MS = 500;
const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
/** A reset of the connection while more than this is being sent may overtake the response. */
const EARLY_REFUSAL_BYTES = 1024 * 1024;
/** Bytes that Node reads from a socket at once. */
const LARGE_CHUNK_BYTES = 64 * 1024;
const END = Buffer.from("\r\n\r\n");

export interface RawRequest {
  method: string;
  bytes: Buffer;
  /** True if the service may wait for more, so that no response is fine. */
  isUnfinished: boolean;
}

export interface Response {
  /** 0: none. */
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  ms: number;
  /** Reason why the response is missing or cut off. */
  problem?: string;
}

/** Sends a request over a connection of its own. Responses of 1xx are skipped. */
export function exchange(port: number, { method, bytes, isUnfinished }: RawRequest): Promise<Response> {
  const started = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    let isReset = false;
    const socket = net.connect(port, "127.0.0.1");
    const timer = setTimeout(() => end("no response in time"), TIMEOUT_MS);
    const end = (problem?: string) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      const { isWhole, ...response } = parseResponse(Buffer.concat(chunks), method) ?? EMPTY;
      const isExpected = isUnfinished || (isReset && bytes.length > EARLY_REFUSAL_BYTES);
      const ms = performance.now() - started;
      resolve({
        ...response,
        ms,
        ...(!isWhole && !isExpected && { problem: problem ?? "the response is cut off" }),
      });
    };
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > RESPONSE_BYTES_MAX) return end("the response is too large");
      // Large responses come in large chunks, and joining them each time would take too long.
      if (chunk.length === LARGE_CHUNK_BYTES && !chunk.subarray(-4).equals(END)) return undefined;
      const response = parseResponse(chunks.length === 1 ? chunk : Buffer.concat(chunks), method);
      if (response?.isWhole === true) return end();
      if (response?.headers["content-type"]?.startsWith("text/event-stream") === true)
        setTimeout(() => end(), UNFINISHED_MS);
      return undefined;
    });
    socket.on("close", () => end(size === 0 ? "closed without a response" : undefined));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      isReset = error.code === "ECONNRESET" || error.code === "EPIPE";
      setTimeout(() => end(error.message), 20);
    });
    socket.on("connect", () => {
      socket.write(bytes);
      if (isUnfinished) setTimeout(() => end(), UNFINISHED_MS);
    });
  });
}

interface Parsed extends Pick<Response, "status" | "headers" | "body"> {
  isWhole: boolean;
}

const EMPTY: Parsed = { status: 0, headers: {}, body: Buffer.alloc(0), isWhole: false };

/** Parses the bytes received so far. Returns undefined until the head is complete. */
function parseResponse(bytes: Buffer, method: string): Parsed | undefined {
  for (let start = 0; ;) {
    const end = bytes.indexOf("\r\n\r\n", start);
    if (end < 0) return undefined;
    const [line = "", ...fields] = bytes.toString("latin1", start, end).split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0);
    start = end + 4;
    if (status >= 100 && status < 200 && status !== 101) continue;
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(":");
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const isBare = method === "HEAD" || [101, 204, 304].includes(status);
    const content = isBare ? { body: EMPTY.body, isWhole: true } : contentOf(bytes.subarray(start), headers);
    return { status, headers, ...content };
  }
}

function contentOf(rest: Buffer, headers: Record<string, string>) {
  if (!/chunked/i.test(headers["transfer-encoding"] ?? "")) {
    const length = Number(headers["content-length"] ?? 0);
    return { body: rest.subarray(0, length), isWhole: rest.length >= length };
  }
  const parts: Buffer[] = [];
  const isStream = headers["content-type"]?.startsWith("text/event-stream") === true;
  for (let place = 0; ;) {
    const line = rest.indexOf("\r\n", place);
    const size = line < 0 ? Number.NaN : Number.parseInt(rest.toString("latin1", place, line), 16);
    if (size === 0) return { body: Buffer.concat(parts), isWhole: true };
    // Event streams have no end.
    if (line < 0 || line + 2 + size > rest.length)
      return { body: Buffer.concat(parts), isWhole: isStream && parts.length > 0 };
    parts.push(rest.subarray(line + 2, line + 2 + size));
    place = line + 2 + size + 2;
  }
}
