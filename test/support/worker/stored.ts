import { env } from "cloudflare:workers";
import { passKeySecond } from "../../../src/db/edge-limits.ts";
import { emptyDatabases } from "./databases.ts";
import { emptyObjects } from "./objects.ts";
import { emptyQueues } from "./queues.ts";
import { emptyPostgres, isPostgres } from "./postgres.ts";
import { emptySolr } from "./solr.ts";
import type { TestService } from "./service.ts";

/** Addresses that were ever put into the edge cache, which has no list of them. */
const cached = new Set<string>();
const { put } = Cache.prototype;
Cache.prototype.put = function note(request, response) {
  cached.add(new Request(request).url);
  return put.call(this, request, response);
};

/** Empties all stores and queues, as if nothing had been loaded yet. */
export async function emptyStores(): Promise<void> {
  await emptyQueues();
  await emptyObjects();
  passKeySecond();
  await emptyDatabases();
  if (isPostgres) await emptyPostgres();
  if (env.SEARCH_ENGINE === "solr") await emptySolr();
  await Promise.all([emptyKeys(env.CACHE), emptyBucket(env.COVERS), emptyBucket(env.ARCHIVE), emptyCache()]);
}

async function emptyKeys(namespace: KVNamespace): Promise<void> {
  for (;;) {
    const { keys } = await namespace.list();
    if (keys.length === 0) return;
    await Promise.all(keys.map(({ name }) => namespace.delete(name)));
  }
}

async function emptyBucket(bucket: R2Bucket): Promise<void> {
  for (;;) {
    const { objects } = await bucket.list();
    if (objects.length === 0) return;
    await bucket.delete(objects.map(({ key }) => key));
  }
}

async function emptyCache(): Promise<void> {
  await Promise.all([...cached].map((address) => caches.default.delete(address)));
  cached.clear();
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

/** The highest number of every sequence of records but that of those without a number in their key. */
export async function sequences(): Promise<Record<string, number>> {
  const sql = "SELECT name, value FROM sequence WHERE name NOT IN ('record', 'cover') ORDER BY name";
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
