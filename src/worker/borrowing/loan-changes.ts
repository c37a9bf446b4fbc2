import * as z from "zod";
import type { LendingChange } from "../../catalog/lending/loan.ts";
import { lendingOf } from "../lending/lending-of.ts";
import { operation } from "../http/operation.ts";
import { requireOperator } from "../http/access.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";

export const LOAN_CHANGES_LIMIT = { default: 1000, max: 1000 };

const row = z.object({
  time: z.string(),
  identifier: z.string(),
  username: z.string().nullable(),
  loan_id: z.string(),
  event_type: z.enum(["borrow", "return"]),
  extra: z.string().describe("JSON"),
  uid: z.int(),
});

export const loanChanges = operation({
  id: "loanChanges",
  summary: "Loans and returns, in their order",
  tag: "lending",
  query: {
    action: z.string().optional().describe("`changes`; nothing else is answered here"),
    after_uid: integer(z.int().gte(0)).default(0).describe("The last row that is known"),
    limit: integer(z.int().gte(1)).default(LOAN_CHANGES_LIMIT.default),
  },
  responses: {
    200: {
      description: "The rows after it; patrons' names only for the holder of LOAD_TOKEN",
      schema: z.object({ status: z.literal("OK"), latest_uid: z.int(), rows: z.array(row) }),
    },
    400: { description: "Another action" },
    403: { description: "A wrong token" },
  },
  async handle({ query: { action, after_uid: after, limit } }, context) {
    if (action !== "changes") {
      const error = "only the action 'changes' is answered here";
      return json({ status: "error", error }, { status: 400, cacheControl: NO_STORE });
    }
    // Q286: only the operator may see the names of borrowers.
    const withNames = context.request.headers.has("Authorization");
    if (withNames) await requireOperator(context);
    const changes = await lendingOf(context).changes(after, Math.min(limit, LOAN_CHANGES_LIMIT.max));
    const rows = changes.map((change) => rowOf(change, withNames));
    const latest = rows.at(-1)?.uid ?? after;
    return json({ status: "OK", latest_uid: latest, rows }, { cacheControl: NO_STORE });
  },
});

function rowOf({ uid, time, ocaid, patron, loan, event, until }: LendingChange, withNames: boolean) {
  return {
    time: secondText(time),
    identifier: ocaid,
    username: withNames ? patron : null,
    loan_id: loan,
    event_type: event,
    extra: JSON.stringify(until === null ? {} : { until: secondText(until) }),
    uid,
  };
}

function secondText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}
