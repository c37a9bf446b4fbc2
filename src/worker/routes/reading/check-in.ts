import { dateText } from "../../../catalog/patrons/event-date.ts";
import type { CheckInType } from "../../../durable/patron/diary.ts";
import { operation } from "../../http/operation.ts";
import { checkInBody, checkInResponses } from "../../reading/check-in-body.ts";
import { done } from "../../reading/done.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import { READING_BODY_BYTES, editionOf, workPath } from "../../reading/parameters.ts";
import { saveCheckIn } from "../../reading/save-check-in.ts";

/** `POST /works/OL1W/check-ins.json`: notes that one has started, gone on with or finished a work (patrons.md 6.1). */
export const checkIn = operation({
  id: "checkIn",
  summary: "Note when one started, went on with or finished a work",
  tag: "reading",
  path: workPath,
  json: checkInBody,
  bodyBytes: READING_BODY_BYTES,
  responses: checkInResponses,
  async handle({ path: { work_id: work }, json }, context) {
    const writer = await ownWriter(context);
    const edition = editionOf(context, { field: "edition_key", text: json.edition_key });
    const id = await saveCheckIn(context, writer, {
      work,
      // The schema has let no other number pass.
      type: json.event_type as CheckInType,
      date: dateText(json),
      edition,
      id: json.event_id ?? 0,
    });
    return done(context, { status: "ok", id });
  },
});
