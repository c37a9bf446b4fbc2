/** A database that is read from a copy near the reader, which is as old as the last call of `catchUp`. */
export interface Replica {
  readonly near: D1Database;
  catchUp(): Promise<void>;
}

const OBJECTS = `
  SELECT type, name, sql FROM sqlite_master
  WHERE type IN ('table', 'index') AND sql NOT LIKE 'CREATE VIRTUAL%'
    AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'd1_*'
  ORDER BY type DESC`;

/** Copies a database without its triggers. Sessions that may read from any replica read the copy. */
export async function openReplica(primary: D1Database, copy: D1Database): Promise<Replica> {
  const read = () => primary.prepare(OBJECTS).all<{ type: string; name: string; sql: string }>();
  const objects = (await read()).results.filter(({ sql }) => sql !== null);
  const tables = objects.filter(({ type }) => type === "table").map(({ name }) => name);
  await copy.batch([
    copy.prepare("PRAGMA defer_foreign_keys = true"),
    ...tables.map((name) => copy.prepare(`DROP TABLE IF EXISTS ${name}`)),
    ...objects.map(({ sql }) => copy.prepare(sql)),
  ]);
  const catchUp = async (): Promise<void> => {
    const results = await primary.batch<Record<string, unknown>>(
      tables.map((name) => primary.prepare(`SELECT * FROM ${name}`)),
    );
    await copy.batch([
      copy.prepare("PRAGMA defer_foreign_keys = true"),
      ...tables.map((name) => copy.prepare(`DELETE FROM ${name}`)),
      ...tables.flatMap((name, at) => insertsOf(copy, name, results[at]?.results ?? [])),
    ]);
  };
  await catchUp();
  const near = new Proxy(primary, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name !== "withSession") return member.bind(target);
      return (from: string) =>
        from === "first-unconstrained" ? readOnly(copy.withSession(from)) : target.withSession(from);
    },
  });
  return { near, catchUp };
}

function insertsOf(
  database: D1Database,
  table: string,
  rows: readonly Record<string, unknown>[],
): D1PreparedStatement[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const values = columns.map((_name, at) => `value->>${at}`).join(", ");
  const sql = `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values} FROM json_each(?1)`;
  return [database.prepare(sql).bind(JSON.stringify(rows.map((row) => Object.values(row))))];
}

/** The platform sends writes of such a session to the primary database. No code of the service relies on that. */
function readOnly(session: D1DatabaseSession): D1DatabaseSession {
  return new Proxy(session, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name !== "prepare") return member.bind(target);
      return (sql: string) => {
        if (!/^\s*(?:SELECT|WITH)\b/i.test(sql)) throw new Error(`a write to a replica: ${sql}`);
        return target.prepare(sql);
      };
    },
  });
}
