import { Buffer } from "node:buffer";
import type { FoundAccount } from "../../db/accounts/read.ts";
import { setStatus } from "../../db/accounts/write.ts";
import { countMergeRequests } from "../../db/patrons/forget.ts";
import { openRemoval } from "../../db/patrons/removals.ts";
import { keepingAnAdmin } from "../accounts/last-admin.ts";
import type { RequestContext } from "../http/operation.ts";
import { sendPatronJob } from "../http/queue.ts";
import type { Reply } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { markup } from "../ui/markup.ts";
import { definitions, link } from "../ui/parts.ts";
import { adminPage } from "./admin-page.ts";
import { REMOVAL_IDLE_MS, REMOVAL_KIND } from "./removal-job.ts";

/** What becomes of an account that is removed: counts of rows. */
export interface Anonymized {
  readonly new_username: string;
  readonly booknotes_count: number;
  readonly ratings_count: number;
  readonly observations_count: number;
  readonly bookshelves_count: number;
  readonly merge_request_count: number;
  readonly bestbooks_count: number;
}

/** What the removal of an account would do; nothing is done. */
export async function previewRemoval(context: RequestContext, account: FoundAccount): Promise<Anonymized> {
  return anonymized(context, account, newName(context));
}

/**
 * Removes an account: nobody is in it any more when this returns, and the rest follows at once in the queue. Throws 400 for
 * the last administrator. Once more finds the removal that is under way.
 */
export async function startRemoval(context: RequestContext, account: FoundAccount): Promise<Anonymized> {
  const { stores } = context;
  const patron = patronOf(stores, account.username);
  await keepingAnAdmin(context, `/people/${account.username}`, {
    change: async () => void (await setStatus(stores.patrons, account.username, "blocked")),
    undo: async () => void (await setStatus(stores.patrons, account.username, account.status)),
  });
  // The row first: from here on the sweep finishes whatever breaks off.
  const removal = await openRemoval(stores.patrons, {
    username: account.username,
    email: account.email,
    anonymous: newName(context),
    due: context.now + REMOVAL_IDLE_MS,
    now: context.now,
  });
  await patron.upkeep.seal();
  const result = await anonymized(context, account, removal.anonymous);
  await sendPatronJob(stores.patronJobs, { kind: REMOVAL_KIND, id: removal.id });
  return result;
}

async function anonymized(
  { stores }: RequestContext,
  { username }: FoundAccount,
  name: string,
): Promise<Anonymized> {
  const [held, requests] = await Promise.all([
    patronOf(stores, username).upkeep.heldCounts(),
    countMergeRequests(stores.catalog, username),
  ]);
  return {
    new_username: name,
    booknotes_count: held.notes,
    ratings_count: held.ratings,
    observations_count: held.observations,
    bookshelves_count: held.shelves,
    merge_request_count: requests,
    bestbooks_count: held.awards,
  };
}

function newName({ sources }: RequestContext): string {
  return `anonymous-${Buffer.from(sources.newSecret(), "base64url").toString("hex")}`;
}

/** What an administrator is told of the removal of an account. */
export function anonymizedPage(result: Anonymized): Reply {
  const body = markup`${definitions([
    ["Stays counted under", result.new_username],
    ["Books on shelves", result.bookshelves_count],
    ["Ratings", result.ratings_count],
    ["Observations", result.observations_count],
    ["Awards", result.bestbooks_count],
    ["Merge requests", result.merge_request_count],
    ["Notes, which are deleted", result.booknotes_count],
  ])}
<p>${link("/admin/people", "All accounts")}</p>`;
  return adminPage({ title: "Removal of an account", body });
}
