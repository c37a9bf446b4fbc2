import type { PlainScheme } from "../../search/plain-fields.ts";
import { type CostlyWord, costlyWordsOf, requireAffordable } from "../../search/plan/costs.ts";
import type { PlainPlan } from "../../search/plan/plain-query.ts";
import type { Plan } from "../../search/plan/plan.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./index-reader.ts";
import { LAST } from "../../search/plan/vocabulary.ts";

/**
 * Places of a word in a document that are not counted: ordinary texts have no more, so that a search is as broad as it is
 * in a catalog without large documents.
 */
const USUAL_PLACES = 8;
/** Cost of a word with a beginning, in places, and the number of them that are counted: one more is too many anyway. */
const WORD_PLACES = 10;
const WORDS_MAX = 1_000_000;

/**
 * Throws a `TooBroadPartError` for a plan for documents of one kind that would take too long: FTS5 reads all places of a
 * word as often as it occurs. One round trip if words are to be looked up in the vocabulary that are not cached.
 */
export async function checkCosts(
  index: IndexReader,
  kind: "work" | "edition" | PlainScheme,
  plan: Plan | PlainPlan,
): Promise<void> {
  if (plan.kind === "not") return checkCosts(index, kind, plan.of);
  if (plan.kind === "and" || plan.kind === "or") {
    for (const part of plan.of) await checkCosts(index, kind, part);
  }
  const words = "match" in plan ? costlyWordsOf(plan.match) : [];
  if (words.length > 0) await checkWords(index, plan.kind === "edition" ? "edition" : kind, words);
}

async function checkWords(
  { database, generation, counts }: IndexReader,
  kind: string,
  words: readonly CostlyWord[],
): Promise<void> {
  const ranges = words.map(({ word, isBeginning }) => [word, isBeginning ? word + LAST : word]);
  const keys = ranges.map((range) => JSON.stringify([kind, range]));
  let places = keys.flatMap((key) => counts?.places.get(key) ?? []);
  if (places.length < keys.length) {
    const sql = `SELECT (SELECT coalesce(sum(max(cnt - ${USUAL_PLACES} * doc, 0) + ${WORD_PLACES}), 0) FROM (
        SELECT cnt, doc FROM ${kind}_term_${generation} WHERE term >= range.value ->> 0 AND term <= range.value ->> 1
        LIMIT ${WORDS_MAX})) AS places
      FROM json_each(?1) range ORDER BY range.key`;
    const counted = await rows<{ places: number }>(database, { sql, values: [JSON.stringify(ranges)] });
    places = counted.map((row) => row.places);
    for (const [at, key] of keys.entries()) counts?.places.set(key, places[at] ?? 0);
  }
  requireAffordable(words, places);
}
