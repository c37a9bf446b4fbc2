import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { HOST } from "../../../scripts/lib/runtime.ts";

/** Types of messages (https://www.postgresql.org/docs/15/protocol-message-formats.html). */
const [QUERY, SYNC, TERMINATE, READY] = [0x51, 0x53, 0x58, 0x5a];
/** Transaction status of a server that is ready, outside a transaction. */
const NONE = 0x49;
/** Code of the first message of a client that asks for encryption. */
const SSL_REQUEST = 80_877_103;
/** Connections to one database. */
const CONNECTIONS = 40;

/** Takes whole messages out of what comes in pieces; they have a type but for those that a client begins with. */
function reader(hasType: () => boolean, take: (message: Buffer) => void): (piece: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    rest = Buffer.concat([rest, piece]);
    for (;;) {
      const head = Number(hasType());
      const end = rest.length < head + 4 ? Infinity : head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      take(message);
    }
  };
}

/** A connection to the server: of one client, from its first message until the server has answered all of them. */
interface Backend {
  readonly socket: Socket;
  client: Socket | undefined;
  /** Number of "ready" messages that the server still has to send. */
  running: number;
  /** True if the client has more to send before the server gets ready. */
  isMidway: boolean;
}

/** A client that waits for a connection, and its callback. */
interface Waiting {
  readonly client: Socket;
  readonly use: (backend: Backend) => void;
}

/** Connections to a database, as one user. */
class Backends {
  private unused: Backend[] = [];
  private waiting: Waiting[] = [];
  private count = 0;
  private readonly greeted = Promise.withResolvers<Buffer>();
  /** First messages of the server to a new connection. */
  readonly greeting = this.greeted.promise;

  constructor(
    private readonly port: number,
    private readonly login: Buffer,
  ) {
    this.add();
  }

  take(next: Waiting): void {
    const backend = this.unused.pop();
    if (backend !== undefined) return next.use(backend);
    this.waiting.push(next);
    if (this.count < CONNECTIONS) this.add();
  }

  private add(): void {
    this.count += 1;
    const socket = net.connect({ port: this.port, host: HOST, noDelay: true });
    const backend: Backend = { socket, client: undefined, running: 1, isMidway: false };
    const greeting: Buffer[] = [];
    let isGreeted = false;
    const read = reader(
      () => true,
      (message) => {
        if (!isGreeted) greeting.push(message);
        backend.client?.write(message);
        if (message[0] !== READY) return;
        isGreeted = true;
        this.greeted.resolve(Buffer.concat(greeting));
        backend.running -= 1;
        if (backend.running === 0 && !backend.isMidway && message[5] === NONE) this.leave(backend);
      },
    );
    socket.on("data", read);
    socket.on("error", () => {});
    socket.on("close", () => {
      this.count -= 1;
      this.unused = this.unused.filter((one) => one !== backend);
      backend.client?.destroy();
      this.waiting = this.waiting.filter(({ client }) => !client.destroyed);
      // A server that takes no more connections gives none to those who wait either.
      if (!isGreeted) for (const { client } of this.waiting.splice(0)) client.destroy();
      else if (this.waiting.length > 0) this.add();
    });
    socket.write(this.login);
  }

  private leave(backend: Backend): void {
    backend.client = undefined;
    this.waiting = this.waiting.filter(({ client }) => !client.destroyed);
    const next = this.waiting.shift();
    if (next === undefined) this.unused.push(backend);
    else next.use(backend);
  }
}

/** Hands on what a client sends. */
function serve(client: Socket, backendsOf: (login: Buffer) => Backends): void {
  let backends: Backends | undefined;
  let backend: Backend | undefined;
  /** Messages that wait for a connection. */
  let queued: Buffer[] | undefined;
  const send = (to: Backend, message: Buffer): void => {
    const isWhole = message[0] === SYNC || message[0] === QUERY;
    to.isMidway = !isWhole;
    to.running += Number(isWhole);
    to.socket.write(message);
  };
  const take = (message: Buffer): void => {
    if (backends === undefined) {
      if (message.readUInt32BE(4) === SSL_REQUEST) return void client.write("N");
      backends = backendsOf(message);
      return void backends.greeting.then((greeting) => client.write(greeting));
    }
    if (message[0] === TERMINATE) return void client.end();
    if (backend?.client === client) return send(backend, message);
    if (queued !== undefined) return void queued.push(message);
    queued = [message];
    const use = (found: Backend): void => {
      backend = found;
      found.client = client;
      const messages = queued ?? [];
      queued = undefined;
      for (const one of messages) send(found, one);
    };
    backends.take({ client, use });
  };
  client.on(
    "data",
    reader(() => backends !== undefined, take),
  );
  client.on("error", () => {});
  client.on("close", () => {
    if (backend?.client === client) backend.socket.destroy();
  });
}

/**
 * Shares connections to a PostgreSQL, as Hyperdrive does: a new one costs more than most of what a request asks. Nothing may
 * be left in a session that a transaction does not end.
 * @returns the address to call in place of `url`
 */
export async function poolBefore(url: string): Promise<{ url: string; close: () => void }> {
  const address = new URL(url);
  const port = Number(address.port);
  const all = new Map<string, Backends>();
  const pool = net.createServer({ noDelay: true }, (client) =>
    serve(client, (login) => {
      const name = login.toString("latin1");
      const backends = all.get(name) ?? new Backends(port, login);
      all.set(name, backends);
      return backends;
    }),
  );
  pool.listen(0, HOST);
  await once(pool, "listening");
  // A server on a port has such an address.
  address.port = String((pool.address() as AddressInfo).port);
  return { url: address.href, close: () => pool.close() };
}
