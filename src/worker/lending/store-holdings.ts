import { datetimeText } from "../../catalog/datetime.ts";
import type { HoldingLine } from "../../catalog/lending/holding-line.ts";
import { termsOf } from "../../catalog/lending/terms.ts";
import { putItems, readWorksOfScans } from "../../db/holdings/put-items.ts";
import { readLentItems } from "../../db/lending/read-lending.ts";
import { readProgress } from "../../db/projections/cursor.ts";
import { putJobs } from "../../db/search/jobs.ts";
import type { RequestContext } from "../context.ts";
import { announceChange } from "../queue/announce.ts";

/**
 * Stores items of the holdings, has the works anew in the index that show how they can be read, and tells the desks where
 * somebody waits that there may be more copies. Whoever breaks off does it again: all of it may be done twice.
 */
export async function storeHoldings(context: RequestContext, items: readonly HoldingLine[]): Promise<void> {
  const { catalog } = context.stores;
  const ocaids = items.map(({ ocaid }) => ocaid);
  await putItems(catalog, items, datetimeText(context.now));
  await indexAnew(context, ocaids);
  await tellDesks(context, items);
}

async function indexAnew({ stores, now }: RequestContext, ocaids: readonly string[]): Promise<void> {
  const { catalog, search, indexQueue } = stores;
  const [keys, { end }] = await Promise.all([
    readWorksOfScans(catalog, ocaids),
    readProgress(catalog, "search"),
  ]);
  if (keys.length === 0) return;
  const due = datetimeText(now);
  // An edition without a work stands in the index as if it were one.
  const works = keys.map((key) => key.replace(/^\/books\//, "/works/"));
  await putJobs(
    search,
    works.map((key) => ({ kind: "document", key, position: 0, due, change: end })),
  );
  await announceChange(indexQueue, end);
}

async function tellDesks({ stores, now }: RequestContext, items: readonly HoldingLine[]): Promise<void> {
  const lent = await readLentItems(
    stores.patrons,
    items.map(({ ocaid }) => ocaid),
  );
  const waiting = new Set(lent.filter((item) => item.waiting > 0).map(({ ocaid }) => ocaid));
  const told = items.filter(({ ocaid }) => waiting.has(ocaid));
  await Promise.all(
    told.map((item) => {
      const { copies, browse } = termsOf(item);
      return stores.loanDesk.getByName(item.ocaid).status({ ocaid: item.ocaid, copies, browse, now }, null);
    }),
  );
}
