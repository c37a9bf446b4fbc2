import { NEW_LIST, buildListChangeData } from "../../../catalog/lists/list-change.ts";
import { buildListRecord } from "../../../catalog/lists/list-form.ts";
import { LIST_SEEDS_MAX } from "../../../catalog/lists/seeds.ts";
import { formatDatetime } from "../../../catalog/datetime.ts";
import type { SaveResult, Writer } from "../../../db/editing/request.ts";
import { findOwnList } from "../../../db/lists/read-lists.ts";
import type { ReadingLogImport } from "../../../db/patrons/patron-rows.ts";
import { findUserKey } from "../../../db/records/users.ts";
import type { ImportList } from "../../../durable/patron/imports.ts";
import { keyOfWorkId } from "../../../search/indexing/ids.ts";
import { callDesk, deskOf, propagateChange, toSaveRequest, writeError } from "../../editing/edit-desk.ts";
import { writeBudgets } from "../../editing/byte-budget.ts";
import type { Jobs } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

/** Saves the next list of an import. Returns false at the end. */
export async function saveNextList({ patron, id }: ReadingLogImport, jobs: Jobs): Promise<boolean> {
  const { imports } = patronOf(jobs.stores, patron);
  const list = await imports.nextList(id, LIST_SEEDS_MAX);
  if (list === undefined) return false;
  await imports.endList(id, await saveList(patron, list, jobs));
  return true;
}

/** Adds works to the patron's list of this name, or creates it. Throws an error that a retry can resolve. */
async function saveList(
  patron: string,
  { name, works }: { name: string; works: readonly number[] },
  jobs: Jobs,
): Promise<ImportList> {
  const { stores, settings, sources } = jobs;
  const prefix = settings.RECORD_PREFIX;
  const owner = await findUserKey(stores.catalog, patron);
  if (owner === undefined || works.length === 0) return { name, key: null, problem: null };
  const budgets = writeBudgets({ bot: false, groups: new Set() }, settings);
  const writer: Writer = {
    author: owner,
    bot: false,
    ip: null,
    authority: "user",
    ...(budgets && { budgets }),
  };
  const seeds = works.map((work) => ({ key: keyOfWorkId(work, prefix) }));
  const key = await findOwnList(stores.catalog, { userKey: owner, prefix, name });
  const desk = deskOf(stores);
  const now = sources.now();
  const result: SaveResult = await callDesk(() =>
    key === undefined
      ? desk.create(toSaveRequest(newList(name, seeds), writer, now))
      : desk.seeds({ writer, now: formatDatetime(now), list: key, ...additionOf(seeds) }),
  );
  if (!result.ok) {
    const error = writeError(result.failures);
    if (error.status >= 500) throw error;
    return { name, key: null, problem: error.message };
  }
  if (result.change !== null) await propagateChange(stores, result.change);
  return { name, key: key ?? result.keys[0] ?? null, problem: null };
}

type Seeds = readonly { readonly key: string }[];

function newList(name: string, seeds: Seeds) {
  return {
    documents: [buildListRecord("/type/list", { name, description: "", tags: undefined, seeds })],
    kind: "create-list",
    comment: "Created new list.",
    data: buildListChangeData(NEW_LIST, { seeds: [...seeds] }),
  };
}

function additionOf(seeds: Seeds) {
  const add = JSON.stringify(seeds);
  return { add, remove: [], sent: JSON.stringify({ add: seeds, remove: [] }) };
}
