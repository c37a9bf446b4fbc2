import { Socket } from "node:net";
import type { Client, QueryResult } from "pg";
import type { Statement } from "./statement.ts";

/**
 * The database cannot be had: not connected, or the connection broke off. Its message begins with this class's word, since
 * that is all that is left of an error which an object throws.
 */
class PostgresUnavailable extends Error {
  /** False where nothing can have happened. */
  readonly isSent: boolean;

  constructor(what: string, cause: unknown, { isSent = true }: { readonly isSent?: boolean } = {}) {
    super(`POSTGRES_UNAVAILABLE: ${what}: ${String(cause)}`, { cause });
    this.isSent = isSent;
  }
}

/** True for an error that the server told, with an SQLSTATE. */
function isServerError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && /^[0-9A-Z]{5}$/.test(String(error.code));
}

/** Somebody else was faster, and all of the transaction is undone: a serialization failure, a deadlock. */
const LOST_RACE = /^40/;
/** The server is going, starting, full, or no longer the one that takes changes; or it has given a statement up. */
const UNAVAILABLE = /^(?:08|53|57|25006)/;

/** An error of the server as it is told: PostgresUnavailable where it is none of the statement. */
export function toReportedFailure(error: unknown): unknown {
  return isServerError(error) && UNAVAILABLE.test(error.code)
    ? new PostgresUnavailable("the server", error)
    : error;
}

/** Whether a transaction may be tried again, so that nothing is done twice. */
export function isRepeatable(error: unknown, isChange: boolean): boolean {
  if (isServerError(error)) return LOST_RACE.test(error.code);
  return error instanceof PostgresUnavailable && (!isChange || !error.isSent);
}

/** For how long a connection that nobody uses is kept, in milliseconds. */
const IDLE_MS = 200;
/** How long the database may take to answer a new connection, in milliseconds. */
const CONNECT_MS = 10_000;

/** What columns hold, by the number of their type: numbers as SQLite has them. Everything else is the text that was sent. */
const READERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => Number(text === "t"),
  20: Number,
  21: Number,
  23: Number,
  700: Number,
  701: Number,
  1700: Number,
};
const TYPES = { getTypeParser: (type: number) => READERS[type] ?? String };

/** What stands for U+0000, which PostgreSQL has in no text: nothing that is stored has it either. */
const NO_CHARACTER = "\uFFFF";
const BIGINT_MAX = 2n ** 63n - 1n;

/** A value as PostgreSQL takes it: a number beyond 64 bits, or without end, is the last one before. */
function toParameter(value: Statement["values"][number]): string | number | null {
  if (typeof value === "string") return value.replaceAll("\0", NO_CHARACTER);
  if (typeof value !== "number" || Math.abs(value) < Number(BIGINT_MAX)) return value;
  return String(value > 0 ? BIGINT_MAX : -BIGINT_MAX);
}

/** The package, once somebody has needed it: only a service whose catalog is there does. */
let clientClass: typeof Client | undefined;

/**
 * The connection of one request or object: the runtime lets nobody use that of another. It is made when something is
 * sent, and closed when nothing is under way any more.
 */
export class Connection {
  private client: Promise<Client> | undefined;
  private running = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly address: Pick<Hyperdrive, "connectionString">) {}

  /**
   * Sends statements in one piece and resolves to their results; a round trip, however many they are. Rejects with what the
   * server said to the first that failed, or with PostgresUnavailable.
   */
  async send(statements: readonly Statement[]): Promise<QueryResult[]> {
    this.running += 1;
    clearTimeout(this.idle);
    try {
      const client = await this.connected();
      const outcomes = await Promise.allSettled(
        statements.map(({ sql, values }) =>
          client.query({ text: sql, values: values.map(toParameter), types: TYPES }),
        ),
      );
      return outcomes.map((outcome) => {
        if (outcome.status === "fulfilled") return outcome.value;
        const error: unknown = outcome.reason;
        throw isServerError(error) ? error : new PostgresUnavailable("the connection broke off", error);
      });
    } finally {
      this.running -= 1;
      if (this.running === 0) this.idle = setTimeout(() => this.close(), IDLE_MS);
    }
  }

  private connected(): Promise<Client> {
    if (this.client !== undefined) return this.client;
    const client = this.connect(() => {
      if (this.client === client) this.client = undefined;
    });
    return (this.client = client);
  }

  private async connect(lost: () => void): Promise<Client> {
    clientClass ??= (await import("pg")).Client;
    const { connectionString } = this.address;
    const client = new clientClass({
      connectionString,
      pipeline: true,
      connectionTimeoutMillis: CONNECT_MS,
      stream: () => new Socket(),
    });
    client.on("error", lost);
    client.on("end", lost);
    try {
      await client.connect();
    } catch (error) {
      lost();
      throw new PostgresUnavailable("no connection", error, { isSent: false });
    }
    return client;
  }

  private close(): void {
    const { client } = this;
    this.client = undefined;
    // What has failed is closed.
    void client?.then((one) => one.end()).catch(() => {});
  }
}
