import * as z from "zod";
import { AVAILABILITY_TYPES, type Availabilities } from "../../availability/available.ts";
import { jsonObjectInOrder } from "../../../catalog/lookup/shared.ts";
import { NO_STORE, type Reply, jsonText } from "../../reply.ts";

/** Ids of one availability request. */
export const AVAILABILITY_IDS_MAX = 1000;

/** What the ids are. */
export const availabilityType = z.enum(AVAILABILITY_TYPES).describe("What the ids are");

const flag = z.boolean().nullable();
const text = z.string().nullable();

/** How one id can be had (lookup.md 11.2). */
export const availabilitySchema = z.looseObject({
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
});

/** The answers of all availability routes. */
export const availabilityResponses = {
  200: { description: "How each id can be had", schema: z.record(z.string(), availabilitySchema) },
};

/** `ids` of a JSON body. */
export const idList = z.array(z.string()).min(1).max(AVAILABILITY_IDS_MAX);

/** The answer: an entry for every id, in their order. */
export function availabilityReply({ byId, hasAnswered }: Availabilities): Reply {
  // Q282: the answer is 200 when lending is out of reach, and says so in a header.
  const headers: Record<string, string> = hasAnswered
    ? {}
    : { "X-Lending-Error": "the lending service does not answer" };
  return jsonText(jsonObjectInOrder(byId), { cacheControl: NO_STORE, headers });
}

/** The answers of the routes on which administrators see loans. */
export const borrowAdminResponses = {
  200: {
    description: "Loans, queue, and how the item stands",
    schema: z.object({
      edition: z.string(),
      loans: z.array(z.looseObject({ uuid: z.string() })),
      waitinglist: z.array(z.looseObject({ position: z.int() })),
      status: z.looseObject({ is_lendable: z.boolean() }).nullable(),
    }),
  },
  404: { description: "No such edition, or no such loan" },
  409: { description: "The edition has no scan, or several patrons have a copy" },
};
