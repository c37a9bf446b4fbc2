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
  backField,
  countsJson,
  editionField,
  followWorks,
  optionalField,
  ownChange,
  parseEdition,
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
  async submit({ path: { work_id: work }, query, form }, { patron }, context) {
    const op = form.op ?? query.op;
    if (op === "remove") return { json: { success: true, rows: await patron.opinions.unaward(work) } };
    const edition = parseEdition(context, "edition_key", form.edition_key ?? query.edition_key) ?? null;
    const comment = form.comment ?? query.comment ?? "";
    const topic = (form.topic ?? query.topic ?? "").trim();
    // Q212: a refusal has status 200. Awards that would be replaced are no reason for one.
    const replaces = op === "update";
    if (topic === "") {
      const [entry, awards] = await Promise.all([patron.shelves.entry(work), patron.opinions.awards()]);
      const topicOfWork = replaces ? undefined : awards.find((other) => other.work === work)?.topic;
      const isRead = entry?.shelf === ALREADY_READ;
      return {
        json: { errors: describeAwardProblems({ hasTopic: false, isRead, topicOfWork }) },
        isRefusal: true,
      };
    }
    const id = await reserveAwardId(context.stores.patrons);
    const newAward = { id, work, topic, edition, comment, replaces, now: context.now };
    const refusal = await patron.opinions.award(newAward);
    if (refusal === null) return { json: { success: true, award: id } };
    const { isUnread, sameWork, sameTopic } = refusal;
    const topicOfWork = replaces ? undefined : sameWork?.topic;
    const workOfTopic = replaces || sameTopic === null ? undefined : workKey(context, sameTopic.work);
    const problems = { hasTopic: true, isRead: !isUnread, topicOfWork, workOfTopic };
    return { json: { errors: describeAwardProblems(problems) }, isRefusal: true };
  },
});

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
