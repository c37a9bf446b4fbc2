import { DAY_MS } from "../../catalog/units.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { expireBatch, readExpiredBatches } from "../../db/imports/batches.ts";
import { logLine, loggable } from "../http/log.ts";
import type { Jobs } from "../http/queue.ts";
import { NAME } from "../http/settings.ts";
import { mailerOf } from "../platform/mail.ts";

/** Days that a batch waits for approval. */
export const APPROVAL_DAYS = 30;
/** Batches that one sweep removes: each has up to 10,000 items. */
const EXPIRED_BATCHES_MAX = 5;

/**
 * Removes records that were not approved in time, and emails their owners (Q731). The email is sent first: a sweep that breaks off
 * may repeat it, but does not forget it.
 */
export async function expireBatches(jobs: Jobs): Promise<void> {
  const { catalog } = jobs.stores;
  const time = jobs.sources.now();
  const before = formatDatetime(time - APPROVAL_DAYS * DAY_MS);
  for (const { id, name, submitter } of await readExpiredBatches(catalog, {
    before,
    limit: EXPIRED_BATCHES_MAX,
  })) {
    const problem = `Records that were not approved within ${APPROVAL_DAYS} days were removed.`;
    if (submitter !== null) {
      await mailOwner(
        jobs,
        submitter,
        `${problem} They were in your batch "${name}". You can send them again.`,
      );
    }
    await expireBatch(catalog, { id, problem, now: formatDatetime(time) });
  }
}

/** The page of the batch says the same, so a failure is only logged. */
async function mailOwner({ settings, stores, sources }: Jobs, username: string, text: string): Promise<void> {
  try {
    const account = await findAccount(stores.patrons, { username });
    if (account === undefined) return;
    const mailer = mailerOf({ settings, stores, now: sources.now() });
    const subject = `Your import batch at ${NAME} was not approved`;
    await mailer.send({ to: account.email, subject, text: `Hello ${account.username},\n\n${text}\n` });
  } catch (error) {
    logLine("error", "mail", { username, error: String(loggable(error)) });
  }
}
