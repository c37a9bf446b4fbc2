import * as z from "zod";
import { type AnyOperation, type Parameters, operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";

/** `GET /stats/lending`: there is no page of its own. */
export const lendingStatsPage = elsewhere("lendingStatsPage", {});
/** `GET /stats/lending/{kind}/{value}`: neither of parts of it. */
export const lendingStatsOfPage = elsewhere("lendingStatsOfPage", { kind: z.string(), value: z.string() });

function elsewhere(id: string, path: Parameters): AnyOperation {
  return operation({
    id,
    summary: "Leads home: the numbers are at the same address with .json",
    tag: "lending",
    path,
    responses: { 303: { description: "Home" } },
    // Q290: pages of lending statistics have led home for years; programs find the numbers at `….json`.
    handle: () => redirect(303, "/"),
  });
}
