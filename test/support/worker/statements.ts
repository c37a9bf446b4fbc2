/** A database that notes the SQL of every statement prepared on it or on one of its sessions. */
export interface CountedDatabase {
  readonly database: D1Database;
  readonly statements: string[];
  /** Number of statements in each batch. */
  readonly batches: number[];
}

/** Counts round trips to the database; a batch is one. */
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

/** Count of sequential round trips: statements sent before a response arrives go together. */
export interface Waves {
  count: number;
  /** Wraps a database or session of it. */
  of<Target extends D1Database | D1DatabaseSession>(target: Target): Target;
}

/** Counts waves over several databases. Statements that run together count once. */
export function countedWaves(): Waves {
  const waves: Waves = { count: 0, of };
  let answered = 0;
  const asked = async (ask: () => unknown): Promise<unknown> => {
    const own = answered + 1;
    waves.count = Math.max(waves.count, own);
    const answer = await ask();
    answered = Math.max(answered, own);
    return answer;
  };
  const statement = (target: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(target, {
      get: (one, name) => {
        if (name === "bind") return (...values: unknown[]) => statement(one.bind(...values));
        const member: unknown = Reflect.get(one, name, one);
        if (typeof member !== "function") return member;
        return (...values: unknown[]) => asked(() => Reflect.apply(member, one, values));
      },
    });
  function of<Target extends D1Database | D1DatabaseSession>(target: Target): Target {
    return new Proxy(target, {
      get: (one, name) => {
        if (name === "prepare") return (sql: string) => statement(one.prepare(sql));
        const member: unknown = Reflect.get(one, name, one);
        if (typeof member !== "function") return member;
        if (name === "batch")
          return (...values: unknown[]) => asked(() => Reflect.apply(member, one, values));
        return (...values: unknown[]) => {
          const result: unknown = Reflect.apply(member, one, values);
          // A session is the only thing that `withSession` gives back.
          return name === "withSession" ? of(result as D1DatabaseSession) : result;
        };
      },
    });
  }
  return waves;
}
