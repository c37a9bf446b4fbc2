import type * as z from "zod";
import { listChangeData } from "../../catalog/lists/list-change.ts";
import {
  SERIES_SEEDS_MAX,
  INVALID_SEED,
  annotationOf,
  seedKey,
  seedType,
} from "../../catalog/lists/seeds.ts";
import { listRecord } from "../../catalog/lists/list-form.ts";
import type { ListSeed } from "../../catalog/lists/seed-entry.ts";
import { withEdge, withoutEdge } from "../../catalog/lists/series.ts";
import { type CatalogRecord, type Json, typeKey } from "../../catalog/record.ts";
import { badDocument, missingRecord } from "../../catalog/editing/failure.ts";
import { readListSeeds } from "../../db/lists/list-seeds.ts";
import { type FormRecord, saveForm } from "../editing/save-form.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import { writeError } from "../history/edit-desk.ts";
import { NEW_LIST } from "./create.ts";
import { badList } from "./rights.ts";
import { type CheckedForm, listId, username } from "./write-request.ts";

/** `/people/<username>/series/add` and `…/series/OL1L/edit`: series belong to nobody. */
export const addPersonalSeries = refusal("addPersonalSeries", { username });
export const editPersonalSeries = refusal("editPersonalSeries", { username, list_id: listId });

function refusal(id: string, path: Record<string, z.ZodString>): AnyOperation {
  return operation({
    id,
    summary: "Patrons have no series",
    tag: "forms",
    path,
    responses: { 400: { description: "Always" } },
    handle() {
      throw badList("Series belong to nobody: they are made at /series/add.");
    },
  });
}

/** The works of a series that is to be edited as a whole, in their order; a 400 when there are too many of them. */
export async function seriesMembers(context: RequestContext, key: string): Promise<readonly ListSeed[]> {
  const database = context.stores.catalog.withSession("first-primary");
  const found = await readListSeeds(database, key, { start: 0, count: SERIES_SEEDS_MAX });
  if (found === undefined) return [];
  if (found.list.seedCount <= SERIES_SEEDS_MAX) return found.seeds;
  // Q258: those that are not shown would be taken away.
  const message = `A series of more than ${SERIES_SEEDS_MAX} works is changed by adding and removing works`;
  throw writeError([badDocument(message, { key, property: "seeds" })]);
}

/** Makes a series, and edges to it in the works that it is to have: one change. Returns its key. */
export async function createSeries(context: RequestContext, { form, comment }: CheckedForm): Promise<string> {
  const saved = await saveForm(context, worksOf(form.seeds, NEW_LIST), async (records) => ({
    documents: [listRecord("/type/series", form)],
    edits: changedWorks({ series: NEW_LIST, seeds: form.seeds }, records),
    kind: "create-series",
    comment: comment ?? "Created new series.",
    data: listChangeData(NEW_LIST, { seeds: [...form.seeds] }),
    owner: null,
    suspectsAll: true,
  }));
  return saved?.keys[0] ?? "";
}

/** Keys of the works that are to be in a series; a 400 when something else is named. */
export function worksOf(seeds: readonly Json[], series: string): string[] {
  const keys = seeds.map((seed) => seedKey(seed) ?? "");
  const bad = keys.find((key) => seedType(key) !== "work");
  if (bad === undefined) return keys;
  throw writeError([badDocument(INVALID_SEED, { key: series, property: "seeds" }, bad)]);
}

/** The works whose edges change, as they are to be; `members`: those that have been in the series until now. */
export function changedWorks(
  { series, seeds, members = [] }: { series: string; seeds: readonly Json[]; members?: readonly string[] },
  records: ReadonlyMap<string, FormRecord>,
): CatalogRecord[] {
  const wanted = new Map(seeds.map((seed) => [seedKey(seed) ?? "", annotationOf(seed)]));
  const left = members.filter((key) => !wanted.has(key));
  const works = [...wanted].map(([key, said]) => {
    const work = records.get(key)?.document;
    if (work === undefined || typeKey(work) !== "/type/work") {
      throw writeError([missingRecord(key, { key: series, property: "seeds" })]);
    }
    return { work, after: withEdge(work, { series: { key: series }, ...said }, { all: true }) };
  });
  const leaving = left.flatMap((key) => {
    const work = records.get(key)?.document;
    return work === undefined ? [] : [{ work, after: withoutEdge(work, series) }];
  });
  return [...works, ...leaving].flatMap(({ work, after }) => (work === after ? [] : [after]));
}
