import * as z from "zod";
import { parseOlid } from "../../../catalog/keys.ts";
import { awardProblems } from "../../../catalog/patrons/award.ts";
import { ALREADY_READ } from "../../../catalog/patrons/shelves.ts";
import { newAwardId } from "../../../db/patrons/numbers.ts";
import { countAwards } from "../../../db/patrons/counts.ts";
import { validationFailed } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { privateJson } from "../../http/reply.ts";
import { countsJson, written } from "./answers.ts";
import { type OwnWriter, OWN_WRITE_RESPONSES, ownWriter } from "./own-writer.ts";
import { READING_BODY_BYTES, backField, edition, editionOf, field, workKey, workPath } from "./parameters.ts";

/** Longest topic and longest comment of an award, in characters. */
const AWARD_TOPIC_LENGTH = 100;
const AWARD_COMMENT_LENGTH = 2000;

const fields = {
  op: field(z.enum(["add", "remove", "update"])).describe("add if absent; update replaces"),
  edition_key: field(edition()),
  topic: field(z.string().max(AWARD_TOPIC_LENGTH)),
  comment: field(z.string().max(AWARD_COMMENT_LENGTH)),
};

/** `POST /works/OL1W/awards.json`: gives a work the award for the best on a topic, or takes it back. */
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
    ...OWN_WRITE_RESPONSES,
  },
  async handle({ path: { work_id: work }, query, form }, context) {
    const writer = await ownWriter(context);
    const op = form.op ?? query.op ?? "add";
    if (op === "remove") {
      const removed = await writer.patron.opinions.unaward(work);
      return written(context, { success: true, rows: removed }, { target: form.redir_url });
    }
    const text = form.edition_key ?? query.edition_key;
    const given = await giveAward(context, writer, {
      work,
      topic: (form.topic ?? query.topic ?? "").trim(),
      edition: editionOf(context, { field: "edition_key", text }) ?? null,
      comment: form.comment ?? query.comment ?? "",
      replaces: op === "update",
    });
    // Q212: a refusal is answered with 200.
    return "errors" in given
      ? privateJson(given)
      : written(context, { success: true, award: given.award }, { target: form.redir_url });
  },
});

interface NewAward {
  readonly work: number;
  /** Empty if the client sent no topic; no award is given then. */
  readonly topic: string;
  readonly edition: number | null;
  readonly comment: string;
  /** True if existing awards of the patron for this work and this topic are replaced. */
  readonly replaces: boolean;
}

/** Gives an award. Returns its number, or all reasons against it. */
async function giveAward(
  context: RequestContext,
  { patron }: OwnWriter,
  wanted: NewAward,
): Promise<{ readonly award: number } | { readonly errors: string }> {
  if (wanted.topic === "") return { errors: await problemsWithoutTopic(patron, wanted) };
  const id = await newAwardId(context.stores.patrons);
  const refusal = await patron.opinions.award({ ...wanted, id, now: context.now });
  if (refusal === null) return { award: id };
  const { isUnread, sameWork, sameTopic } = refusal;
  const told = { hasTopic: true, isRead: !isUnread };
  // Awards that would be replaced do not count as conflicts.
  if (wanted.replaces) return { errors: awardProblems(told) };
  const workOfTopic = sameTopic === null ? undefined : workKey(context, sameTopic.work);
  return { errors: awardProblems({ ...told, topicOfWork: sameWork?.topic, workOfTopic }) };
}

async function problemsWithoutTopic(patron: OwnWriter["patron"], { work, replaces }: NewAward) {
  const [entry, awards] = await Promise.all([patron.shelves.entry(work), patron.opinions.awards()]);
  const topicOfWork = replaces ? undefined : awards.find((given) => given.work === work)?.topic;
  return awardProblems({ hasTopic: false, isRead: entry?.shelf === ALREADY_READ, topicOfWork });
}

/** `GET /awards/count.json`: the number of awards. */
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
    const count = await countAwards(patrons, { work, patron: username, topic });
    return countsJson({ count }, { isOwn: false });
  },
});

const NUMBER = /^\d{1,15}$/;

function workNumber({ settings }: RequestContext, text: string): number {
  if (NUMBER.test(text)) return Number(text);
  const olid = parseOlid(text, settings.RECORD_PREFIX);
  if (olid?.kind === "work") return olid.number;
  const msg = "Input should be a valid integer, unable to parse string as an integer";
  throw validationFailed([{ type: "int_parsing", loc: ["query", "work_id"], msg, input: text }]);
}
