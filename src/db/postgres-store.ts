import type { QueryResult } from "pg";
import { toPostgres } from "./postgres-sql.ts";
import type { Database, Prepared, Result, DatabaseSession, Statement, Store } from "./statement.ts";
import { type Connection, isRepeatable, toReportedFailure } from "./postgres-connection.ts";

/** Connections for reads and writes; `near` may lag behind. */
interface Connections {
  readonly near: Connection;
  readonly primary: Connection;
}

/** Maximum attempts of a transaction, and the wait that grows with each attempt, in milliseconds. */
const ATTEMPTS = 3;
const WAIT_MS = 20;

/** Pattern of statements that change rows. SQL keywords are in capitals, unlike words in texts. */
const CHANGING = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\b/;

const commandOf = (sql: string): Statement => ({ sql, values: [] });
/** All statements of a read see one snapshot. */
const BEGIN_READ = commandOf("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
/**
 * Allows one writer at a time, like D1: each statement after the second sees all committed writes, numbers of changes
 * have no gaps, and readers of a change see all changes before it.
 */
const BEGIN_CHANGE = [
  commandOf("BEGIN ISOLATION LEVEL READ COMMITTED"),
  commandOf("SELECT 1 FROM carrel.writer FOR UPDATE"),
];
const NEWEST_CHANGE = commandOf("SELECT max(id) AS change FROM change");
const COMMIT = commandOf("COMMIT");

/** Creates a catalog in PostgreSQL. */
export function createPostgresStore(places: Connections): Store {
  return new PostgresDatabase(places.primary, places.primary, places);
}

class PostgresDatabase implements Store, DatabaseSession {
  private newest: string | null = null;

  constructor(
    private reads: Connection,
    private readonly changes: Connection,
    private readonly places: Connections,
  ) {}

  prepare(sql: string): BoundStatement {
    return new BoundStatement(this, commandOf(sql));
  }

  async batch<Row>(statements: readonly Prepared[]): Promise<Result<Row>[]> {
    const unbound = statements.map((statement) => {
      if (statement instanceof BoundStatement) return statement.statement;
      throw new Error("a statement of another database");
    });
    return (await this.perform(unbound)).map((result) => toResult<Row>(result));
  }

  withSession(from: string): PostgresDatabase {
    const { near, primary } = this.places;
    // Clients with a bookmark have made a change, or were referred to one.
    return new PostgresDatabase(from === "first-unconstrained" ? near : primary, primary, this.places);
  }

  getBookmark(): string | null {
    return this.newest;
  }

  async passNumbers(tables: readonly string[]): Promise<void> {
    // `setval` does nothing for tables that give out no numbers.
    const commands = tables.map((table) =>
      commandOf(
        `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table} HAVING max(id) > 0`,
      ),
    );
    await this.changes.send(commands);
  }

  private async perform(statements: readonly Statement[]): Promise<QueryResult[]> {
    const isChange = statements.some(({ sql }) => CHANGING.test(sql));
    const printed = statements.map(({ sql, values }) => ({ sql: toPostgres(sql), values }));
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await (isChange ? this.change(printed) : this.read(printed));
      } catch (error) {
        if (attempt === ATTEMPTS || !isRepeatable(error, isChange)) throw toReportedFailure(error);
        await scheduler.wait(attempt * WAIT_MS);
      }
    }
  }

  private async read(statements: readonly Statement[]): Promise<QueryResult[]> {
    // A single statement is a transaction of its own.
    if (statements.length === 1) return this.reads.send(statements);
    return (await this.reads.send([BEGIN_READ, ...statements, COMMIT])).slice(1, -1);
  }

  private async change(statements: readonly Statement[]): Promise<QueryResult[]> {
    const results = await this.changes.send([...BEGIN_CHANGE, ...statements, NEWEST_CHANGE, COMMIT]);
    this.newest = String(results.at(-2)?.rows[0]?.change ?? 0);
    // Later reads must see this change.
    this.reads = this.changes;
    return results.slice(BEGIN_CHANGE.length, -2);
  }
}

class BoundStatement implements Prepared {
  constructor(
    private readonly database: Database,
    readonly statement: Statement,
  ) {}

  bind(...values: Statement["values"]): BoundStatement {
    return new BoundStatement(this.database, { ...this.statement, values });
  }

  async all<Row>(): Promise<Result<Row>> {
    const [result] = await this.database.batch<Row>([this]);
    if (result === undefined) throw new Error("a statement without a result");
    return result;
  }

  async first<Row>(): Promise<Row | null> {
    return (await this.all<Row>()).results[0] ?? null;
  }

  run(): Promise<Result> {
    return this.all();
  }
}

function toResult<Row>({ rows, rowCount, command: done }: QueryResult): Result<Row> {
  // The row type is determined by the statement, as everywhere.
  return { results: rows as Row[], meta: { changes: done === "SELECT" ? 0 : (rowCount ?? 0) } };
}
