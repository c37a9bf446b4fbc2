import * as z from "zod";
import { parseOlid } from "../../../catalog/keys.ts";
import { describeAwardProblems } from "../../../catalog/patrons/activity.ts";
import { ALREADY_READ } from "../../../catalog/patrons/shelves.ts";
import { countAwards } from "../../../db/patrons/counts.ts";
import { reserveAwardId } from "../../../db/patrons/activity.ts";
import { validationFailed } from "../../http/errors.ts";
import { invalid } from "../../http/input-failures.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import {
  type Owner,
  backField,
  countsJson,
  editionField,
  editionOf,
  followWorks,
  optionalField,
  ownChange,
  workKey,
  workPath,
} from "./own-data.ts";

const AWARD_TOPIC_LENGTH = 100;
const AWARD_COMMENT_LENGTH = 2000;

const fields = {
  op: optionalField(z.enum(["add", "remove", "update"])).describe("Default `add`; `update` replaces"),
  edition_key: optionalField(editionField()),
  topic: optionalField(z.string().max(AWARD_TOPIC_LENGTH)),
  comment: optionalField(z.string().max(AWARD_COMMENT_LENGTH)),
};

export const award = ownChange({
  id: "award",
  summary: "Give a work an award for a topic, or remove it",
  path: workPath,
  query: fields,
  form: { ...fields, redir_url: backField },
  responses: {
    200: {
      description: "ID of the award, number of removed awards, or reasons for a refusal",
      schema: z
        .object({ success: z.literal(true), award: z.int().optional(), rows: z.int().optional() })
        .or(z.object({ errors: z.string() })),
    },
  },
  async submit({ path: { work_id: work }, query, form }, writer, context) {
    const op = form.op ?? query.op ?? "add";
    if (op === "remove") return { json: { success: true, rows: await writer.patron.opinions.unaward(work) } };
    const text = form.edition_key ?? query.edition_key;
    const outcome = await giveAward(context, writer, {
      work,
      topic: (form.topic ?? query.topic ?? "").trim(),
      edition: editionOf(context, { field: "edition_key", text }) ?? null,
      comment: form.comment ?? query.comment ?? "",
      replaces: op === "update",
    });
    // Q212: a refusal is answered with 200.
    return "errors" in outcome
      ? { json: outcome, isRefusal: true }
      : { json: { success: true, award: outcome.award } };
  },
});

interface NewAward {
  work: number;
  /** Empty if the client sent no topic, which is an error. */
  topic: string;
  edition: number | null;
  comment: string;
  /** True if existing awards of the patron for this work and this topic are replaced. */
  replaces: boolean;
}

async function giveAward(
  context: RequestContext,
  { patron }: Owner,
  newAward: NewAward,
): Promise<{ award: number } | { errors: string }> {
  if (newAward.topic === "") return { errors: await findProblems(patron, newAward) };
  const id = await reserveAwardId(context.stores.patrons);
  const refusal = await patron.opinions.award({ ...newAward, id, now: context.now });
  if (refusal === null) return { award: id };
  const { isUnread, sameWork, sameTopic } = refusal;
  const checks = { hasTopic: true, isRead: !isUnread };
  // Awards that would be replaced do not count as conflicts.
  if (newAward.replaces) return { errors: describeAwardProblems(checks) };
  const workOfTopic = sameTopic === null ? undefined : workKey(context, sameTopic.work);
  return { errors: describeAwardProblems({ ...checks, topicOfWork: sameWork?.topic, workOfTopic }) };
}

async function findProblems(patron: Owner["patron"], { work, replaces }: NewAward) {
  const [entry, awards] = await Promise.all([patron.shelves.entry(work), patron.opinions.awards()]);
  const topicOfWork = replaces ? undefined : awards.find((existing) => existing.work === work)?.topic;
  return describeAwardProblems({ hasTopic: false, isRead: entry?.shelf === ALREADY_READ, topicOfWork });
}

export const awardCount = operation({
  id: "awardCount",
  summary: "Count the awards of a work, patron or topic",
  tag: "reading",
  query: {
    work_id: optionalField(z.string()).describe("Work, as OL1W or 1"),
    username: optionalField(z.string()),
    topic: optionalField(z.string()),
  },
  responses: {
    200: { description: "Number of awards that match all parameters", schema: z.object({ count: z.int() }) },
  },
  async handle({ query: { work_id: text, username, topic } }, context) {
    const [work] = await followWorks(context, text === undefined ? [] : [parseWork(context, text)]);
    const patrons = context.stores.patrons.withSession("first-unconstrained");
    const count = await countAwards(patrons, { work, patron: username, topic });
    return countsJson({ count }, { isOwn: false });
  },
});

function parseWork({ settings }: RequestContext, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const olid = parseOlid(text, settings.RECORD_PREFIX);
  if (olid?.kind === "work") return olid.number;
  const failed = { type: "int_parsing", input: text };
  throw validationFailed([invalid(["query", "work_id"], { key: "validation.integer_text" }, failed)]);
}
