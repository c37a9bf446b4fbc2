// Carrel with a meter: everything that the platform charges for, by request and all that follows it.
import { env } from "cloudflare:workers";
import carrel, { MainSite as CarrelSite, Patron as CarrelPatron } from "../../src/worker/index.ts";
import { type Usage, METER_PATH } from "../lib/prices.ts";

export * from "../../src/worker/index.ts";

const usage: Usage = {
  requests: 0,
  rowsRead: 0,
  rowsWritten: 0,
  databaseCalls: 0,
  objectCalls: 0,
  messages: 0,
  cacheReads: 0,
  cacheWrites: 0,
};
/** Cursors know their rows once they are read. */
let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Replaces a method for all objects of the class of `one`. */
function wrap(one: object, name: string, around: (original: Method) => Method): void {
  const prototype = Object.getPrototypeOf(one) as Record<string, Method>;
  const original = prototype[name];
  if (original !== undefined) prototype[name] = around(original);
}

function noteResults(results: readonly D1Result[]): void {
  usage.databaseCalls += 1;
  for (const { meta } of results) {
    usage.rowsRead += meta.rows_read;
    usage.rowsWritten += meta.rows_written;
  }
}

const count = (one: object, names: readonly string[], member: keyof Usage) => {
  for (const name of names) {
    wrap(one, name, (original) => {
      return function counted(...values) {
        usage[member] += 1;
        return original.apply(this, values);
      };
    });
  }
};

const statement = env.CATALOG.prepare("SELECT 1");
for (const name of ["all", "run"]) {
  wrap(statement, name, (original) => {
    return async function noted(...values) {
      const result = (await original.apply(this, values)) as D1Result;
      noteResults([result]);
      return result;
    };
  });
}
// `first` does not return what it has read.
wrap(statement, "first", () => {
  return async function first() {
    const { results } = await (this as D1PreparedStatement).all();
    return results[0] ?? null;
  };
});
wrap(env.CATALOG.withSession(), "batch", (original) => {
  return async function noted(...values) {
    const results = (await original.apply(this, values)) as D1Result[];
    noteResults(results);
    return results;
  };
});
count(env.CACHE, ["get", "getWithMetadata"], "cacheReads");
count(env.CACHE, ["put", "delete"], "cacheWrites");
count(env.INDEX, ["send", "sendBatch"], "messages");
count(env.PATRON, ["get", "getByName"], "objectCalls");

let isPatched = false;

export class Patron extends CarrelPatron {
  constructor(context: DurableObjectState, bindings: Env) {
    if (!isPatched) {
      isPatched = true;
      wrap(context.storage.sql, "exec", (original) => {
        return function noted(...values) {
          const cursor = original.apply(this, values) as (typeof cursors)[number];
          cursors.push(cursor);
          return cursor;
        };
      });
      // An alarm is charged as a row.
      count(context.storage, ["setAlarm"], "rowsWritten");
    }
    super(context, bindings);
  }

  override async alarm(): Promise<void> {
    usage.objectCalls += 1;
    await super.alarm();
  }
}

/** Returns what is charged since the last call. */
function readMeter(): Usage {
  for (const { rowsRead, rowsWritten } of cursors) {
    usage.rowsRead += rowsRead;
    usage.rowsWritten += rowsWritten;
  }
  cursors = [];
  const read = { ...usage };
  for (const name of Object.keys(usage) as (keyof Usage)[]) usage[name] = 0;
  return read;
}

export const MainSite = {
  fetch(request, bindings, context) {
    if (new URL(request.url).pathname === METER_PATH) return Response.json(readMeter());
    usage.requests += 1;
    return CarrelSite.fetch(request, bindings, context);
  },
} satisfies ExportedHandler<Env>;

export default {
  ...carrel,
  queue(batch, bindings) {
    // A consumer is charged like a request.
    usage.requests += 1;
    return carrel.queue(batch, bindings);
  },
} satisfies ExportedHandler<Env>;
