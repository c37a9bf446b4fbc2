import { DAY_MS } from "../../catalog/units.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { expireBatch, readExpiredBatches } from "../../db/imports/batches.ts";
import { logLine, loggable } from "../http/log.ts";
import type { Jobs } from "../http/queue.ts";
import { mailerOf } from "../platform/mail.ts";

/** Days that a batch waits for approval. */
export const APPROVAL_DAYS = 30;
/** Batches that one sweep removes: each has up to 10,000 items. */
const EXPIRED_BATCHES_MAX = 5;

/**
 * Removes records that were not approved in time, and emails their owners (Q731). The email is sent first: a sweep that breaks off
 * may repeat it, but does not forget it.
 */
export async function expireBatches({ settings, stores, sources }: Jobs): Promise<void> {
  const time = sources.now();
  const now = formatDatetime(time);
  const before = formatDatetime(time - APPROVAL_DAYS * DAY_MS);
  const problem = `Records that were not approved within ${APPROVAL_DAYS} days were removed.`;
  const expired = await readExpiredBatches(stores.catalog, { before, limit: EXPIRED_BATCHES_MAX });
  for (const { id, name, submitter } of expired) {
    try {
      const account =
        submitter === null ? undefined : await findAccount(stores.patrons, { username: submitter });
      if (account !== undefined) {
        await mailerOf({ settings, stores, now: sources.now() }).send(account, () => ({
          subject: "mail.batch_subject",
          paragraphs: ["mail.batch"],
          values: { count: APPROVAL_DAYS, batch: name },
        }));
      }
    } catch (error) {
      // The page of the batch says the same.
      logLine("error", "mail", { username: submitter, error: String(loggable(error)) });
    }
    await expireBatch(stores.catalog, { id, problem, now });
  }
}
