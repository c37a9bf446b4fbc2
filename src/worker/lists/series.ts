import { failure } from "../http/failure.ts";
import type * as z from "zod";
import { NEW_LIST, buildListChangeData } from "../../catalog/lists/list-change.ts";
import {
  SERIES_SEEDS_MAX,
  INVALID_SEED,
  annotationOf,
  seedKeyOf,
  seedTypeOf,
} from "../../catalog/lists/seeds.ts";
import { buildListRecord } from "../../catalog/lists/list-form.ts";
import type { ListSeed } from "../../catalog/lists/seed-entry.ts";
import { withEdge, withoutEdge } from "../../catalog/lists/series.ts";
import { type CatalogRecord, type Json, typeKeyOf } from "../../catalog/record.ts";
import { documentFailure, missingRecordFailure } from "../../catalog/editing/failure.ts";
import { readListSeeds } from "../../db/lists/list-contents.ts";
import { type FormRecord, saveForm } from "../editing/edit-records.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import { writeError } from "../editing/edit-desk.ts";
import { type CheckedForm, followSeedInputs, listId, username } from "./write-request.ts";

/** `/people/<username>/series/add` and `…/series/OL1L/edit`: always a 400, because patrons own no series. */
export const addPersonalSeries = refusingOperation("addPersonalSeries", { username });
export const editPersonalSeries = refusingOperation("editPersonalSeries", { username, list_id: listId });

function refusingOperation(id: string, path: Record<string, z.ZodString>): AnyOperation {
  return operation({
    id,
    summary: "Reject a series of a patron",
    tag: "forms",
    path,
    responses: { 400: { description: "Patrons have no series" } },
    handle() {
      throw failure("bad_request.series_owner");
    },
  });
}

/** Reads the works of a series in their order, for editing it as a whole. Throws 400 if there are too many. */
export async function readSeriesMembers(context: RequestContext, key: string): Promise<readonly ListSeed[]> {
  const database = context.stores.catalog.withSession("first-primary");
  const members = await readListSeeds(database, key, { start: 0, count: SERIES_SEEDS_MAX });
  if (members === undefined) return [];
  if (members.list.seedCount <= SERIES_SEEDS_MAX) return members.seeds;
  // Q258: works that the form does not show would be removed.
  const text = { key: "bad_data.series_size", values: { most: SERIES_SEEDS_MAX } } as const;
  throw writeError([documentFailure(text, { key, property: "seeds" })]);
}

/** Creates a series and the edges of its works to it, as one change. Returns its key. */
export async function createSeries(context: RequestContext, { form, comment }: CheckedForm): Promise<string> {
  const seeds = await followSeedInputs(context, form.seeds);
  const saved = await saveForm(context, workKeysOf(seeds, NEW_LIST), async (records) => ({
    documents: [buildListRecord("/type/series", form)],
    edits: changeWorks({ series: NEW_LIST, seeds }, records),
    kind: "create-series",
    comment: comment ?? "Created new series.",
    data: buildListChangeData(NEW_LIST, { seeds }),
    owner: null,
    suspectsAll: true,
  }));
  return saved?.keys[0] ?? "";
}

/** Returns the keys of the works that seeds name. Throws 400 if one is not a work. */
export function workKeysOf(seeds: readonly Json[], series: string): string[] {
  const keys = seeds.map((seed) => seedKeyOf(seed) ?? "");
  const bad = keys.find((key) => seedTypeOf(key) !== "work");
  if (bad === undefined) return keys;
  throw writeError([documentFailure(INVALID_SEED, { key: series, property: "seeds" }, bad)]);
}

/** Returns the works whose edges to a series change, with the new edges. `members` are its current works. */
export function changeWorks(
  { series, seeds, members = [] }: { series: string; seeds: readonly Json[]; members?: readonly string[] },
  records: ReadonlyMap<string, FormRecord>,
): CatalogRecord[] {
  const annotations = new Map(seeds.map((seed) => [seedKeyOf(seed) ?? "", annotationOf(seed)]));
  const removed = members.filter((key) => !annotations.has(key));
  const works = [...annotations].map(([key, annotation]) => {
    const work = records.get(key)?.document;
    if (work === undefined || typeKeyOf(work) !== "/type/work") {
      throw writeError([missingRecordFailure(key, { key: series, property: "seeds" })]);
    }
    return { work, after: withEdge(work, { series: { key: series }, ...annotation }, { all: true }) };
  });
  const leaving = removed.flatMap((key) => {
    const work = records.get(key)?.document;
    return work === undefined ? [] : [{ work, after: withoutEdge(work, series) }];
  });
  return [...works, ...leaving].flatMap(({ work, after }) => (work === after ? [] : [after]));
}
