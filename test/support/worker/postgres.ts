import { env } from "cloudflare:workers";
import { catalogOf } from "../../../src/db/catalog.ts";
import { Connection } from "../../../src/db/postgres-connection.ts";
import type { Database, Prepared, Store } from "../../../src/db/statement.ts";

type Unbound = ReturnType<Database["prepare"]>;
type Row = Record<string, unknown>;

/** Statement of a D1, as tests ask it. */
class Asked {
  constructor(readonly of: Unbound & Partial<Prepared>) {}

  bind(...values: Parameters<Unbound["bind"]>): Asked {
    return new Asked(this.of.bind(...values) as Prepared & Unbound);
  }

  all = () => this.bound().all<Row>();
  run = () => this.bound().run();

  async first(column?: string): Promise<unknown> {
    const row = await this.bound().first<Row>();
    return row === null || column === undefined ? row : row[column];
  }

  async raw(): Promise<unknown[][]> {
    return (await this.all()).results.map((row) => Object.values(row));
  }

  private bound(): Prepared {
    return this.of.all === undefined ? this.of.bind() : (this.of as Prepared);
  }
}

/**
 * A catalog in PostgreSQL with the members of a D1 that tests use. Each call has a connection of its own: what a file begins
 * with, and its tests, are different requests.
 */
function asD1(): D1Database {
  const database = (of: () => Database) => ({
    prepare: (sql: string) => new Asked(of().prepare(sql)),
    batch: (asked: readonly Asked[]) => of().batch(asked.map((one) => one.of as unknown as Prepared)),
    exec: (sql: string) => of().prepare(sql).bind().run(),
    withSession(from: string) {
      const session = ownPostgres().withSession(from);
      return { ...database(() => session), getBookmark: () => session.getBookmark() };
    },
  });
  return database(() => ownPostgres()) as unknown as D1Database;
}

/** True when the tests run on a catalog in PostgreSQL. */
export const isPostgres = env.CATALOG_POSTGRES !== undefined;

const bindings = { ...env };

/** The catalog, over a connection of its own. */
export function ownPostgres(more: { readonly CATALOG_NEAR?: Hyperdrive } = {}): Store {
  return catalogOf({ ...bindings, ...more });
}

/** Lets tests, and services that they start, find the PostgreSQL where the D1 would be. */
export function useCatalogOfPostgres(): void {
  Object.assign(env, { CATALOG: asD1(), CATALOG_POSTGRES: undefined });
}

const statement = (sql: string, ...values: string[]) => ({ sql, values });
let kept: readonly (readonly [table: string, rows: string])[] | undefined;

/** Leaves in the catalog what the migrations put there. */
export async function emptyPostgres(): Promise<void> {
  const connection = new Connection(bindings.CATALOG_POSTGRES as Hyperdrive);
  kept ??= await keptRows(connection);
  await connection.send([
    statement(`TRUNCATE ${kept.map(([table]) => table).join(", ")} RESTART IDENTITY`),
    ...kept.map(([table, rows]) =>
      statement(
        `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::public.${table}, $1)`,
        rows,
      ),
    ),
  ]);
}

async function keptRows(from: Connection): Promise<(readonly [string, string])[]> {
  const [tables] = await from.send([
    statement("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"),
  ]);
  const names: string[] = (tables?.rows ?? []).map(({ name }) => name);
  const all = await from.send(
    names.map((name) => statement(`SELECT coalesce(json_agg(t), '[]') AS rows FROM ${name} t`)),
  );
  return names.map((name, index) => [name, String(all[index]?.rows[0]?.rows)] as const);
}
