/** Counts what a database returns. */
export interface ReadBytes {
  /** Length of all texts in returned rows, in UTF-16 units. */
  count: number;
  of(database: D1Database): D1Database;
}

/** Makes a counter over all databases that it wraps. */
export function countReadBytes(): ReadBytes {
  const bytes: ReadBytes = { count: 0, of: (database) => wrap(database) };
  const add = (answer: unknown): void => {
    if (Array.isArray(answer)) answer.forEach(add);
    else if (typeof answer === "string") bytes.count += answer.length;
    else if (typeof answer === "object" && answer !== null) Object.values(answer).forEach(add);
  };
  const wrap = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name, of);
        if (typeof member !== "function") return member;
        return (...values: unknown[]): unknown => {
          const result: unknown = Reflect.apply(member, of, values);
          // Of statements and sessions.
          if (name === "prepare" || name === "bind" || name === "withSession") return wrap(result as object);
          if (!(result instanceof Promise)) return result;
          return result.then((answer: unknown) => (add(answer), answer));
        };
      },
    });
  return bytes;
}
