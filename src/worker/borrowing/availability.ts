import * as z from "zod";
import { splitBibKeys } from "../../catalog/lookup/bibkey.ts";
import { jsonObjectInOrder } from "../../catalog/lookup/bundle.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, jsonText } from "../http/reply.ts";
import { AVAILABILITY_TYPES, readAvailabilities } from "./availability-entries.ts";

/** Ids per availability request. */
export const AVAILABILITY_IDS_MAX = 1000;

const availabilityType = z.enum(AVAILABILITY_TYPES).describe("What the ids are");

const flag = z.boolean().nullable();
const text = z.string().nullable();

const availabilitySchema = z
  .looseObject({
    status: z.string().describe("open, borrow_available, borrow_unavailable or error"),
    available_to_browse: flag.describe("Can be had for an hour now"),
    available_to_borrow: flag.describe("Can be had for 14 days now"),
    available_to_waitlist: flag,
    is_printdisabled: flag,
    is_readable: flag,
    is_lendable: flag,
    is_previewable: z.boolean(),
    is_restricted: z.boolean(),
    is_browseable: flag,
    identifier: text.describe("Id of the scan"),
    isbn: text,
    oclc: text,
    openlibrary_work: text,
    openlibrary_edition: text,
    last_loan_date: text,
    last_waitlist_date: text,
    num_waitlist: text.describe("A number as text"),
  })
  .meta({ id: "Availability" });

const availabilityResponses = {
  200: { description: "How each id can be had", schema: z.record(z.string(), availabilitySchema) },
};

/** Member `ids` of a JSON body. */
const idList = z.array(z.string()).min(1).max(AVAILABILITY_IDS_MAX);

const idsText = z.array(z.string()).transform((occurrences, context) => {
  const ids = splitBibKeys(occurrences);
  if (ids.length > 0 && ids.length <= AVAILABILITY_IDS_MAX) return ids;
  const isEmpty = ids.length === 0;
  const type = isEmpty ? "too_short" : "too_long";
  const bound = isEmpty ? "at least 1 item" : `at most ${AVAILABILITY_IDS_MAX} items`;
  const limit = isEmpty ? { min_length: 1 } : { max_length: AVAILABILITY_IDS_MAX };
  const message = `Value should have ${bound} after validation, not ${ids.length}`;
  const ctx = { field_type: "Value", ...limit, actual_length: ids.length };
  context.issues.push({ code: "custom", input: ids, message, params: { type, ctx } });
  return z.NEVER;
});

/** `GET /availability/v2`: availability of works, editions or scans. */
export const availability = operation({
  id: "availability",
  summary: "How works, editions or scans can be read or borrowed",
  tag: "lending",
  query: {
    type: availabilityType,
    ids: idsText.pipe(z.array(z.string())).describe("Comma-separated OLIDs, or ids of scans"),
  },
  responses: availabilityResponses,
  handle: ({ query: { type, ids } }, context) => availabilityReply(context, type, ids),
});

/** `POST /availability/v2`: availability for ids in the body. */
export const availabilityOf = operation({
  id: "availabilityOf",
  summary: "How works, editions or scans can be read or borrowed, for many of them",
  tag: "lending",
  query: { type: availabilityType },
  json: z.object({ ids: idList }),
  inReadOnly: true,
  responses: availabilityResponses,
  handle: ({ query: { type }, json: { ids } }, context) => availabilityReply(context, type, ids),
});

const body = z
  .object({ ids: idList.optional(), ocaids: idList.optional() })
  .transform(({ ids, ocaids }, context) => {
    const scans = ids ?? ocaids;
    if (scans !== undefined) return scans;
    const message = "Field required";
    context.issues.push({ code: "custom", path: ["ids"], input: {}, message, params: { type: "missing" } });
    return z.NEVER;
  });

/** `POST /availability`: first version of the interface, which takes ids of scans as `ids` or `ocaids`. */
export const availabilityV1 = operation({
  id: "availabilityV1",
  summary: "How scans can be read or borrowed",
  tag: "lending",
  query: { type: availabilityType.default("identifier") },
  json: body,
  inReadOnly: true,
  responses: availabilityResponses,
  handle: ({ query: { type }, json: ids }, context) => availabilityReply(context, type, ids),
});

/** Builds the response: an entry for every id, in the requested order. */
async function availabilityReply(
  context: RequestContext,
  type: z.output<typeof availabilityType>,
  ids: readonly string[],
): Promise<Reply> {
  const { byId, hasAnswered } = await readAvailabilities(context, type, ids);
  // Q282: the status is 200 even if the lending service is unreachable; a header reports that.
  const headers: Record<string, string> = hasAnswered
    ? {}
    : { "X-Lending-Error": "the lending service does not answer" };
  return jsonText(jsonObjectInOrder(byId), { cacheControl: NO_STORE, headers });
}
