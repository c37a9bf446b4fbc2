import { failure } from "../http/failure.ts";
import { type Text, type TextKey, type TextValues, english } from "../../catalog/texts.ts";
import * as z from "zod";
import { utf8Length } from "../../catalog/bytes.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import {
  type MergeKind,
  CHOSEN_MEMBERS,
  MERGE_RULES,
  chooseMembers,
} from "../../catalog/editing/merge-rules.ts";
import { parseOlid } from "../../catalog/keys.ts";
import { typeKeyOf } from "../../catalog/record.ts";
import {
  type RequestUpdate,
  REQUEST_STATUS,
  readRequest,
  createRequest,
  updateRequest,
} from "../../db/editing/merge-requests.ts";
import { chargeBytes } from "./byte-budget.ts";
import { editRecords } from "./edit-records.ts";
import { hasRole } from "../../catalog/roles.ts";
import { toReadView } from "../../catalog/document.ts";
import { authenticationRequired } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { setFlash } from "../http/pages/flash.ts";
import { type Redirect, NO_STORE, json, redirect } from "../http/reply.ts";
import { notify } from "../ui/notice.ts";
import { command } from "../ui/command.ts";
import { splitCommas, mergeRequestUrl } from "./merge-note.ts";
import { MERGE_COMMENT_LENGTH, MERGE_DUPLICATES_MAX, mergeNow } from "./merge.ts";

const KINDS: Readonly<Record<"1" | "2", MergeKind>> = { 1: "work", 2: "author" };

const form = {
  rtype: z.enum(["create-request", "update-request"]),
  action: z.enum(["create-pending", "create-merged", "comment", "claim", "unassign", "approve", "decline"]),
  mr_type: z.enum(["1", "2"]).optional().describe("Type of the records: 1 works, 2 authors"),
  olids: z
    .string()
    .max(MERGE_DUPLICATES_MAX * 20)
    .optional()
    .describe("Numbers of the records, comma-separated"),
  primary: z.string().max(40).optional(),
  comment: z.string().max(MERGE_COMMENT_LENGTH).optional(),
  mrid: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
};
type Form = { readonly [name in keyof typeof form]: z.output<(typeof form)[name]> };

const answer = z.object({
  status: z.enum(["ok", "error"]),
  id: z.int().optional(),
  error: z.string().optional(),
  reviewer: z.string().optional(),
  newStatus: z.int().optional(),
});
type Answer = z.infer<typeof answer>;
type Result = (Answer & { status: "ok" }) | { status: "error"; text: Text };

export const mergeRequests = command({
  id: "mergeRequests",
  summary: "Create or update a merge request",
  tag: "editing",
  form,
  responses: {
    200: { description: "Outcome; `status` is `error` if the request was refused", schema: answer },
  },
  async submit({ form: fields }, context) {
    const actor = await context.actor();
    // Q119: a signed-in user without permission gets 401 here.
    if (actor.username === null || !hasRole(actor, "librarian")) throw authenticationRequired("Session");
    await chargeBytes(context, actor, utf8Length(fields.comment ?? ""));
    const apply = fields.rtype === "create-request" ? create : update;
    return apply(fields, actor.username, context);
  },
  asJson(result) {
    const body: Answer = result.status === "ok" ? result : { status: "error", error: english(result.text) };
    return json(body, { cacheControl: NO_STORE });
  },
  done: { to: "/merges", notice: "notice.merge_changed" },
  page(result, _input, context) {
    if (result.status === "ok") notify(context, "notice.merge_changed");
    else setFlash(context, { type: "error", words: result.text.key, values: result.text.values });
    return redirect(303, "/merges", { cacheControl: NO_STORE });
  },
});

async function create(
  { action, mr_type: type, olids = "", primary, comment }: Form,
  username: string,
  context: RequestContext,
): Promise<Result> {
  if (action !== "create-pending" && action !== "create-merged") throw failure("bad_data.action", { action });
  if (type === undefined) throw failure("bad_data.missing_value", { name: "mr_type" });
  const { RECORD_PREFIX: prefix } = context.settings;
  const kind = KINDS[type];
  const id = await proposeMerge(context, {
    kind,
    olids: parseOlids(splitCommas(olids), { kind, prefix }),
    primary: primary === undefined || primary === "" ? undefined : parseOlids([primary], { kind, prefix })[0],
    isMerged: action === "create-merged",
    comment: comment ?? null,
    username,
  });
  return id === undefined ? refused("bad_request.merge_exists") : { status: "ok", id };
}

interface Proposal {
  kind: MergeKind;
  olids: readonly string[];
  primary: string | undefined;
  isMerged: boolean;
  comment: string | null;
  username: string;
}

/** Adds a proposal to the queue and returns its id; undefined if there is one for these records already. */
function proposeMerge(
  { stores, settings, now }: RequestContext,
  { kind, olids, primary, isMerged, comment, username }: Proposal,
): Promise<number | undefined> {
  return createRequest(stores.catalog, {
    submitter: username,
    reviewer: isMerged ? username : null,
    url: mergeRequestUrl(kind, { olids, primary, prefix: settings.RECORD_PREFIX }),
    mrType: kind === "work" ? 1 : 2,
    status: isMerged ? REQUEST_STATUS.merged : REQUEST_STATUS.pending,
    titleOf: MERGE_RULES[kind].folder + (primary ?? olids[0] ?? ""),
    comment: comment === "" ? null : comment,
    now: formatDatetime(now),
  });
}

function parseOlids(
  texts: readonly string[],
  { kind, prefix }: { kind: MergeKind; prefix: string },
): string[] {
  if (texts.length === 0 || texts.length > MERGE_DUPLICATES_MAX)
    throw failure("bad_data.missing_value", { name: "olids" });
  return texts.map((text) => {
    const olid = parseOlid(text, prefix);
    if (olid?.kind !== kind) {
      throw failure(kind === "work" ? "bad_data.work_number" : "bad_data.author_number", { value: text });
    }
    return olid.olid;
  });
}

async function update(
  { action, mrid, comment = "" }: Form,
  username: string,
  { stores, now }: RequestContext,
): Promise<Result> {
  if (mrid === undefined) throw failure("bad_data.missing_value", { name: "mrid" });
  const id = Number(mrid);
  const request = await readRequest(stores.catalog, id);
  if (request === undefined) return refused("bad_request.no_merge");
  const time = formatDatetime(now);
  const note = comment === "" ? {} : { comment: { timestamp: time, username, message: comment } };
  const { pending: only, merged, declined } = REQUEST_STATUS;
  // Only open requests can be claimed, unassigned or decided.
  const updates: { readonly [action in Form["action"]]?: Omit<RequestUpdate, "now"> } = {
    comment: {},
    claim: { only, reviewer: username },
    unassign: { only, reviewer: null },
    approve: { only, reviewer: username, status: merged },
    decline: { only, reviewer: username, status: declined },
  };
  const change = updates[action];
  if (change === undefined) throw failure("bad_data.action", { action });
  if (action === "comment" && comment === "") throw failure("bad_data.comment");
  if (action === "claim" && request.reviewer === username) {
    return refused("bad_request.merge_assigned", { name: username });
  }
  const isDone = await updateRequest(stores.catalog, id, { ...change, ...note, now: time });
  if (!isDone) return refused("bad_request.merge_closed");
  if (action === "claim") return { status: "ok", reviewer: username, newStatus: only };
  return { status: "ok" };
}

function refused(key: TextKey, values?: TextValues): Result {
  return { status: "error", text: { key, values } };
}

interface MergeFields {
  kind: MergeKind;
  master: string;
  records: readonly string[];
  comment: string;
  /** Id of the merge request that this fulfils; empty for none. */
  mrid: string;
  chosen?: readonly (readonly [member: string, olid: string])[];
}

/** Merges for super-librarians and redirects to the record; proposes the merge for others and redirects to the queue. */
export async function submitMerge(fields: MergeFields, context: RequestContext): Promise<Redirect> {
  const { kind, master, records, comment, mrid, chosen = [] } = fields;
  const { RECORD_PREFIX: prefix } = context.settings;
  const { folder } = MERGE_RULES[kind];
  const [primary = ""] = parseOlids([master], { kind, prefix });
  const duplicates = parseOlids(records, { kind, prefix }).filter((olid) => olid !== primary);
  const actor = await context.actor();
  if (hasRole(actor, "super-librarian")) {
    const note = { mrid: mrid === "" ? null : mrid, comment: comment === "" ? null : comment, olids: "" };
    const keys = duplicates.map((olid) => folder + olid);
    await copyChosen({ kind, master: folder + primary, chosen, keys }, context);
    await mergeNow({ kind, master: folder + primary, duplicates: keys, note }, context);
    notify(context, "notice.merged");
    return redirect(303, folder + primary, { cacheControl: NO_STORE });
  }
  const id = await proposeMerge(context, {
    kind,
    olids: [primary, ...duplicates],
    primary,
    isMerged: false,
    comment,
    username: actor.username ?? "",
  });
  if (id === undefined) throw failure("bad_request.merge_exists");
  notify(context, "notice.proposed");
  return redirect(303, "/merges", { cacheControl: NO_STORE });
}

interface ChosenMembers extends Required<Pick<MergeFields, "kind" | "chosen">> {
  master: string;
  keys: readonly string[];
}

/** Copies chosen values of duplicates to the record that stays, before the merge, whose rules do not change them. */
async function copyChosen(
  { kind, master, chosen, keys }: ChosenMembers,
  context: RequestContext,
): Promise<void> {
  const rules = MERGE_RULES[kind];
  const sources = chosen.flatMap(([member, olid]) => {
    const key = rules.folder + olid;
    return keys.includes(key) && CHOSEN_MEMBERS[kind].includes(member) ? [[member, key] as const] : [];
  });
  if (sources.length === 0) return;
  await editRecords(context, [master, ...keys], (records) => {
    const record = records.get(master);
    if (record === undefined || typeKeyOf(record) !== rules.type) return undefined;
    const values = sources.flatMap(([member, key]) => {
      const other = records.get(key);
      return other === undefined || typeKeyOf(other) !== rules.type
        ? []
        : [[member, toReadView(other)] as const];
    });
    const documents = [chooseMembers(toReadView(record), values, rules)];
    return { documents, kind: "update", comment: "Chosen for a merge" };
  });
}
