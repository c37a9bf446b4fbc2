import * as z from "zod";
import { olidOfKey } from "../../catalog/keys.ts";
import type { LendingStatus } from "../../catalog/lending/loan.ts";
import { splitBibKeys } from "../../catalog/lookup/bibkey.ts";
import { formatOrderedObject } from "../../catalog/lookup/bundle.ts";
import type { JsonObject } from "../../catalog/record.ts";
import type { TextKey } from "../../catalog/texts.ts";
import { type ScannedBy, readScanned } from "../../db/lending/holdings.ts";
import { availabilityStatusOf, lendingAvailabilityOf } from "../../search/present/availability.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, jsonText } from "../http/reply.ts";
import { lendingStates } from "./service/lending-states.ts";

const AVAILABILITY_TYPES = ["openlibrary_work", "openlibrary_edition", "identifier"] as const;
type AvailabilityType = (typeof AVAILABILITY_TYPES)[number];

const BY: Readonly<Record<AvailabilityType, ScannedBy>> = {
  openlibrary_work: "work",
  openlibrary_edition: "edition",
  identifier: "ocaid",
};

/**
 * Reads the availability of works, editions or scans, by the requested id, which may be the whole key of a record. Every
 * id has an entry; if the lending service has not answered, all are of unknown availability. Two round trips for any
 * number of ids: the scanned editions, then the state of their scans; for scans both at once.
 */
export async function readAvailabilities(
  context: RequestContext,
  type: AvailabilityType,
  ids: readonly string[],
) {
  const isScan = type === "identifier";
  const folder = type === "openlibrary_work" ? "/works/" : "/books/";
  const keys = isScan ? ids : ids.map((id) => (id.startsWith("/") ? id : folder + id.toUpperCase()));
  const [rows, ofScans] = await Promise.all([
    readScanned(catalogReader(context), BY[type], keys),
    lendingStates(context, isScan ? ids : []),
  ]);
  const scanned = rows.map(({ ocaid }) => ocaid);
  const states = isScan ? ofScans : await lendingStates(context, scanned);
  const rowsById = Map.groupBy(rows, ({ position }) => position);
  const entries = ids.map((id, position): readonly [string, JsonObject] => {
    const scans = (rowsById.get(position) ?? []).map(({ ocaid, work, edition, isbn, oclc }) => ({
      ids: {
        scan: ocaid,
        work: olidOfKey(work ?? ""),
        edition: olidOfKey(edition),
        isbn: isbn ?? undefined,
        oclc: oclc ?? undefined,
      },
      status: states?.get(ocaid),
    }));
    const [best] = scans.toSorted((a, b) => rankOf(a.ids.scan, a.status) - rankOf(b.ids.scan, b.status));
    const status = best === undefined && isScan ? states?.get(id) : best?.status;
    if (status !== undefined) {
      const { error_message: _none, ...members } = lendingAvailabilityOf(status, best?.ids ?? { scan: id });
      return [id, { ...members, __src__: "lending" }];
    }
    const missing = states === undefined ? UNKNOWN_ENTRY : NO_SCAN_ENTRY;
    const named = { [type]: isScan ? id : (id.split("/").at(-1) ?? id) };
    const scan = best === undefined ? {} : { identifier: best.ids.scan };
    return [id, { ...missing, ...named, ...scan, __src__: "lending" }];
  });
  return { byId: new Map(entries), hasAnswered: states !== undefined };
}

const WORDS = ["open", "borrow_available", "borrow_unavailable", "error"] as const;

/** Returns the rank of a scan by its availability; foreign copies (`...goog`) come after the others. */
function rankOf(scan: string, status: LendingStatus | undefined): number {
  if (status === undefined) return 2 * WORDS.length + 1;
  // Of two scans without a free copy, one with a waiting list ranks first.
  const rank =
    WORDS.indexOf(availabilityStatusOf(status)) + (status.isLendable || status.isReadable ? 0 : 0.5);
  return 2 * rank + Number(scan.endsWith("goog"));
}

/** Entry with all declared members empty: the lending service did not answer. */
const UNKNOWN_ENTRY: JsonObject = {
  status: "error",
  available_to_browse: null,
  available_to_borrow: null,
  available_to_waitlist: null,
  is_printdisabled: null,
  is_readable: null,
  is_lendable: null,
  is_previewable: false,
  identifier: null,
  isbn: null,
  oclc: null,
  openlibrary_work: null,
  openlibrary_edition: null,
  last_loan_date: null,
  num_waitlist: null,
  last_waitlist_date: null,
  is_restricted: true,
  is_browseable: null,
};

/** Entry of an id without a scan, or with an unknown one. */
const NO_SCAN_ENTRY: JsonObject = {
  ...UNKNOWN_ENTRY,
  available_to_browse: false,
  available_to_borrow: false,
  available_to_waitlist: false,
  is_printdisabled: false,
  is_readable: false,
  is_lendable: false,
  is_browseable: false,
};

export const AVAILABILITY_IDS_MAX = 1000;

const availabilityType = z.enum(AVAILABILITY_TYPES).describe("Type of the IDs");

const flag = z.boolean().nullable();
const text = z.string().nullable();

const availabilitySchema = z
  .looseObject({
    status: z.string().describe("open, borrow_available, borrow_unavailable or error"),
    available_to_browse: flag.describe("Available for a one-hour loan now"),
    available_to_borrow: flag.describe("Available for a 14-day loan now"),
    available_to_waitlist: flag,
    is_printdisabled: flag,
    is_readable: flag,
    is_lendable: flag,
    is_previewable: z.boolean(),
    is_restricted: z.boolean(),
    is_browseable: flag,
    identifier: text.describe("ID of the scan"),
    isbn: text,
    oclc: text,
    openlibrary_work: text,
    openlibrary_edition: text,
    last_loan_date: text,
    last_waitlist_date: text,
    num_waitlist: text.describe("Number as text"),
  })
  .meta({ id: "Availability" });

const availabilityResponses = {
  200: { description: "Availability by ID", schema: z.record(z.string(), availabilitySchema) },
};

const idList = z.array(z.string()).min(1).max(AVAILABILITY_IDS_MAX);

const idsText = z.array(z.string()).transform((occurrences, context) => {
  const ids = splitBibKeys(occurrences);
  if (ids.length > 0 && ids.length <= AVAILABILITY_IDS_MAX) return ids;
  const isEmpty = ids.length === 0;
  const message: TextKey = isEmpty ? "validation.values_min" : "validation.values_max";
  const limit = isEmpty ? { min_length: 1 } : { max_length: AVAILABILITY_IDS_MAX };
  const params = {
    type: isEmpty ? "too_short" : "too_long",
    values: { most: AVAILABILITY_IDS_MAX, actual: ids.length },
    ctx: { field_type: "Value", ...limit, actual_length: ids.length },
  };
  context.issues.push({ code: "custom", input: ids, message, params });
  return z.NEVER;
});

export const availability = operation({
  id: "availability",
  summary: "Get the availability of works, editions or scans",
  tag: "lending",
  query: {
    type: availabilityType,
    ids: idsText.pipe(z.array(z.string())).describe("Comma-separated OLIDs or scan IDs"),
  },
  responses: availabilityResponses,
  handle: ({ query: { type, ids } }, context) => availabilityReply(context, type, ids),
});

export const availabilityOf = operation({
  id: "availabilityOf",
  summary: "Get the availability of many works, editions or scans",
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
    const message: TextKey = "validation.missing";
    context.issues.push({ code: "custom", path: ["ids"], input: {}, message, params: { type: "missing" } });
    return z.NEVER;
  });

/** `POST /availability`: first version of the interface, which takes ids of scans as `ids` or `ocaids`. */
export const availabilityV1 = operation({
  id: "availabilityV1",
  summary: "Get the availability of scans",
  tag: "lending",
  query: { type: availabilityType.default("identifier") },
  json: body,
  inReadOnly: true,
  responses: availabilityResponses,
  handle: ({ query: { type }, json: ids }, context) => availabilityReply(context, type, ids),
});

async function availabilityReply(
  context: RequestContext,
  type: AvailabilityType,
  ids: readonly string[],
): Promise<Reply> {
  const { byId, hasAnswered } = await readAvailabilities(context, type, ids);
  // Q282: the status is 200 even if the lending service is unreachable; a header reports that.
  const headers: Record<string, string> = hasAnswered
    ? {}
    : { "X-Lending-Error": "the lending service does not answer" };
  return jsonText(formatOrderedObject(byId), { cacheControl: NO_STORE, headers });
}
