import { isSpamAddress, isSpamText, textOfDocuments } from "../../catalog/spam/rules.ts";
import { spamRulesOf } from "../admin/spam-settings.ts";
import type { RequestContext } from "../context.ts";
import { CarrelError } from "../errors.ts";
import { READ_ONLY_GROUP, hasRole } from "../sessions/access.ts";
import type { Actor } from "../sessions/actor.ts";
import type { CreationRequest } from "./save.ts";

/** What a write is looked at for. */
type Wanted = Pick<CreationRequest, "documents" | "edits" | "comment" | "authority" | "suspectsAll">;

/**
 * Refuses what nobody, a patron who may not write, or a spammer wants to save (records.md 10.3, 10.5; patrons.md 3.5).
 * Bots and librarians may write any words. What the service saves on its own account is not looked at.
 */
export async function refuseSpam(context: RequestContext, request: Wanted): Promise<void> {
  if (request.authority === "service") return;
  const actor = await context.actor();
  if (actor.key === null || actor.status !== "active") throw refusedWriter("Permission Denied.");
  if (actor.groups.has(READ_ONLY_GROUP)) throw refusedWriter("This account may read only.");
  const isTrusted = actor.bot || hasRole(actor, "librarian");
  if (isTrusted && request.suspectsAll !== true) return;
  // Q165: which word or domain it was is nobody's business.
  if (await isSpam(context, actor, request)) {
    throw refusedWriter("This looks like spam. Please write to us if it is none.");
  }
}

async function isSpam(context: RequestContext, { email }: Actor, request: Wanted): Promise<boolean> {
  const rules = await spamRulesOf(context);
  if (email !== null && isSpamAddress(email, rules)) return true;
  if (rules.words.length === 0) return false;
  const { comment, documents, edits = [] } = request;
  return isSpamText(textOfDocuments([{ comment }, ...documents, ...edits]), rules);
}

/** Code of a refusal that is about the one who writes: a 403 on every route, whatever it says of documents. */
export const WRITER_REFUSED = "writer_refused";

function refusedWriter(message: string): CarrelError {
  return new CarrelError(403, WRITER_REFUSED, { message, body: { error: "permission_denied", message } });
}
