import * as z from "zod";
import { parseOlid } from "../../../catalog/keys.ts";
import { countAwards } from "../../../db/patrons/awards.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { validationFailed } from "../../http/errors.ts";
import { countsJson } from "../../reading/cached.ts";
import { field } from "../../reading/parameters.ts";

const NUMBER = /^\d{1,15}$/;

/** `GET /awards/count.json`: how many awards there are (patrons.md 12). */
export const awardCount = operation({
  id: "awardCount",
  summary: "How many awards a work, a patron or a topic has",
  tag: "reading",
  query: {
    work_id: field(z.string()).describe("OL1W or 1"),
    username: field(z.string()),
    topic: field(z.string()),
  },
  responses: {
    200: { description: "Those that fit everything given", schema: z.object({ count: z.int() }) },
  },
  async handle({ query: { work_id: text, username, topic } }, context) {
    const work = text === undefined ? undefined : workNumber(context, text);
    const patrons = context.stores.patrons.withSession("first-unconstrained");
    return countsJson(
      { count: await countAwards(patrons, { work, patron: username, topic }) },
      { isOwn: false },
    );
  },
});

function workNumber({ settings }: RequestContext, text: string): number {
  if (NUMBER.test(text)) return Number(text);
  const olid = parseOlid(text, settings.RECORD_PREFIX);
  if (olid?.kind === "work") return olid.number;
  const msg = "Input should be a valid integer, unable to parse string as an integer";
  throw validationFailed([{ type: "int_parsing", loc: ["query", "work_id"], msg, input: text }]);
}
