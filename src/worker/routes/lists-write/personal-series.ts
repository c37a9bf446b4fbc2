import type * as z from "zod";
import { badList } from "../../lists-write/list-errors.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { listId, username } from "./schemas.ts";

/** `/people/<username>/series/add`: series belong to nobody (patrons.md 14.11). */
export const addPersonalSeries = refusal("addPersonalSeries", { username });
/** `/people/<username>/series/OL1L/edit` */
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
