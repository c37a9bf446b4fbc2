import { advance, readProgress } from "../../db/projections/cursor.ts";
import { LANGUAGE_COUNTS } from "../answers/derived.ts";
import type { Stores } from "../context.ts";

/** Answers in KV that are made of many records. */
const DERIVED = [LANGUAGE_COUNTS];

/**
 * The projection `answers`: drops the derived answers in KV when the catalog has changed since they were last
 * dropped. Idempotent, and complete whatever messages were lost, because the cursor decides.
 */
export async function refreshAnswers({ catalog, cache }: Pick<Stores, "catalog" | "cache">): Promise<void> {
  const { cursor, end } = await readProgress(catalog, "answers");
  if (cursor >= end) return;
  for (const name of DERIVED) await cache.delete(name);
  await advance(catalog, "answers", end);
}
