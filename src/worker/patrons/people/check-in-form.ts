import * as z from "zod";
import { readTypedDate } from "../../../catalog/patrons/event-date.ts";
import { wantsHtml } from "../../http/accept.ts";
import { operation } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";
import { say } from "../../ui/words.ts";
import { written } from "../reading/answers.ts";
import { checkInResponses, saveCheckIn } from "../reading/check-ins.ts";
import { ownWriter } from "../reading/own-writer.ts";
import {
  READING_BODY_BYTES,
  backField,
  edition,
  editionOf,
  field,
  valueError,
  workPath,
} from "../reading/parameters.ts";
import { ownBookPage } from "./own-book.ts";
import { shownPatron } from "./shown-patron.ts";

/** `POST /works/OL1W/check-ins/add`: `check-ins.json` for the form of a page. Q215: JSON bodies are its own. */
export const checkInForm = operation({
  id: "checkInForm",
  summary: "Note when one started, went on with or finished a work, from a form",
  tag: "reading",
  path: workPath,
  form: {
    event_type: z.enum(["1", "2", "3"]).default("3").describe("1 started, 2 went on, 3 finished"),
    date: z.string().describe("YYYY, YYYY-MM or YYYY-MM-DD; other forms where they mean one day"),
    edition_key: field(edition()),
    event_id: integer(z.int().gte(0)).optional().describe("The check-in to be changed"),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    ...checkInResponses,
    422: { description: "No such date; people get the form again" },
  },
  async handle({ path: { work_id: work }, form }, context) {
    const writer = await ownWriter(context);
    const choices = readTypedDate(form.date);
    const [date] = choices;
    if (date === undefined || choices.length > 1) {
      const message = "A date is a year, a month such as 2026-05, or a day such as 2026-05-10";
      if (!wantsHtml(context.request)) throw valueError(["body", "date"], message, form.date);
      const error =
        date === undefined ? say("own.bad_date") : say("own.which_date", { date: form.date.trim() });
      const sent = { type: form.event_type, date: form.date, error, choices };
      const patron = await shownPatron(context, writer.session.username);
      return ownBookPage(context, patron, { work, sent });
    }
    const id = await saveCheckIn(context, writer, {
      work,
      type: form.event_type === "1" ? 1 : form.event_type === "2" ? 2 : 3,
      date,
      edition: editionOf(context, { field: "edition_key", text: form.edition_key }),
      id: form.event_id ?? 0,
    });
    return written(context, { status: "ok", id }, { target: form.redir_url, words: "notice.date_kept" });
  },
});
