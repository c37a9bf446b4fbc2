import * as z from "zod";
import { type DateFlaw, dateFlaw } from "../../catalog/patrons/event-date.ts";
import { VALUE_ERROR } from "../search/parameters.ts";
import { jsonInteger } from "../http/parameters.ts";
import { edition } from "./parameters.ts";

const YEARS = { min: 1, max: 9999 };
const MONTHS = { min: 1, max: 12 };
const DAYS = { min: 1, max: 31 };

const FLAWS: Readonly<Record<DateFlaw, string>> = {
  "day-without-month": "Month is required when day is provided",
  "no-such-day": "Invalid calendar date combination",
};

function within({ min, max }: { readonly min: number; readonly max: number }) {
  return jsonInteger(z.int().gte(min).lte(max));
}

const eventType = z.int().superRefine((value, context) => {
  if (value >= 1 && value <= 3) return;
  context.addIssue({ code: "custom", params: VALUE_ERROR, message: "Value error, Invalid event type" });
});

/** What is answered to a check-in, however it was sent. */
export const checkInResponses = {
  200: { description: "The check-in's number", schema: z.object({ status: z.literal("ok"), id: z.int() }) },
  303: { description: "For people: back to the page with the form" },
  401: { description: "Not logged in" },
  403: { description: "Somebody else's check-in, or the account may read only" },
  404: { description: "No check-in of this work with this number" },
};

/** Body of a check-in (patrons.md 6.1). */
export const checkInBody = z
  .object({
    event_type: jsonInteger(eventType).describe("1 started, 2 went on, 3 finished"),
    year: within(YEARS),
    month: within(MONTHS).nullish(),
    day: within(DAYS).nullish().describe("Only with a month"),
    edition_key: edition().nullish(),
    event_id: jsonInteger().nullish().describe("The check-in to be changed; 0 or none makes a new one"),
  })
  .superRefine((date, context) => {
    // Parts that are out of bounds have been told of already.
    const isBounded = (date.month ?? 0) <= MONTHS.max && (date.day ?? 0) <= DAYS.max;
    const flaw = isBounded ? dateFlaw(date) : undefined;
    if (flaw === undefined) return;
    context.addIssue({ code: "custom", params: VALUE_ERROR, message: `Value error, ${FLAWS[flaw]}` });
  });
