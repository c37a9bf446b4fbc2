import { NEW_LIST, buildListChangeData } from "../../../catalog/lists/list-change.ts";
import { buildListRecord } from "../../../catalog/lists/list-form.ts";
import { LIST_SEEDS_MAX } from "../../../catalog/lists/seeds.ts";
import { formatDatetime } from "../../../catalog/datetime.ts";
import type { SaveResult, Writer } from "../../../db/editing/request.ts";
import { findOwnList } from "../../../db/lists/read-lists.ts";
import type { ReadingLogImport } from "../../../db/patrons/patron-rows.ts";
import { findUserKey } from "../../../db/records/users.ts";
import { keyOfWorkId } from "../../../search/indexing/ids.ts";
import { callDesk, deskOf, propagateChange, toSaveRequest, writeError } from "../../editing/edit-desk.ts";
import { writeBudgets } from "../../editing/byte-budget.ts";
import type { Jobs } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

/**
 * Saves the next list of an import: adds the works to the patron's list of this name, or creates it. Returns false at the
 * end. Throws an error that a retry can resolve.
 */
export async function saveNextList({ patron, id }: ReadingLogImport, jobs: Jobs): Promise<boolean> {
  const { stores, settings, sources } = jobs;
  const { imports } = patronOf(stores, patron);
  const list = await imports.nextList(id, LIST_SEEDS_MAX);
  if (list === undefined) return false;
  const { name, works } = list;
  const prefix = settings.RECORD_PREFIX;
  const owner = await findUserKey(stores.catalog, patron);
  if (owner === undefined || works.length === 0) {
    await imports.endList(id, { name, key: null, problem: null });
    return true;
  }
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
  const result: SaveResult = await callDesk(() => {
    if (key === undefined) {
      const record = buildListRecord("/type/list", { name, description: "", tags: undefined, seeds });
      const data = buildListChangeData(NEW_LIST, { seeds });
      const change = { documents: [record], kind: "create-list", comment: "Created new list.", data };
      return desk.create(toSaveRequest(change, writer, now));
    }
    const sent = JSON.stringify({ add: seeds, remove: [] });
    const add = JSON.stringify(seeds);
    return desk.seeds({ writer, now: formatDatetime(now), list: key, add, remove: [], sent });
  });
  if (!result.ok) {
    const error = writeError(result.failures);
    if (error.status >= 500) throw error;
    await imports.endList(id, { name, key: null, problem: error.message });
    return true;
  }
  if (result.change !== null) await propagateChange(stores, result.change);
  await imports.endList(id, { name, key: key ?? result.keys[0] ?? null, problem: null });
  return true;
}
