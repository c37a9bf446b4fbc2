/** A database that notes the SQL of every statement prepared on it or on one of its sessions. */
export interface CountedDatabase {
  readonly database: D1Database;
  readonly statements: string[];
}

/** Wraps a database. Every statement of the service is prepared once for each time that it runs. */
export function countedDatabase(database: D1Database): CountedDatabase {
  const statements: string[] = [];
  return { database: counting(database, statements), statements };
}

function counting<Target extends D1Database | D1DatabaseSession>(
  target: Target,
  statements: string[],
): Target {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== "function") return member;
      return (...values: unknown[]): unknown => {
        if (name === "prepare") statements.push(String(values[0]));
        const result: unknown = Reflect.apply(member, of, values);
        // A session is the only thing that `withSession` gives back.
        return name === "withSession" ? counting(result as D1DatabaseSession, statements) : result;
      };
    },
  });
}
