import * as z from "zod";
import { dateFlaw, dateText } from "../../../catalog/patrons/event-date.ts";
import { validationFailed } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { checkInResponses } from "../../reading/check-in-body.ts";
import { done } from "../../reading/done.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import {
  READING_BODY_BYTES,
  backField,
  edition,
  editionOf,
  field,
  workPath,
} from "../../reading/parameters.ts";
import { saveCheckIn } from "../../reading/save-check-in.ts";
import { integer } from "../../http/parameters.ts";

const DATE = /^(?<year>\d{4})(?:-(?<month>0[1-9]|1[0-2])(?:-(?<day>0[1-9]|[12]\d|3[01]))?)?$/;

/** `POST /works/OL1W/check-ins/add`: the same as `check-ins.json`, for the form of a page. Q215: JSON bodies are its own. */
export const checkInForm = operation({
  id: "checkInForm",
  summary: "Note when one started, went on with or finished a work, from a form",
  tag: "reading",
  path: workPath,
  form: {
    event_type: z.enum(["1", "2", "3"]).default("3").describe("1 started, 2 went on, 3 finished"),
    date: z.string().describe("YYYY, YYYY-MM or YYYY-MM-DD"),
    edition_key: field(edition()),
    event_id: field(integer(z.int().gte(0))).describe("The check-in to be changed"),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: checkInResponses,
  async handle({ path: { work_id: work }, form }, context) {
    const writer = await ownWriter(context);
    const id = await saveCheckIn(context, writer, {
      work,
      type: form.event_type === "1" ? 1 : form.event_type === "2" ? 2 : 3,
      date: dateOf(form.date),
      edition: editionOf(context, { field: "edition_key", text: form.edition_key }),
      id: form.event_id ?? 0,
    });
    return done(context, { status: "ok", id }, form.redir_url);
  },
});

function dateOf(text: string): string {
  const { year = "0", month, day } = DATE.exec(text.trim())?.groups ?? {};
  const date = {
    year: Number(year),
    month: month === undefined ? null : Number(month),
    day: day === undefined ? null : Number(day),
  };
  if (date.year > 0 && dateFlaw(date) === undefined) return dateText(date);
  const msg = "Value error, A date is a year, a month such as 2026-05, or a day such as 2026-05-10";
  throw validationFailed([
    { type: "value_error", loc: ["body", "date"], msg, input: text, ctx: { error: {} } },
  ]);
}
