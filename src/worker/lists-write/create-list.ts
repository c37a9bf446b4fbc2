import { listChangeData } from "../../catalog/lists/change-data.ts";
import { type ListForm, listRecord } from "../../catalog/lists/list-form.ts";
import type { RequestContext } from "../context.ts";
import { type Saved, createRecords } from "../writes/save.ts";

/** A list to be made. */
export interface NewList {
  /** `/people/<username>`; null for a list of the community. */
  readonly owner: string | null;
  readonly form: ListForm;
  readonly comment?: string | undefined;
}

/** The key that the first new record of a change gets, wherever it is named. */
export const NEW_LIST = "/__new__/0";
const COMMENT = "Created new list.";

/** Makes a list as one change and returns its key (patrons.md 14.5). Throws `writeError`. */
export async function createList(context: RequestContext, { owner, form, comment }: NewList): Promise<Saved> {
  return createRecords(context, {
    documents: [listRecord("/type/list", form)],
    kind: "create-list",
    comment: comment ?? COMMENT,
    data: listChangeData(NEW_LIST, { seeds: [...form.seeds] }),
    owner,
    suspectsAll: true,
  });
}
