import { Socket } from "node:net";
import type { Client, QueryResult } from "pg";
import type { Statement } from "./statement.ts";

/**
 * Error thrown if the database is unavailable: no connection, or a broken one. The message starts with a fixed word,
 * because only the message of an error survives a call to a Durable Object.
 */
class PostgresUnavailable extends Error {
  /** False if the statements cannot have run. */
  readonly isSent: boolean;

  constructor(what: string, cause: unknown, { isSent = true }: { isSent?: boolean } = {}) {
    super(`POSTGRES_UNAVAILABLE: ${what}: ${String(cause)}`, { cause });
    this.isSent = isSent;
  }
}

function isServerError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && /^[0-9A-Z]{5}$/.test(String(error.code));
}

/** SQLSTATE of a transaction that was rolled back because of another one: serialization failure, deadlock. */
const LOST_RACE = /^40/;
/** SQLSTATE of a server that shuts down, starts, is full, or no longer accepts writes; or of a cancelled statement. */
const UNAVAILABLE = /^(?:08|53|57|25006)/;

/** Converts a server error to `PostgresUnavailable` unless it is an error of the statement. */
export function toReportedFailure(error: unknown): unknown {
  return isServerError(error) && UNAVAILABLE.test(error.code)
    ? new PostgresUnavailable("the server", error)
    : error;
}

/** Returns true if a transaction can be repeated without running twice. */
export function isRepeatable(error: unknown, isChange: boolean): boolean {
  if (isServerError(error)) return LOST_RACE.test(error.code);
  return error instanceof PostgresUnavailable && (!isChange || !error.isSent);
}

/** Time in milliseconds after which an idle connection is closed. */
const IDLE_MS = 200;
/** Time limit for a new connection, in milliseconds. */
const CONNECT_MS = 10_000;

/** Parsers of column values by type OID: numbers as SQLite returns them. All other values stay text. */
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

/** Replacement for U+0000, which PostgreSQL text cannot contain. Stored values never contain it. */
const NO_CHARACTER = "\uFFFF";
const BIGINT_MAX = 2n ** 63n - 1n;

/**
 * Converts a value to a PostgreSQL parameter. Numbers beyond 64 bits and infinities become the nearest valid number.
 */
function toParameter(value: Statement["values"][number]): string | number | null {
  if (typeof value === "string") return value.replaceAll("\0", NO_CHARACTER);
  if (typeof value !== "number" || Math.abs(value) < Number(BIGINT_MAX)) return value;
  return String(value > 0 ? BIGINT_MAX : -BIGINT_MAX);
}

/** Client class, imported on first use: only a service with a PostgreSQL catalog needs the package. */
let clientClass: typeof Client | undefined;

/**
 * Connection of one request or object, because the runtime does not share sockets between requests. Opened with the
 * first statement, and closed when idle.
 */
export class Connection {
  private client: Promise<Client> | undefined;
  private running = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly address: Pick<Hyperdrive, "connectionString">) {}

  /**
   * Sends statements as one pipeline, in a single round trip, and resolves to their results. Rejects with the server's
   * error for the first failed statement, or with `PostgresUnavailable`.
   */
  async send(statements: readonly Statement[]): Promise<QueryResult[]> {
    this.running += 1;
    clearTimeout(this.idle);
    try {
      const client = await this.connectOnce();
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

  private connectOnce(): Promise<Client> {
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
    // A failed connection is closed already.
    void client?.then((connection) => connection.end()).catch(() => {});
  }
}
