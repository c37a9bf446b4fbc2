import { env } from "cloudflare:workers";
import { type SaveAttempt, attemptSave } from "../../../src/db/editing/save.ts";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { NOW, user } from "./desk.ts";

interface Options {
  readonly expected?: Readonly<Record<string, number>>;
  /** Runs between the reads and the writes of the attempt, for changes by others. */
  readonly between?: () => Promise<unknown>;
}

/** One attempt of an administrator to save documents, how many batches it took, and how many rows they read. */
export async function attempted(
  documents: readonly CatalogRecord[],
  { expected = {}, between }: Options = {},
): Promise<{ attempt: SaveAttempt; trips: number; rowsRead: number }> {
  const [counts, watch] = watching(between);
  const writer = user("admin");
  const attempt = await attemptSave(
    {
      catalog: watched(env.CATALOG, watch),
      prefix: "OL",
      time: () => NOW,
      lastNumbers: new Map(),
      mayRaise: true,
    },
    {
      request: { writer, kind: "update", comment: null, data: "{}", now: NOW },
      writer,
      documents,
      expected,
      assignedKeys: new Set(),
      ids: new Map(),
    },
  );
  return { attempt, ...counts };
}

interface Watch {
  before(): Promise<void>;
  after(results: readonly D1Result[]): void;
}

/** Counts, and does something between the first trip and the second. */
function watching(between: Options["between"]): [{ trips: number; rowsRead: number }, Watch] {
  const counts = { trips: 0, rowsRead: 0 };
  const watch: Watch = {
    async before() {
      counts.trips += 1;
      if (counts.trips === 2) await between?.();
    },
    after(results) {
      for (const { meta } of results) counts.rowsRead += meta.rows_read;
    },
  };
  return [counts, watch];
}

/** The database itself, which tells before and after each batch. */
function watched<Target extends object>(target: Target, watch: Watch): Target {
  return new Proxy(target, {
    get(on, name) {
      const value: unknown = Reflect.get(on, name, on);
      if (typeof value !== "function") return value;
      if (name === "withSession") return (how: string) => watched(value.call(on, how), watch);
      if (name !== "batch") return value.bind(on);
      return async (all: unknown) => {
        await watch.before();
        const results: D1Result[] = await value.call(on, all);
        watch.after(results);
        return results;
      };
    },
  });
}
