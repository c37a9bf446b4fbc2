/** A database that notes the SQL of every statement prepared on it or on one of its sessions. */
export interface CountedDatabase {
  readonly database: D1Database;
  readonly statements: string[];
  /** Number of statements in each batch. */
  readonly batches: number[];
}

/** How often the database was asked: a batch goes there once. */
export function roundTrips({ statements, batches }: CountedDatabase): number {
  return statements.length - batches.reduce((sum, size) => sum + size - 1, 0);
}

/** Wraps a database. Every statement of the service is prepared once for each time that it runs. */
export function countedDatabase(database: D1Database): CountedDatabase {
  const noted = { statements: [], batches: [] };
  return { database: counting(database, noted), ...noted };
}

function counting<Target extends D1Database | D1DatabaseSession>(
  target: Target,
  noted: Pick<CountedDatabase, "statements" | "batches">,
): Target {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== "function") return member;
      return (...values: unknown[]): unknown => {
        if (name === "prepare") noted.statements.push(String(values[0]));
        if (name === "batch" && Array.isArray(values[0])) noted.batches.push(values[0].length);
        const result: unknown = Reflect.apply(member, of, values);
        // A session is the only thing that `withSession` gives back.
        return name === "withSession" ? counting(result as D1DatabaseSession, noted) : result;
      };
    },
  });
}
