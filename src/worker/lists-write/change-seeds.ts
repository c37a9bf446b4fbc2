import { datetimeText } from "../../catalog/datetime.ts";
import { TOO_MANY_WORKS } from "../../catalog/lists/change-seeds.ts";
import { SERIES_SEEDS_MAX } from "../../catalog/lists/limits.ts";
import {
  EMPTY_SEED,
  INVALID_SEED,
  normalizeSeed,
  normalizeSeeds,
} from "../../catalog/lists/normalize-seeds.ts";
import { seedKey, seedType, seedsOfRecord } from "../../catalog/lists/seed.ts";
import { parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord, Json } from "../../catalog/record.ts";
import { type RecordRow, readRecord } from "../../db/records/read-record.ts";
import type { RequestContext } from "../context.ts";
import { answerOf, deskOf, finish, writerOf } from "../writes/save.ts";
import { refuseSpam } from "../writes/spam.ts";
import { listNotFound } from "../lists/list-path.ts";
import { badList, withListErrors } from "./list-errors.ts";
import { ownerOfList, requireListWriter } from "./rights.ts";

/** Seeds to be added and removed, in any form. */
export interface SentSeeds {
  readonly add: readonly Json[];
  readonly remove: readonly Json[];
}

const LIST_TYPES = new Set(["/type/list", "/type/series"]);

/** Adds seeds to a list or series and removes others, as one change at most (patrons.md 14.7). Errors are those of lists. */
export async function changeSeeds(
  context: RequestContext,
  key: string,
  sent: SentSeeds,
): Promise<{ readonly key: string; readonly revision: number }> {
  const row = await readRecord(context.stores.catalog.withSession("first-primary"), key);
  if (row === undefined || !LIST_TYPES.has(row.type)) throw listNotFound();
  await requireListWriter(context, ownerOfList(key));
  const { add, remove } = checked(row, sent, context.settings.RECORD_PREFIX);
  return withListErrors(key, async () => {
    const told: CatalogRecord = { add: [...sent.add], remove: [...sent.remove] };
    await refuseSpam(context, { documents: [told], comment: null, suspectsAll: true });
    const writer = await writerOf(context, {});
    const request = { list: key, add: JSON.stringify(add), remove, sent: JSON.stringify(told) };
    const now = datetimeText(context.sources.now());
    const result = await answerOf(() => deskOf(context.stores).seeds({ ...request, writer, now }));
    finish(context, result);
    return { key, revision: result.ok ? result.revision : row.revision };
  });
}

/** The seeds as they are stored, and keys of those that go; 400 for what is none. */
function checked(row: RecordRow, sent: SentSeeds, prefix: string): { add: Json[]; remove: string[] } {
  const normalized = normalizeSeeds(sent.add, prefix);
  if ("failure" in normalized) throw badList(normalized.failure);
  const { seeds: add } = normalized;
  const isSeries = row.type === "/type/series";
  if (isSeries && !add.every((seed) => seedType(seedKey(seed) ?? "") === "work")) throw badList(INVALID_SEED);
  const stored = new Set(seedsOfRecord(parseDocument(row.document)).flatMap((seed) => seedKey(seed) ?? []));
  const remove = [...new Set(sent.remove.map((input) => removedKey(input, stored, prefix)))];
  // Q264: each of them is a record, and all of them are in memory at once.
  if (isSeries && add.length + remove.length > SERIES_SEEDS_MAX) throw badList(TOO_MANY_WORKS);
  return { add, remove };
}

/** What old lists hold can be removed, even where it could not be added any more. */
function removedKey(input: Json, stored: ReadonlySet<string>, prefix: string): string {
  const key = seedKey(input);
  if (key !== undefined && stored.has(key)) return key;
  const normalized = normalizeSeed(input, prefix);
  if ("failure" in normalized) throw badList(normalized.failure);
  return seedKey(normalized.seed) ?? EMPTY_SEED;
}
