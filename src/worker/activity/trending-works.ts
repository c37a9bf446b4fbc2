import type { Document } from "../../search/engine.ts";
import {
  type FieldSelection,
  DEFAULT_FIELDS,
  fieldNames,
  selectFields,
} from "../../search/present/fields.ts";
import { marcLanguage } from "../../search/present/choose-edition.ts";
import { PRESENTED_FROM, foundWorks, lentScans, presentWork } from "../../search/present/works.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { lendingStates } from "../holdings/lending-of.ts";
import type { RequestContext } from "../http/operation.ts";
import { languageOf } from "../http/accept.ts";
import { choosesEditions, engineOf } from "../search/engine.ts";
import { guarded } from "../search/guarded.ts";
import { recordMembers } from "../search/record-members.ts";

/** Fields of trending works when none are asked for: those of a search, and what stands for reading the book. */
const TRENDING_FIELDS = [...DEFAULT_FIELDS, "editions", "providers"];

/**
 * Works as `/search.json` shows them, by the numbers of their keys and in this order, with their availability; those that
 * the index has not are left out (lookup.md 15.1).
 */
export async function trendingWorks(
  works: readonly number[],
  names: readonly string[],
  context: RequestContext,
): Promise<Document[]> {
  if (works.length === 0) return [];
  const fields = fieldsOf(names);
  const keys = works.map((work) => keyOfWorkId(work, context.settings.RECORD_PREFIX));
  const withEditions = fields.editions && choosesEditions(context);
  const wanted = { withEditions, fields: [...fields.work, ...PRESENTED_FROM] };
  const hits = await guarded(async () => (await engineOf(context)).worksByKey(keys, wanted), "trending");
  const wish = { clauses: [], language: marcLanguage(languageOf(context)), words: [], sort: [] };
  const found = foundWorks(hits, withEditions ? wish : undefined);
  const [members, states] = await Promise.all([
    recordMembers(found, fields, context),
    lendingStates(context, lentScans(found)),
  ]);
  return found.map((one) => presentWork(one, fields, { members, states }));
}

function fieldsOf(names: readonly string[]): FieldSelection {
  const asked = fieldNames(names);
  return { ...selectFields(asked.length === 0 ? TRENDING_FIELDS : asked), availability: true };
}
