import { applyD1Migrations, listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { emptyQueues } from "./queues.ts";
import type { TestService } from "./service.ts";

/** Empties all stores and queues, as if nothing had been loaded yet. */
export async function emptyStores(): Promise<void> {
  await emptyQueues();
  await wakeStores();
  await reset();
  await applyD1Migrations(env.CATALOG, env.MIGRATIONS.catalog);
  await applyD1Migrations(env.SEARCH, env.MIGRATIONS.search);
  await applyD1Migrations(env.PATRONS, env.MIGRATIONS.patrons);
}

/** Asks every store something: `reset` passes over those that the runtime has put to sleep, after ten idle seconds. */
async function wakeStores(): Promise<void> {
  const namespaces = Object.values(env).filter(isNamespace);
  await Promise.all([
    ...[env.CATALOG, env.SEARCH, env.PATRONS].map((database) => database.prepare("SELECT 1").run()),
    env.CACHE.get("any"),
    env.COVERS.head("any"),
    env.ARCHIVE.head("any"),
    caches.default.match("http://any.test/"),
    ...namespaces.map(async (namespace) => {
      const ids = await listDurableObjectIds(namespace);
      await Promise.all(ids.map((id) => runInDurableObject(namespace.get(id), () => {})));
    }),
  ]);
}

function isNamespace(binding: unknown): binding is DurableObjectNamespace {
  return Object(binding).constructor.name === "DurableObjectNamespace";
}

/** Every index row, with the key of its record in place of the record's number. */
export async function indexRows(): Promise<string[]> {
  const statements = [
    "SELECT 'property' AS part, p.name, p.value, r.key FROM property p LEFT JOIN record r ON r.id = p.record_id",
    `SELECT 'identifier' AS part, i.kind, i.value, r.key
     FROM identifier i LEFT JOIN record r ON r.id = i.edition_id`,
    `SELECT 'language' AS part, l.language, w.key AS work, r.key, l.open, l.ocaid FROM edition_language l
     LEFT JOIN record r ON r.id = l.edition_id LEFT JOIN record w ON w.id = l.work_id`,
  ];
  const results = await env.CATALOG.batch(statements.map((sql) => env.CATALOG.prepare(sql)));
  return results.flatMap(({ results: rows }) => rows.map((row) => JSON.stringify(row))).toSorted();
}

/** The highest number of every sequence but that of records without a number in their key. */
export async function sequences(): Promise<Record<string, number>> {
  const sql = "SELECT name, value FROM sequence WHERE name <> 'record' ORDER BY name";
  const { results } = await env.CATALOG.prepare(sql).all<{ name: string; value: number }>();
  return Object.fromEntries(results.map(({ name, value }) => [name, value]));
}

/** Every revision of the records, newest first, as readers get it. */
export async function revisionsOf(service: TestService, keys: readonly string[]): Promise<unknown> {
  const all: Record<string, unknown> = {};
  for (const key of keys) {
    const history = Object(await service.json(`${key}.json?m=history&limit=1000`));
    const documents = [];
    for (const { revision, created } of history) {
      documents.push([revision, created, await service.json(`${key}.json?v=${revision}`)]);
    }
    all[key] = [await service.json(`${key}.json`), documents];
  }
  return all;
}
