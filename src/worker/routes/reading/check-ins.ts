import * as z from "zod";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { editionKey, workPath } from "../../reading/parameters.ts";
import { patronOf } from "../../http/session.ts";

const entry = z.object({
  id: z.int(),
  event_type: z.int(),
  event_date: z.string(),
  edition_key: z.string().nullable(),
});

/** `GET /works/OL1W/check-ins.json`: one's own check-ins of a work (patrons.md 6.3). */
export const ownCheckIns = operation({
  id: "ownCheckIns",
  summary: "One's own check-ins of a work",
  tag: "reading",
  path: workPath,
  responses: {
    200: { description: "By date", schema: z.object({ entries: z.array(entry) }) },
    401: { description: "Not logged in" },
  },
  async handle({ path: { work_id: work } }, context) {
    const { username } = await ownSession(context);
    const checkIns = await patronOf(context.stores, username).diary.checkIns(work);
    const entries = checkIns.map(({ id, type, date, edition }) => ({
      id,
      event_type: type,
      event_date: date,
      edition_key: editionKey(context, edition),
    }));
    return privateJson({ entries });
  },
});
