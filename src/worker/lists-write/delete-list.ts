import { typeKey } from "../../catalog/record.ts";
import type { RequestContext } from "../context.ts";
import { CarrelError } from "../errors.ts";
import { tombstone } from "../forms/delete-book.ts";
import { hasRole } from "../sessions/access.ts";
import { editRecords } from "../writes/edit.ts";
import { listDenied, withListErrors } from "./list-errors.ts";
import { mayWriteLists, ownerOfList } from "./rights.ts";

/** Deletes a list; its history stays (patrons.md 14.10). Owners delete their own, administrators any. */
export async function deleteList(context: RequestContext, key: string): Promise<void> {
  const actor = await context.actor();
  const owner = ownerOfList(key);
  const isOwn = owner !== undefined && owner === actor.key;
  // Whether there is such a list is not told to others.
  if (!mayWriteLists(actor, owner) || !(isOwn || hasRole(actor, "admin"))) throw listDenied();
  await withListErrors(key, () =>
    editRecords(context, [key], (records) => {
      const list = records.get(key);
      if (list === undefined || typeKey(list) !== "/type/list") {
        throw new CarrelError(404, "not_found", { message: "Not found." });
      }
      // Owners may delete no other records, so the service does it for them.
      const authority = { authority: "service" as const, author: actor.key ?? "" };
      const data = { list: { key } };
      return {
        documents: [tombstone(key)],
        kind: "delete-list",
        comment: "Deleted list.",
        data,
        ...authority,
      };
    }),
  );
}
