import type { Stores } from "../context.ts";
import { DESK_NAME as IMPORT_DESK_NAME } from "../import/load-record.ts";
import { FEED_NAME } from "../../durable/change-feed/names.ts";
import { DESK_NAME as EDIT_DESK_NAME } from "../writes/save.ts";
import type { Check, Numbers } from "./check.ts";

/** Name of what is asked for and is not there: that nothing is found says that the store answers. */
const PROBE = "status/probe";
/** Object of a class with many objects that is asked: a blank is in no username, item id or other name. */
const PROBED_OBJECT = " status";

/** Checks of everything that the service keeps something in, but the databases. Cheap: one read each. */
export function storeChecks(stores: Stores): Check[] {
  const { cache, covers, archive } = stores;
  return [
    required("cache", () => cache.get(PROBE)),
    required("covers", () => covers.head(PROBE)),
    required("archive", () => archive.head(PROBE)),
    ...objectChecks(stores),
  ];
}

/** Whether objects of each class answer; desks say how many works are in their hands, the feed how many listen. */
function objectChecks({ throttle, patron, loanDesk, editDesk, importDesk, changeFeed }: Stores): Check[] {
  return [
    required("throttle", () => throttle.getByName(PROBED_OBJECT).ping()),
    required("patron", () => patron.getByName(PROBED_OBJECT).ping()),
    required("loan_desk", () => loanDesk.getByName(PROBED_OBJECT).ping()),
    counting("edit_desk", async () => ({ waiting: await editDesk.getByName(EDIT_DESK_NAME).ping() })),
    counting("import_desk", async () => ({ waiting: await importDesk.getByName(IMPORT_DESK_NAME).ping() })),
    counting("change_feed", async () => ({ listeners: await changeFeed.getByName(FEED_NAME).ping() })),
  ];
}

function required(name: string, ask: () => Promise<unknown>): Check {
  return counting(name, async () => void (await ask()));
}

function counting(name: string, run: () => Promise<Numbers | undefined>): Check {
  return { name, isRequired: true, run };
}
