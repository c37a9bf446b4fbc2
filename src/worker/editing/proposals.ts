import * as z from "zod";
import { utf8Length } from "../../catalog/bytes.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { toReadView } from "../../catalog/document.ts";
import { type CatalogRecord, isObject, typeKeyOf } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { OWN_MEMBERS } from "../../catalog/types.ts";
import {
  type Proposal,
  PROPOSAL_STATES,
  closeProposal,
  createProposal,
  listProposals,
  readProposal,
} from "../../db/editing/proposals.ts";
import { forbidden, notFound, recordNotFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { privateJson } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { command } from "../ui/command.ts";
import { chargeBytes } from "./byte-budget.ts";
import { writeError } from "./edit-desk.ts";
import { readLatest } from "./edit-records.ts";
import { proposalPage, proposalsPage } from "./proposals-page.ts";
import { saveChange, trySave } from "./save-change.ts";

const PROPOSALS_LIMIT = { default: 25, max: 100 };
const PROPOSALS_PAGE_MAX = 1000;
/** Open proposals of an account, and characters of a comment or note. */
const OPEN_PROPOSALS_MAX = 100;
const PROPOSAL_COMMENT_LENGTH = 1000;

const PROPOSABLE_TYPES = new Set(["/type/work", "/type/edition", "/type/author"]);

const members = z.record(z.string(), z.unknown()).describe("Members to set; null removes one");
const proposal = z
  .object({
    id: z.int(),
    key: z.string().describe("Key of the record"),
    revision: z.int().describe("Revision of the record when the change was proposed"),
    changes: members,
    comment: z.string(),
    submitter: z.string(),
    reviewer: z.string().nullable(),
    note: z.string().describe("Reason of the decision"),
    state: z.enum(PROPOSAL_STATES),
    created: z.string(),
    updated: z.string(),
  })
  .meta({ id: "Proposal" });

export const propose = operation({
  id: "propose",
  summary: "Propose a change of a work, edition or author",
  tag: "editing",
  needsActor: true,
  json: z.object({
    key: z.string().max(100).describe("Key of the record, such as `/works/OL1W`"),
    revision: z.int().gte(1).optional().describe("Revision that the change is made for; default: the latest"),
    changes: members,
    comment: z.string().max(PROPOSAL_COMMENT_LENGTH).default("").describe("Reason, and source"),
  }),
  responses: {
    200: { description: "Stored proposal", schema: z.object({ id: z.int(), url: z.string() }) },
    400: { description: "The record could not be saved so; the body names the place" },
    404: { description: "No such record" },
    409: { description: "Revision other than the latest" },
  },
  async handle({ json: { key, revision, changes: sent, comment } }, context) {
    const actor = await context.actor();
    // The body was parsed as JSON.
    const changes = sent as CatalogRecord;
    const fixed = Object.keys(changes).find((name) => OWN_MEMBERS.has(name));
    if (fixed !== undefined) throw failure("bad_data.proposal_member", { name: fixed });
    const latest = (await readLatest(context, [key])).get(key);
    if (latest === undefined || !PROPOSABLE_TYPES.has(typeKeyOf(latest.document) ?? ""))
      throw recordNotFound(key);
    const { revision: base = latest.revision } = { revision };
    const checked = await trySave(context, {
      documents: [applyChanges(latest.document, changes)],
      kind: "update",
      comment,
      expected: { [key]: base },
      isTrial: true,
    });
    if (!checked.ok) throw writeError(checked.failures);
    if (checked.saved.length === 0) throw failure("bad_data.proposal_same");
    await chargeBytes(context, actor, utf8Length(JSON.stringify(changes)));
    const id = await createProposal(
      context.stores.catalog,
      {
        key,
        revision: base,
        changes,
        comment,
        submitter: actor.username ?? "",
        created: formatDatetime(context.now),
      },
      OPEN_PROPOSALS_MAX,
    );
    if (id === undefined) throw failure("conflict.proposals_open", { most: OPEN_PROPOSALS_MAX });
    return privateJson({ id, url: `/proposals/${id}` });
  },
});

function applyChanges(document: CatalogRecord, changes: CatalogRecord): CatalogRecord {
  const values = Object.entries({ ...toReadView(document), ...changes });
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

export const proposals = resource({
  id: "proposals",
  summary: "List proposed changes: all for librarians, your own otherwise",
  tag: "editing",
  query: {
    state: z.enum(PROPOSAL_STATES).default("open").describe("State of the proposals"),
    page: integer(z.int().gte(1).lte(PROPOSALS_PAGE_MAX)).default(1),
    limit: integer(z.int().gte(1).lte(PROPOSALS_LIMIT.max)).default(PROPOSALS_LIMIT.default),
  },
  responses: {
    200: {
      description: "Page of proposals, last changed first; `size` is the total",
      schema: z.object({ size: z.int(), entries: z.array(proposal) }),
    },
  },
  async read({ query: { state, page, limit } }, context) {
    const actor = await context.actor();
    const submitter = hasRole(actor, "librarian") ? undefined : (actor.username ?? "");
    const part = { state, submitter, limit, offset: (page - 1) * limit };
    const { proposals: entries, total } = await listProposals(context.stores.catalog, part);
    return { size: total, entries };
  },
  page: (found, { query }) => proposalsPage(found, query),
});

const path = { id: integer(z.int().gte(1)).describe("Number of the proposal") };

export const readProposedChange = resource({
  id: "proposal",
  summary: "Get a proposed change",
  tag: "editing",
  path,
  responses: {
    200: {
      description: "Proposal, and the members of the record that it would change",
      schema: proposal.extend({
        current: z.record(z.string(), z.unknown()),
        current_revision: z.int(),
      }),
    },
    404: { description: "No such proposal of yours" },
  },
  async read({ path: { id } }, context) {
    const { found } = await requireProposal(id, context);
    const latest = (await readLatest(context, [found.key])).get(found.key);
    const record = latest === undefined ? {} : toReadView(latest.document);
    const current = Object.fromEntries(
      Object.keys(found.changes).flatMap((name) => (name in record ? [[name, record[name]]] : [])),
    );
    return { ...found, current, current_revision: latest?.revision ?? 0 };
  },
  async page(found, _input, context) {
    const actor = await context.actor();
    const isOwn = actor.username === found.submitter;
    return proposalPage(found, { isOwn, isReviewer: hasRole(actor, "librarian") });
  },
});

/** Reads a proposal for its submitter or a librarian. Throws 404 for others. */
async function requireProposal(
  id: number,
  context: RequestContext,
): Promise<{ found: Proposal; isReviewer: boolean; username: string }> {
  const [actor, found] = await Promise.all([context.actor(), readProposal(context.stores.catalog, id)]);
  const isReviewer = hasRole(actor, "librarian");
  const { username } = actor;
  if (found === undefined || username === null || !(isReviewer || username === found.submitter))
    throw notFound();
  return { found, isReviewer, username };
}

const STATE_OF = { accept: "accepted", decline: "declined", withdraw: "withdrawn" } as const;

export const decideProposal = command({
  id: "decideProposal",
  summary: "Accept, decline or withdraw a proposed change",
  tag: "editing",
  path,
  form: {
    decision: z.enum(["accept", "decline", "withdraw"]).describe("Librarians accept and decline"),
    note: z.string().max(PROPOSAL_COMMENT_LENGTH).default("").describe("Reason of the decision"),
  },
  responses: {
    200: {
      description: "Key of the record, and its new revision if the change was saved",
      schema: z.object({ key: z.string(), revision: z.int().optional(), state: z.enum(PROPOSAL_STATES) }),
    },
    400: { description: "The record can no longer be saved so" },
    404: { description: "No such proposal of yours" },
    409: { description: "Already decided, or the record has changed since" },
  },
  async submit({ path: { id }, form: { decision, note } }, context) {
    const { found, isReviewer, username } = await requireProposal(id, context);
    const { key, revision, changes, comment, submitter } = found;
    if (decision === "withdraw" ? username !== submitter : !isReviewer) throw forbidden();
    if (found.state !== "open") throw failure("conflict.proposal_closed");
    const latest = decision === "accept" ? (await readLatest(context, [key])).get(key)?.document : undefined;
    if (decision === "accept" && !isObject(latest)) throw recordNotFound(key);
    // Q842: a change of its submitter. If it is saved and the decision is not, the next attempt is a conflict.
    const saved =
      latest &&
      (await saveChange(context, {
        documents: [applyChanges(latest, changes)],
        kind: "update",
        comment,
        author: `/people/${submitter}`,
        expected: { [key]: revision },
        data: { proposal: String(id), reviewer: username },
      }));
    const state = STATE_OF[decision];
    const reviewer = decision === "withdraw" ? null : username;
    const isClosed = await closeProposal(context.stores.catalog, id, {
      state,
      reviewer,
      note,
      updated: formatDatetime(context.now),
    });
    if (!isClosed) throw failure("conflict.proposal_closed");
    const [stored] = saved?.saved ?? [];
    return { key, ...(stored && { revision: stored.revision }), state };
  },
  done: { to: ({ path: { id } }) => `/proposals/${id}`, notice: "notice.proposal_changed" },
});
