import { english } from "../../../src/catalog/texts.ts";
import { evictAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { SaveRequest, SaveResult, Writer } from "../../../src/db/editing/request.ts";
import type { EditDesk } from "../../../src/durable/edit-desk.ts";

type Documents = readonly Readonly<Record<string, unknown>>[];
type Options = Partial<Omit<SaveRequest, "documents">> & { edits?: Documents };
type Desk = Pick<EditDesk, "save" | "create">;
export type Done = SaveResult & { ok: true };

export const NOW = "2026-11-21T12:00:00.000000";
const SERVICE: Writer = { author: null, bot: false, ip: null, authority: "service" };

/** A client with a session. */
export function user(name: string, more: Partial<Writer> = {}): Writer {
  return { author: `/people/${name}`, bot: false, ip: "203.0.113.7", authority: "user", ...more };
}

const TABLES = ["record", "revision", "change", "property", "identifier", "edition_language", "sequence"];
let catalogs = 0;

/** Empties the catalog. Objects lose their memory first: the import desk holds numbers of sequences that begin anew. */
export async function emptyCatalog(): Promise<void> {
  await evictAllDurableObjects();
  const tables = [...TABLES, "expectation", "service_state", "change_data"];
  await env.CATALOG.batch(tables.map((table) => env.CATALOG.prepare(`DELETE FROM ${table}`)));
  catalogs += 1;
}

/** A desk; several names are several objects alive at once, as during a move to another machine. */
export function editDesk(name = `catalog ${catalogs}`): Desk {
  // The stub's own type is too deep for the compiler.
  return env.EDIT_DESK.getByName(name) as unknown as Desk;
}

/** Saves documents; by the service unless another writer is named. */
export function save(documents: Documents, options: Options = {}, desk = editDesk()): Promise<SaveResult> {
  return desk.save(requestOf(documents, options));
}

/** Saves documents. Throws if the desk refuses them. */
export async function saved(documents: Documents, options: Options = {}): Promise<Done> {
  return done(await save(documents, options));
}

/** Makes records. */
export function create(documents: Documents, options: Options = {}, desk = editDesk()): Promise<SaveResult> {
  const { edits = [], ...more } = options;
  return desk.create({ ...requestOf(documents, more), edits: JSON.stringify(edits) });
}

export function done(result: SaveResult): Done {
  if (!result.ok) throw new Error(JSON.stringify(result.failures));
  return result;
}

/** Returns the failures of a refused request as `<status> <message>`. */
export function refusals(result: SaveResult): string[] {
  return result.ok ? [] : result.failures.map(({ status, text }) => `${status} ${english(text)}`);
}

/** Returns a request to save; its writer is the service by default. */
export function requestOf(documents: Documents, options: Omit<Options, "edits"> = {}): SaveRequest {
  return {
    writer: SERVICE,
    kind: "update",
    comment: null,
    data: "{}",
    now: NOW,
    ...options,
    documents: JSON.stringify(documents),
  };
}

/** The latest revision of a record as it is stored. */
export async function stored(key: string): Promise<Record<string, unknown> | undefined> {
  const row = await env.CATALOG.prepare("SELECT document FROM record WHERE key = ?")
    .bind(key)
    .first("document");
  return row === null ? undefined : JSON.parse(String(row));
}

/** Rows of a statement on the catalog. */
export async function query(sql: string): Promise<Record<string, unknown>[]> {
  return (await env.CATALOG.prepare(sql).all()).results;
}
