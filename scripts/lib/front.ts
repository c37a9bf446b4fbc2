import net from "node:net";
import { CommandError, codeOf } from "./command.ts";
import { type Listener, HOST } from "./runtime.ts";

/** Characters that workerd rejects in a URL (400, "invalid URI"), although curl, Python, Go and Node send them raw. */
const REFUSED = /["<>`]/g;
const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/1\.[01]\r?$/;
const PART_OF_LINE = /^[A-Z]+ \/\S*$/;
/** Maximum length of a request line. */
const LINE_BYTES = 65_536;
/** Milliseconds in which a client may still send after the runtime closed, so that it can read the response. */
const LINGER_MS = 1000;

/**
 * Opens the ports of listeners (`openFront`) and returns the listeners with their ports, which the system chooses for 0.
 * `behind` returns the address of an entry point. Throws a `CommandError` if a port cannot be used.
 */
export async function openListeners(
  listeners: Listener[],
  behind: (entrypoint: string) => Promise<{ port: string }>,
) {
  const opened: Listener[] = [];
  for (const listener of listeners) {
    const { name, port, flag, entrypoint } = listener;
    try {
      const { port: openPort } = Object((await openFront(port, () => behind(entrypoint))).address());
      opened.push({ ...listener, port: Number(openPort) });
    } catch (error) {
      throw new CommandError(
        codeOf(error) === "EADDRINUSE"
          ? `Port ${port} (${name}) is in use. Stop the program that uses it, or choose another: --${flag} N`
          : `Port ${port} (${name}) cannot be used: ${String(error)}`,
      );
    }
  }
  return opened;
}

/**
 * Opens a port that forwards all bytes to the local runtime. In request lines it escapes the characters that the
 * runtime rejects, as browsers and Cloudflare's network do. `behind` returns the address of the runtime, which changes
 * with a reload.
 */
export function openFront(port: number, behind: () => Promise<{ port: string }>): Promise<net.Server> {
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on("error", () => client.destroy());
    behind().then(
      (address) => handOver(client, Number(address.port)),
      // The runtime is about to end.
      () => client.destroy(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, () => resolve(server));
  });
}

/**
 * Ignores write errors: a runtime that rejects the rest of a request has sent a response, which must be read to its
 * end.
 */
class PatientSocket extends net.Socket {
  override _write(chunk: unknown, encoding: BufferEncoding, done: () => void) {
    super._write(chunk, encoding, () => done());
  }

  override _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], done: () => void) {
    super._writev?.(chunks, () => done());
  }
}

function handOver(client: net.Socket, port: number) {
  if (client.destroyed) return;
  const runtime = new PatientSocket({ allowHalfOpen: true });
  runtime.connect({ host: HOST, port, noDelay: true });
  runtime.pipe(client);
  forward(client, runtime).catch(() => client.destroy());
  // Its end follows.
  runtime.on("error", () => undefined);
  runtime.on("close", () => {
    client.end();
    setTimeout(() => client.destroy(), LINGER_MS).unref();
  });
  client.on("close", () => runtime.destroy());
}

async function forward(client: net.Socket, runtime: net.Socket) {
  /** Beginning of a request line, expected first and after each response. */
  let line = Buffer.alloc(0);
  let isBody = false;
  runtime.on("data", () => (isBody = false));
  for await (const chunk of client) {
    const bytes = line.length === 0 ? chunk : Buffer.concat([line, chunk]);
    line = !isBody && isPart(bytes) ? bytes : Buffer.alloc(0);
    if (line.length > 0) continue;
    const begins = !isBody && isRequest(bytes);
    isBody = true;
    if (runtime.writable && !runtime.write(begins ? escapeRequestLine(bytes) : bytes))
      await waitForDrain(runtime);
  }
  runtime.end();
}

function waitForDrain(socket: net.Socket) {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve(undefined);
    socket.once("drain", resolve);
    socket.once("close", resolve);
  });
}

function isPart(bytes: Buffer) {
  return bytes.length < LINE_BYTES && !bytes.includes("\n") && PART_OF_LINE.test(bytes.toString("latin1"));
}

function isRequest(bytes: Buffer) {
  const end = bytes.indexOf("\n");
  return end !== -1 && REQUEST_LINE.test(bytes.toString("latin1", 0, end));
}

/** Escapes the request line at the beginning of `bytes`. */
function escapeRequestLine(bytes: Buffer) {
  const end = bytes.indexOf("\n");
  const line = bytes.toString("latin1", 0, end);
  if (line.search(REFUSED) === -1) return bytes;
  const escaped = line.replace(REFUSED, (character) => encodeURIComponent(character));
  return Buffer.concat([Buffer.from(escaped, "latin1"), bytes.subarray(end)]);
}
