import net from "node:net";
import { HOST } from "./runtime.mjs";

/** What workerd refuses in an address (400, "invalid URI"), though curl, Python, Go and Node send it as it is. */
const REFUSED = /["<>`]/g;
const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/1\.[01]\r?$/;
const PART_OF_LINE = /^[A-Z]+ \/\S*$/;
/** Longest line that is waited for: no longer address is taken. */
const LINE_BYTES = 65_536;

/**
 * Opens a port that hands everything over to one of the local runtime, byte by byte, but for the first line of a
 * request: there the characters that the runtime refuses are escaped, as browsers and the network in front of a deployed
 * worker escape them.
 * @param {number} port
 * @param {() => Promise<{ port: string }>} behind the runtime's address: after a reload it is another one
 * @returns {Promise<net.Server>}
 */
export function openFront(port, behind) {
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

/** @param {net.Socket} client @param {number} port */
function handOver(client, port) {
  if (client.destroyed) return;
  const runtime = net.connect({ host: HOST, port, allowHalfOpen: true, noDelay: true });
  /** @type {NonSharedBuffer | undefined} What there is of the first line; undefined after it, until there is an answer. */
  let line = Buffer.alloc(0);
  client.on("data", (chunk) => {
    let bytes = chunk;
    if (line !== undefined) {
      bytes = line.length === 0 ? chunk : Buffer.concat([line, chunk]);
      const waits = isPart(bytes);
      line = waits ? bytes : undefined;
      if (waits) return;
      bytes = escaped(bytes);
    }
    if (!runtime.write(bytes)) client.pause();
  });
  client.on("end", () => runtime.end());
  runtime.on("drain", () => client.resume());
  runtime.on("data", () => (line ??= Buffer.alloc(0)));
  runtime.pipe(client);
  // Whoever breaks off ends it for both.
  runtime.on("error", () => client.destroy());
  runtime.on("close", () => client.destroySoon());
  client.on("close", () => runtime.destroy());
}

/** @param {Buffer} bytes */
function isPart(bytes) {
  return bytes.length < LINE_BYTES && !bytes.includes("\n") && PART_OF_LINE.test(bytes.toString("latin1"));
}

/** @param {NonSharedBuffer} bytes what begins with the first line of a request, or is the rest of a body */
function escaped(bytes) {
  const end = bytes.indexOf("\n");
  const line = bytes.toString("latin1", 0, end === -1 ? 0 : end);
  if (line.search(REFUSED) === -1 || !REQUEST_LINE.test(line)) return bytes;
  const mended = line.replace(REFUSED, (character) => encodeURIComponent(character));
  return Buffer.concat([Buffer.from(mended, "latin1"), bytes.subarray(end)]);
}
