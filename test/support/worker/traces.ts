import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { usedObjects } from "./objects.ts";

/** Every row of a database, table by table. */
async function rowsOf(database: D1Database): Promise<[table: string, row: string][]> {
  const { results } = await database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND NOT name GLOB '_cf_*'`)
    .all<{ name: string }>();
  const tables = await database.batch(results.map(({ name }) => database.prepare(`SELECT * FROM "${name}"`)));
  return tables.flatMap(({ results: rows }, index) =>
    rows.map((row): [string, string] => [results[index]?.name ?? "", JSON.stringify(row)]),
  );
}

/** Every row that the objects of a class have stored. */
async function objectRows(namespace: DurableObjectNamespace): Promise<[table: string, row: string][]> {
  const rows = await Promise.all(
    usedObjects(namespace).map((stub) =>
      runInDurableObject(stub, (_object, { storage: { sql } }) => {
        const tables = sql.exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 4) <> '_cf_'",
        );
        return tables
          .toArray()
          .flatMap(({ name }) =>
            [...sql.exec(`SELECT * FROM "${name}"`)].map((row): [string, string] => [
              name,
              JSON.stringify(row),
            ]),
          );
      }),
    ),
  );
  return rows.flat();
}

/** Places of a text in any database, object or bucket, in any case: `<store>.<table>: <row>`. */
export async function tracesOf(text: string): Promise<string[]> {
  const stores: readonly (readonly [string, Promise<[string, string][]>])[] = [
    ["catalog", rowsOf(env.CATALOG)],
    ["search", rowsOf(env.SEARCH)],
    ["patrons", rowsOf(env.PATRONS)],
    ["patron", objectRows(env.PATRON)],
    ["loan-desk", objectRows(env.LOAN_DESK)],
    ["throttle", objectRows(env.THROTTLE)],
    ["edit-desk", objectRows(env.EDIT_DESK)],
    ["change-feed", objectRows(env.CHANGE_FEED)],
    ["archive", filesOf(env.ARCHIVE)],
    ["cache", keysOf(env.CACHE)],
  ];
  const wanted = text.toLowerCase();
  const all = await Promise.all(stores.map(async ([store, rows]) => ({ store, rows: await rows })));
  return all.flatMap(({ store, rows }) =>
    rows
      .filter(([, row]) => row.toLowerCase().includes(wanted))
      .map(([table, row]) => `${store}.${table}: ${row}`),
  );
}

async function filesOf(bucket: R2Bucket): Promise<[string, string][]> {
  const { objects } = await bucket.list();
  return Promise.all(
    objects.map(async ({ key }): Promise<[string, string]> => [
      key,
      key + (await (await bucket.get(key))?.text()),
    ]),
  );
}

async function keysOf(namespace: KVNamespace): Promise<[string, string][]> {
  const { keys } = await namespace.list();
  return Promise.all(
    keys.map(async ({ name }): Promise<[string, string]> => [name, name + (await namespace.get(name))]),
  );
}
