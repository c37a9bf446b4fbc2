import { env } from "cloudflare:workers";
import { type Attempt, attemptSave } from "../../../src/db/changes/save/attempt.ts";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { NOW, user } from "./desk.ts";

interface Options {
  readonly expected?: Readonly<Record<string, number>>;
  /** What others do between the reading and the writing of the attempt. */
  readonly between?: () => Promise<unknown>;
}

/** One attempt of an administrator to save documents, and how many batches it took. */
export async function attempted(
  documents: readonly CatalogRecord[],
  { expected = {}, between }: Options = {},
): Promise<{ attempt: Attempt; trips: number }> {
  let trips = 0;
  const beforeTrip = async (): Promise<void> => {
    trips += 1;
    if (trips === 2) await between?.();
  };
  const writer = user("admin");
  const attempt = await attemptSave(
    { catalog: watched(env.CATALOG, beforeTrip), prefix: "OL", time: () => NOW },
    {
      request: { writer, kind: "update", comment: null, data: "{}", now: NOW },
      writer,
      documents,
      expected,
      given: new Set(),
      ids: new Map(),
    },
  );
  return { attempt, trips };
}

/** The database itself, which tells before each batch and each statement run alone. */
function watched<Target extends object>(target: Target, beforeTrip: () => Promise<void>): Target {
  return new Proxy(target, {
    get(on, name) {
      const value: unknown = Reflect.get(on, name, on);
      if (typeof value !== "function") return value;
      if (name === "withSession") return (how: string) => watched(value.call(on, how), beforeTrip);
      if (name === "batch") return async (all: unknown) => (await beforeTrip(), value.call(on, all));
      return value.bind(on);
    },
  });
}
