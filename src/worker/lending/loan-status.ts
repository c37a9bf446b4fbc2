import * as z from "zod";
import { english } from "../../catalog/texts.ts";
import { isCheckedOut } from "../../catalog/lookup/bundle.ts";
import { keyOf, stringsOf } from "../../catalog/record.ts";
import { formatTimeWithBlank } from "../../catalog/lending/records.ts";
import { availabilityStatusOf } from "../../search/present/availability.ts";
import { editionOfDigits } from "../lookup/editions/bundles.ts";
import { lendingOf } from "./service/lending-of.ts";
import { operation } from "../http/operation.ts";
import { callbackName, digitsOf, integer, slug } from "../http/parameters.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { requireOperator } from "../http/access.ts";

const LENDING_SUBJECTS = ["Lending library", "In library"];

export const borrowStatus = operation({
  id: "borrowStatus",
  summary: "Get the loan availability of an edition",
  tag: "lending",
  path: { edition_id: digitsOf("edition"), slug },
  query: { callback: callbackName() },
  responses: {
    200: {
      description: "Availability of a copy",
      schema: z.object({
        id: z.string(),
        loan_available: z.boolean(),
        available_formats: z.array(z.string()),
        lending_subjects: z.array(z.string()),
      }),
      also: ["text/javascript"],
    },
  },
  async handle({ path: { edition_id: digits }, query: { callback } }, context) {
    const { edition, work, access, lending } = await editionOfDigits(context, digits);
    const isFree =
      lending === undefined
        ? access === "borrowable"
        : lending.isLendable && availabilityStatusOf(lending) === "borrow_available";
    const subjects = stringsOf(work?.["subjects"]);
    const body = {
      id: keyOf(edition) ?? "",
      loan_available: isFree,
      available_formats: isFree ? ["bookreader"] : [],
      lending_subjects: LENDING_SUBJECTS.filter((name) => subjects.includes(name)),
    };
    return callbackReply(callback, body, NO_STORE);
  },
});

/** `GET /ia_loan_status/{ocaid}`: tells if a scan is lent out; never a 404. */
export const iaLoanStatus = operation({
  id: "iaLoanStatus",
  summary: "Get the loan status of a scan",
  tag: "lending",
  path: { ocaid: z.string().describe("ID of the scan") },
  responses: {
    200: {
      description: "Status of the scan; all false if it is unknown",
      schema: z.object({
        identifier: z.string(),
        checkedout: z.boolean(),
        has_loan: z.boolean(),
        has_waitinglist: z.boolean(),
      }),
    },
  },
  async handle({ path: { ocaid } }, context) {
    const status = (await lendingOf(context).statuses([ocaid])).get(ocaid);
    const body = {
      identifier: ocaid,
      checkedout: isCheckedOut(status),
      has_loan: status !== undefined && status.activeBorrows + status.activeBrowses > 0,
      // Q284: booleans for scans without an edition, too.
      has_waitinglist: status !== undefined && status.waiting > 0,
    };
    return json(body, { cacheControl: NO_STORE });
  },
});

const BOOKREADER = "bookreader:";

export const isLoanedOut = operation({
  id: "isLoanedOut",
  summary: "List the current loans of a scan",
  tag: "lending",
  path: { resource_id: z.string().default("").describe("`bookreader:` and the scan ID") },
  responses: {
    200: {
      description: "One row per loan; empty for other resources",
      schema: z.array(
        z.object({
          resourceid: z.string(),
          until: z.string().nullable(),
          loanuntil: z.string().nullable(),
          returned: z.string(),
        }),
      ),
    },
  },
  async handle({ path: { resource_id: id } }, context) {
    const ocaid = id.startsWith(BOOKREADER) ? id.slice(BOOKREADER.length) : "";
    // Q285: no loans without the id of a scan.
    const loans = ocaid === "" ? [] : await lendingOf(context).loansOf(ocaid);
    const rows = loans.map(({ uuid, expiry }) => {
      const until = expiry === null ? null : new Date(expiry).toISOString().slice(0, 19);
      return { resourceid: uuid, until, loanuntil: until, returned: "F" };
    });
    return json(rows, { cacheControl: NO_STORE });
  },
});

/** Returns JSON, or with a callback (Q283) a script in a specific format, with blanks inside the brackets. */
export function callbackReply(callback: string | undefined, body: unknown, cacheControl: string): Reply {
  if (callback === undefined) return json(body, { cacheControl });
  const script = `${callback} ( ${JSON.stringify(body)} );`;
  return { status: 200, contentType: "text/javascript; charset=utf-8", cacheControl, body: script };
}

export const LOAN_CHANGES_LIMIT = { default: 1000, max: 1000 };

export const loanChanges = operation({
  id: "loanChanges",
  summary: "List loans and returns, oldest first",
  tag: "lending",
  query: {
    action: z.string().optional().describe("`changes`, the only supported action"),
    after_uid: integer(z.int().gte(0)).default(0).describe("`uid` of the last known row"),
    limit: integer(z.int().gte(1)).default(LOAN_CHANGES_LIMIT.default),
  },
  responses: {
    200: {
      description: "Rows after it, with usernames only for the holder of LOAD_TOKEN",
      schema: z.object({
        status: z.literal("OK"),
        latest_uid: z.int(),
        rows: z.array(
          z.object({
            time: z.string(),
            identifier: z.string(),
            username: z.string().nullable(),
            loan_id: z.string(),
            event_type: z.enum(["borrow", "return"]),
            extra: z.string().describe("JSON object"),
            uid: z.int(),
          }),
        ),
      }),
    },
    400: { description: "Unsupported action" },
    403: { description: "Wrong token" },
  },
  async handle({ query: { action, after_uid: after, limit } }, context) {
    if (action !== "changes") {
      const error = english({ key: "bad_request.loan_action" });
      return json({ status: "error", error }, { status: 400, cacheControl: NO_STORE });
    }
    // Q286: only the operator may see the names of borrowers.
    const withNames = context.request.headers.has("Authorization");
    if (withNames) await requireOperator(context);
    const changes = await lendingOf(context).changes(after, Math.min(limit, LOAN_CHANGES_LIMIT.max));
    const rows = changes.map(({ uid, time, ocaid, patron, loan, event, until }) => ({
      time: formatTimeWithBlank(time),
      identifier: ocaid,
      username: withNames ? patron : null,
      loan_id: loan,
      event_type: event,
      extra: JSON.stringify(until === null ? {} : { until: formatTimeWithBlank(until) }),
      uid,
    }));
    const latest = rows.at(-1)?.uid ?? after;
    return json({ status: "OK", latest_uid: latest, rows }, { cacheControl: NO_STORE });
  },
});
