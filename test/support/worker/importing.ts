import { env } from "cloudflare:workers";
import { type CatalogRecord, stringsOf } from "../../../src/catalog/record.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { storesOf, systemSources } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import {
  type ImportOutcome,
  type ImportOptions,
  jobImportContext,
  importRecord,
} from "../../../src/worker/imports/import-record.ts";
import { language } from "./records.ts";
import type { TestRecord } from "./service.ts";

/** When tests import. */
export const IMPORTED = Date.parse("2026-11-21T12:00:00Z");
export const IMPORTER = "/people/ImportBot";
const BY: ImportOptions = { author: IMPORTER, bot: true, ip: null };

/** Languages that records of the tests name. */
export const LANGUAGES = [
  language("eng", "English", { identifiers: { iso_639_1: ["en"] }, name_translated: { de: ["Englisch"] } }),
  language("fre", "French", { identifiers: { iso_639_1: ["fr"] } }),
  language("ger", "German", { identifiers: { iso_639_1: ["de"] }, name_translated: { de: ["Deutsch"] } }),
  language("spa", "Spanish", { identifiers: { iso_639_1: ["es"] } }),
  language("yid", "Yiddish"),
];

/** Returns the import context of a job. */
export function importing(settings: Partial<Cloudflare.Env> = {}) {
  const bindings = { ...env, ...settings };
  const sources = { ...systemSources, now: () => IMPORTED };
  return jobImportContext({ stores: storesOf(bindings), settings: settingsOf(bindings), sources });
}

/** Imports a record at the desk, and waits until everybody has been told. */
export async function imported(
  record: ImportRecord,
  options: Partial<ImportOptions> = {},
  settings: Partial<Cloudflare.Env> = {},
): Promise<ImportOutcome> {
  const context = importing(settings);
  try {
    return await importRecord(context, record, { ...BY, ...options });
  } finally {
    await context.settled();
  }
}

/** Imports a record. Returns statuses and keys of edition and work as a text. */
export async function outcome(record: ImportRecord, options: Partial<ImportOptions> = {}): Promise<string> {
  const { edition, work } = await imported(record, options);
  return `${edition.key} ${edition.status}, ${work.key} ${work.status}`;
}

/** Records of the languages that some import records name. */
export function languagesOf(records: readonly CatalogRecord[]): TestRecord[] {
  const codes = records.flatMap((record) =>
    [record["languages"], record["translated_from"]].flatMap(stringsOf),
  );
  const known = [...new Set(codes)].filter((code) => /^[a-z]{3}$/.test(code));
  return known.map((code) => language(code, code));
}
