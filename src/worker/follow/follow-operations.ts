import { KIB } from "../../catalog/units.ts";
import * as z from "zod";
import { readConflicts } from "../../db/service/follow.ts";
import { readServiceState } from "../../db/service/service-state.ts";
import type { Position } from "../../import/follow/position.ts";
import { FOLLOWED_KINDS } from "../../import/follow/source.ts";
import { operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Settings, contactText } from "../http/settings.ts";
import type { BudgetedJobs, Jobs } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { adminPage, dataTable, valueText } from "../ui/data-page.ts";
import { addressOf } from "../ui/markup.ts";
import { commas, inEnglish, link, paragraph } from "../ui/parts.ts";
import { number, t } from "../ui/words.ts";
import { followSource, readStoredPosition } from "./follow.ts";

/** Limits of one call: requests to the source service, and milliseconds after which it sends no further one. */
const CALL_REQUESTS = 50;
const CALL_MS = 5000;
const SWEEP_REQUESTS = 60;
/** Maximum size of the body in bytes, and maximum number of lists, series and subjects in it. */
const BODY_BYTES = 64 * KIB;
const PARTS_MAX = 100;
const CONFLICTS_LIMIT = { default: 100, max: 1000 };

const publicPositionSchema = z.object({
  source: z.string(),
  kinds: z.array(z.enum(FOLLOWED_KINDS)),
  history: z.boolean(),
  part: z.boolean().describe("True if only records that already exist here are updated"),
  day: z.string().describe("Day whose changes are being read"),
  changes: z.int().describe("Changes read so far"),
  stored: z.int().describe("Revisions stored so far"),
  waiting: z.int().describe("Maximum number of requests left before the next changes are read"),
  caught_up: z.boolean(),
  failures: z.int().describe("Consecutive failed requests"),
  problem: z.string().nullable(),
  wait: z.int().describe("Milliseconds until the next request to the other service"),
  incomplete: z.array(z.string()).describe("Days with more changes than the other service lists"),
  failed: z
    .array(z.string())
    .describe("Requests that failed although the other service was up; retried the next day"),
});
const conflictSchema = z.object({
  key: z.string(),
  there: z.int().describe("Revision at the other service"),
  seen: z.string(),
});
const stateSchema = z.object({
  position: publicPositionSchema.nullable(),
  kept: z.array(conflictSchema).describe("Records changed at the other service that keep their local edits"),
  next: z.string().nullable().describe("`after` of the next page"),
});

function toPublicPosition(position: Position, now: number): z.infer<typeof publicPositionSchema> {
  const { after, todo, ...rest } = position;
  const failed = position.failed.map((entry) => entry.replace(/^\+|\?$/g, ""));
  return publicPositionSchema.parse({
    ...rest,
    failed,
    waiting: todo.length,
    wait: Math.max(0, after - now),
  });
}

export const followNow = operation({
  id: "followNow",
  summary: "Import recent changes from another service",
  tag: "operation",
  json: z.strictObject({
    source: z.url({ protocol: /^https?$/ }).optional(),
    since: z.iso.date().optional(),
    only: z.array(z.enum(FOLLOWED_KINDS)).min(1).optional(),
    history: z.boolean().optional(),
    parts: z.array(z.string().max(500)).max(PARTS_MAX).optional(),
    rate: z.number().positive().max(1000).optional().describe("Requests per second"),
    contact: contactText.optional(),
  }),
  bodyBytes: BODY_BYTES,
  responses: {
    200: { description: "Progress of the import", schema: publicPositionSchema },
    400: { description: "`source` or `since` is missing" },
    503: { description: "Import already running" },
  },
  async handle({ json: { rate, contact, ...request } }, context) {
    const { settings, sources } = context;
    const policy = { ...crawlPolicyOf(settings), ...(rate && { rate }), ...(contact && { contact }) };
    const limits = { requests: CALL_REQUESTS, isOver: () => sources.now() > context.now + CALL_MS };
    const position = await followSource(context, request, { policy, limits });
    return json(toPublicPosition(position, sources.now()), { cacheControl: NO_STORE });
  },
});

const conflictsQuery = {
  after: z.string().max(500).default("").describe("Key to start after"),
  limit: integer(z.int().gte(1).lte(CONFLICTS_LIMIT.max)).default(CONFLICTS_LIMIT.default),
};

async function readFollowState(jobs: Jobs, { after, limit }: { after: string; limit: number }) {
  const { position } = await readStoredPosition(jobs);
  const conflicts = await readConflicts(jobs.stores.catalog, after, limit);
  const next = conflicts.length === limit ? (conflicts.at(-1)?.key ?? null) : null;
  return {
    position: position === undefined ? null : toPublicPosition(position, jobs.sources.now()),
    kept: conflicts,
    next,
  };
}

export const followState = operation({
  id: "followState",
  summary: "Get the progress of following another service",
  tag: "operation",
  query: conflictsQuery,
  responses: {
    200: { description: "Progress, and the changes that were not imported", schema: stateSchema },
  },
  handle: async ({ query }, context) =>
    json(await readFollowState(context, query), { cacheControl: NO_STORE }),
});

export const adminFollow = resource({
  id: "adminFollow",
  summary: "Show the progress of following another service, and conflicting edits",
  tag: "administration",
  query: conflictsQuery,
  responses: { 200: { description: "JSON for programs, a page for people", schema: stateSchema } },
  read: ({ query }, context) => readFollowState(context, query),
  page({ position, kept, next }) {
    const source = position?.source ?? "";
    return adminPage({
      title: t("follow.title"),
      parts: [
        position === null
          ? paragraph(t("follow.none"))
          : [
              paragraph(
                t("follow.at", {
                  source: link(source, source),
                  day: valueText(position.day),
                  changes: position.changes,
                  stored: position.stored,
                }),
              ),
              position.problem !== null && paragraph(inEnglish(position.problem)),
              position.incomplete.length > 0 &&
                paragraph(t("follow.incomplete", { days: valueText(position.incomplete) })),
              position.failed.length > 0 &&
                paragraph(t("follow.failed", { entries: commas(position.failed) })),
            ],
        kept.length > 0 &&
          dataTable({
            caption: t("follow.kept"),
            members: {
              key: ["follow.record", (key) => link(`${addressOf(key)}?m=history`, key)],
              there: [
                "follow.there",
                (revision, { key }) => link(`${source}${addressOf(key)}?v=${revision}`, number(revision)),
              ],
              seen: "follow.seen",
            },
            rows: kept,
          }),
        next !== null && paragraph(link(`/admin/follow?after=${encodeURIComponent(next)}`, t("follow.more"))),
      ],
    });
  },
});

/** Scheduled task: follows the service of the settings, unless the catalog is read-only. */
export async function sweepFollow(jobs: BudgetedJobs): Promise<void> {
  const { settings, sources, budget } = jobs;
  if (settings.FOLLOW_URL === "" || (await readServiceState(jobs.stores.catalog))?.value === "on") return;
  const { position } = await readStoredPosition(jobs);
  if (position !== undefined && Math.max(position.held, position.after) > sources.now()) return;
  const { FOLLOW_URL: source, FOLLOW_HISTORY: history } = settings;
  const since = settings.FOLLOW_SINCE === "" ? undefined : settings.FOLLOW_SINCE;
  // The first day to read is not known yet.
  if (position === undefined && since === undefined) return;
  const only = settings.FOLLOW_ONLY.length === 0 ? [...FOLLOWED_KINDS] : settings.FOLLOW_ONLY;
  await followSource(
    jobs,
    { source, since, only, history },
    { policy: crawlPolicyOf(settings), limits: { requests: SWEEP_REQUESTS, isOver: () => budget.isOver() } },
  );
}

function crawlPolicyOf({ FOLLOW_RATE: rate, FOLLOW_CONTACT: contact, BASE_URL: site }: Settings) {
  return { rate, contact: contact || site };
}
