import * as z from "zod";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { done } from "../../reading/done.ts";
import { giveAward } from "../../reading/give-award.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import {
  READING_BODY_BYTES,
  backField,
  edition,
  editionOf,
  field,
  workPath,
} from "../../reading/parameters.ts";

/** Longest topic and longest comment of an award, in characters. */
export const AWARD_TOPIC_LENGTH = 100;
export const AWARD_COMMENT_LENGTH = 2000;

const fields = {
  op: field(z.enum(["add", "remove", "update"])).describe("add if absent; update replaces"),
  edition_key: field(edition()),
  topic: field(z.string().max(AWARD_TOPIC_LENGTH)),
  comment: field(z.string().max(AWARD_COMMENT_LENGTH)),
};

/** `POST /works/OL1W/awards.json`: calls a work the best on a topic, or no longer (patrons.md 12, lookup.md 16.3). */
export const award = operation({
  id: "award",
  summary: "Call a work that one has read the best on a topic, or no longer",
  tag: "reading",
  path: workPath,
  query: fields,
  form: { ...fields, redir_url: backField },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: {
      description: "The award's number, how many were removed, or why none was given",
      schema: z
        .object({ success: z.literal(true), award: z.int().optional(), rows: z.int().optional() })
        .or(z.object({ errors: z.string() })),
    },
    303: { description: "For people: back to the page with the form" },
    401: { description: "Not logged in" },
    403: { description: "The account may read only" },
  },
  async handle({ path: { work_id: work }, query, form }, context) {
    const writer = await ownWriter(context);
    const op = form.op ?? query.op ?? "add";
    if (op === "remove") {
      const removed = await writer.patron.circle.unaward(work);
      return done(context, { success: true, rows: removed }, form.redir_url);
    }
    const text = form.edition_key ?? query.edition_key;
    const given = await giveAward(context, writer, {
      work,
      topic: (form.topic ?? query.topic ?? "").trim(),
      edition: editionOf(context, { field: "edition_key", text }),
      comment: form.comment ?? query.comment ?? "",
      replaces: op === "update",
    });
    // Q212: a refusal is told with 200.
    return "errors" in given
      ? privateJson(given)
      : done(context, { success: true, award: given.award }, form.redir_url);
  },
});
