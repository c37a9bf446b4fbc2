import type { ListType } from "../../catalog/lists/list-form.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { RequestContext } from "../context.ts";
import { recordPage } from "../forms/addresses.ts";
import type { FormFailure } from "../forms/refused-form.ts";
import { shownRecord } from "../forms/shown-record.ts";
import { addressOf } from "../pages/address.ts";
import { listFormPage } from "../pages/list-forms/list-form-page.ts";
import type { Reply } from "../reply.ts";
import { hasRole } from "../sessions/access.ts";
import { ownerOfList, requireListWriter } from "./rights.ts";
import { seriesMembers } from "./series-members.ts";

/** What the form of a list shows. */
interface EditedForm {
  readonly key: string;
  readonly type: ListType;
  /** Revision to fill it with. */
  readonly revision?: string | undefined;
  /** What was sent, when it is shown again. */
  readonly sent?: CatalogRecord;
  readonly failures?: readonly FormFailure[];
}

/** The form of a list or series, for those who may change it. */
export async function editFormPage(
  context: RequestContext,
  { key, type, revision, sent, failures = [] }: EditedForm,
): Promise<Reply> {
  const owner = ownerOfList(key);
  const actor = await requireListWriter(context, owner);
  const { record, revision: latest } = await shownRecord(context, key, revision);
  const address = addressOf(key);
  const mayDelete = type === "/type/list" && (owner === actor.key || hasRole(actor, "admin"));
  return listFormPage({
    type,
    title: `Edit ${String(record["name"] ?? key)}`,
    action: `${address}/edit`,
    back: {
      href: recordPage(key, record),
      text: type === "/type/list" ? "Back to the list" : "Back to the series",
    },
    revision: latest,
    shown: sent ?? (type === "/type/series" ? await withMembers(context, key, record) : record),
    failures,
    ...(mayDelete ? { deleteAction: `${address}/delete` } : {}),
  });
}

/** The record of a series with its works as if it held them. */
async function withMembers(
  context: RequestContext,
  key: string,
  record: CatalogRecord,
): Promise<CatalogRecord> {
  const members = await seriesMembers(context, key);
  return {
    ...record,
    seeds: members.map(({ key: work, notes = "", position = "" }) => ({
      thing: { key: work },
      notes,
      position,
    })),
  };
}
