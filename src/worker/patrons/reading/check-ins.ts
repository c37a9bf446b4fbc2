import * as z from "zod";
import { findDateFlaw, formatEventDate } from "../../../catalog/patrons/event-date.ts";
import { readCheckInOwner, forgetCheckIn, reserveCheckInIds } from "../../../db/patrons/activity.ts";
import type { CheckInType } from "../../../durable/patron/diary.ts";
import { type Failure, type FailureKey, failure } from "../../http/failure.ts";
import { type AnyOperation, type RequestContext, operation } from "../../http/operation.ts";
import { integer, jsonInteger } from "../../http/parameters.ts";
import { privateJson } from "../../http/reply.ts";
import { VALUE_ERROR } from "../../search/guarded.ts";
import {
  type OwnWriter,
  editionField,
  editionKey,
  ownChange,
  parseEdition,
  requireOwner,
  workPath,
} from "./own-data.ts";

const entry = z.object({
  id: z.int(),
  event_type: z.int(),
  event_date: z.string(),
  edition_key: z.string().nullable(),
});

export const ownCheckIns = operation({
  id: "ownCheckIns",
  summary: "List your check-ins of a work",
  tag: "reading",
  path: workPath,
  responses: { 200: { description: "Check-ins by date", schema: z.object({ entries: z.array(entry) }) } },
  async handle({ path: { work_id: work } }, context) {
    const { patron } = await requireOwner(context);
    const checkIns = await patron.diary.checkIns(work);
    const entries = checkIns.map(({ id, type, date, edition }) => {
      return { id, event_type: type, event_date: date, edition_key: editionKey(context, edition) };
    });
    return privateJson({ entries });
  },
});

export const checkInResponses = {
  200: {
    description: "ID of the check-in",
    schema: z.object({ status: z.literal("ok"), id: z.int() }).meta({ id: "CheckInResponse" }),
  },
  403: { description: "Check-in of another user, or read-only account" },
  404: { description: "No such check-in of this work" },
};

const MONTH_MAX = 12;
const DAY_MAX = 31;

const eventType = z
  .int()
  .superRefine((value, context) => {
    if (value >= 1 && value <= 3) return;
    context.addIssue({ code: "custom", params: VALUE_ERROR, message: "validation.event_type" });
  })
  .meta({ minimum: 1, maximum: 3 });

const checkInBody = z
  .object({
    event_type: jsonInteger(eventType).describe("1: started, 2: continued, 3: finished"),
    year: jsonInteger(z.int().gt(0).lte(9999)),
    month: jsonInteger(z.int().gte(1).lte(MONTH_MAX)).nullish(),
    day: jsonInteger(z.int().gte(1).lte(DAY_MAX)).nullish().describe("Requires a month"),
    edition_key: editionField().nullish(),
    event_id: jsonInteger().nullish().describe("Check-in to update; 0 or absent to add one"),
  })
  .superRefine((date, context) => {
    // Parts out of bounds have been reported already.
    const isBounded = (date.month ?? 0) <= MONTH_MAX && (date.day ?? 0) <= DAY_MAX;
    const flaw = isBounded ? findDateFlaw(date) : undefined;
    if (flaw === undefined) return;
    context.addIssue({ code: "custom", params: VALUE_ERROR, message: flaw });
  })
  .meta({ id: "CheckInRequest" });

export const checkIn = ownChange({
  id: "checkIn",
  summary: "Add or update a check-in",
  path: workPath,
  json: checkInBody,
  responses: checkInResponses,
  async submit({ path: { work_id: work }, json }, writer, context) {
    const id = await saveCheckIn(context, writer, {
      work,
      // The schema rejects all other numbers.
      type: json.event_type as CheckInType,
      date: formatEventDate(json),
      edition: parseEdition(context, "edition_key", json.edition_key),
      id: json.event_id ?? 0,
    });
    return { json: { status: "ok", id }, words: "notice.date_kept" };
  },
});

/** Numbers of check-ins that a patron gets at a time, so that few check-ins wait for the database. */
const NUMBERS_RESERVED = 20;

/**
 * Adds a check-in, or changes an existing one if `id` is not 0. `date`: `YYYY[-MM[-DD]]`. Returns the number of the
 * check-in. Throws 403 for a check-in of another patron, 404 for an unknown one.
 */
export async function saveCheckIn(
  context: RequestContext,
  { session, patron, use }: OwnWriter,
  request: {
    id: number;
    work: number;
    type: CheckInType;
    date: string;
    edition: number | undefined;
    isOnce?: boolean;
  },
) {
  const { id, work, type, date, edition, isOnce = false } = request;
  const { now } = context;
  if (id === 0) {
    const added = { work, type, date, edition: edition ?? null, now, isOnce };
    const newId = await patron.diary.add({ ...added, reserved: [] }, use);
    if (newId !== undefined) return newId;
    const owner = session.username.toLowerCase();
    const reserved = await reserveCheckInIds(context.stores.patrons, owner, NUMBERS_RESERVED);
    const addedId = await patron.diary.add({ ...added, reserved }, use);
    if (addedId === undefined) throw new Error("no number for a check-in");
    return addedId;
  }
  if (await patron.diary.change({ id, work, edition, date, now }, use)) return id;
  throw await notOwnCheckIn(context, { id, username: session.username, missing: "not_found.check_in" });
}

/** Creates the error for a check-in that the patron does not have: 403 if another patron has it, else 404. */
async function notOwnCheckIn(
  { stores }: RequestContext,
  { id, username, missing }: { id: number; username: string; missing: FailureKey },
): Promise<Failure> {
  const owner = await readCheckInOwner(stores.patrons, id);
  const isForeign = owner !== undefined && owner !== username.toLowerCase();
  return failure(isForeign ? "forbidden.owner" : missing);
}

/** `POST /works/OL1W/check-ins`: alias without a suffix, required by the interface. */
export const checkInWithoutSuffix: AnyOperation = { ...checkIn, id: "checkInWithoutSuffix" };

export const deleteCheckIn = ownChange({
  id: "deleteCheckIn",
  summary: "Delete one of your check-ins",
  path: { check_in_id: integer(z.int().gt(0)) },
  responses: {
    200: { description: "Check-in deleted; empty body" },
    403: { description: "Check-in of another user, or read-only account" },
  },
  async submit({ path: { check_in_id: id } }, { session: { username }, patron, use }, context) {
    if (!(await patron.diary.remove(id, use))) {
      throw await notOwnCheckIn(context, { id, username, missing: "not_found.check_in_deleted" });
    }
    await forgetCheckIn(context.stores.patrons, id);
    return { words: "notice.date_deleted" };
  },
});

/** `POST /check-ins/<id>/delete`: alias for pages, whose forms have no `DELETE`. */
export const deleteCheckInForm: AnyOperation = { ...deleteCheckIn, id: "deleteCheckInForm" };
