/** A database that breaks: every statement or batch counts as a call. */
export interface BreakingDatabase {
  readonly database: D1Database;
  /** Calls so far. */
  calls: number;
  /** Fails with this call; 0: never. */
  failsAt: number;
  /** Fails calls whose SQL or values hold this text. */
  poison: string | undefined;
}

/** Wraps a database so that a test can make it fail in the middle of a piece of work. */
export function breakingDatabase(target: D1Database): BreakingDatabase {
  const state: BreakingDatabase = { database: target, calls: 0, failsAt: 0, poison: undefined };
  const texts = new WeakMap<D1PreparedStatement, string>();
  const call = (statements: readonly D1PreparedStatement[]): void => {
    state.calls += 1;
    if (state.calls === state.failsAt) throw new Error("broken on purpose");
    const { poison } = state;
    if (poison !== undefined && statements.some((one) => texts.get(one)?.includes(poison))) {
      throw new Error("poisoned");
    }
  };
  const statement = (of: D1PreparedStatement, text: string): D1PreparedStatement => {
    const wrapped = new Proxy(of, {
      get: (_target, name) => {
        if (name === "bind") {
          return (...values: unknown[]) => statement(of.bind(...values), text + JSON.stringify(values));
        }
        const member: unknown = Reflect.get(of, name, of);
        if (typeof member !== "function") return member;
        return async (...values: unknown[]): Promise<unknown> => {
          call([wrapped]);
          return Reflect.apply(member, of, values);
        };
      },
    });
    texts.set(wrapped, text);
    originals.set(wrapped, of);
    return wrapped;
  };
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const database = new Proxy(target, {
    get: (of, name) => {
      if (name === "prepare") return (sql: string) => statement(of.prepare(sql), sql);
      if (name !== "batch") return Reflect.get(of, name, of);
      return async (statements: D1PreparedStatement[]) => {
        call(statements);
        return of.batch(statements.map((one) => originals.get(one) ?? one));
      };
    },
  });
  return Object.assign(state, { database });
}
