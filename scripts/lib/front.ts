import net from "node:net";
import { HOST } from "./runtime.ts";

/** What workerd refuses in an address (400, "invalid URI"), though curl, Python, Go and Node send it as it is. */
const REFUSED = /["<>`]/g;
const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/1\.[01]\r?$/;
const PART_OF_LINE = /^[A-Z]+ \/\S*$/;
/** Longest line that is waited for: no longer address is taken. */
const LINE_BYTES = 65_536;
/** How long a client may go on sending to a runtime that has closed, so that he reads its answer, in milliseconds. */
const LINGER_MS = 1000;

/**
 * Opens a port that hands everything over to one of the local runtime, byte by byte, but for the first line of a
 * request: there the characters that the runtime refuses are escaped, as browsers and the network in front of a
 * deployed worker escape them. `behind`: the runtime's address: after a reload it is another one.
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
 * What cannot be written any more is passed over: whoever has refused the rest of a request has said so, and his answer is
 * read to its end.
 */
class PatientSocket extends net.Socket {
  override _write(chunk: any, encoding: BufferEncoding, done: () => void) {
    super._write(chunk, encoding, () => done());
  }

  override _writev(chunks: { chunk: any; encoding: BufferEncoding }[], done: () => void) {
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
  /** What there is of a first line: it is looked for at the beginning, and after each answer. */
  let line = Buffer.alloc(0);
  let isBody = false;
  runtime.on("data", () => (isBody = false));
  for await (const chunk of client) {
    const bytes = line.length === 0 ? chunk : Buffer.concat([line, chunk]);
    line = !isBody && isPart(bytes) ? bytes : Buffer.alloc(0);
    if (line.length > 0) continue;
    const begins = !isBody && isRequest(bytes);
    isBody = true;
    if (runtime.writable && !runtime.write(begins ? escaped(bytes) : bytes)) await drained(runtime);
  }
  runtime.end();
}

function drained(socket: net.Socket) {
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

/** `bytes`: what begins with the first line of a request. */
function escaped(bytes: Buffer) {
  const end = bytes.indexOf("\n");
  const line = bytes.toString("latin1", 0, end);
  if (line.search(REFUSED) === -1) return bytes;
  const mended = line.replace(REFUSED, (character) => encodeURIComponent(character));
  return Buffer.concat([Buffer.from(mended, "latin1"), bytes.subarray(end)]);
}
