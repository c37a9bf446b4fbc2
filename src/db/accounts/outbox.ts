import { and, desc, eq, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { outbox } from "./rows.ts";

/** Mails that a development service keeps: the newest. */
export const OUTBOX_MAX = 200;

/** A mail that was not sent, as a development service keeps it. */
interface OutboxMail {
  readonly id: number;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  /** Naive UTC. */
  readonly created: string;
}

/** Keeps a mail, and forgets the oldest when there are more than `OUTBOX_MAX`. One transaction. */
export async function addToOutbox(patrons: D1Database, mail: Omit<OutboxMail, "id">): Promise<void> {
  const database = drizzle(patrons);
  await database.batch([
    database.insert(outbox).values(mail),
    database.delete(outbox).where(lte(outbox.id, sql`(SELECT max(id) FROM outbox) - ${OUTBOX_MAX}`)),
  ]);
}

/** Mails that were kept, the newest first; all, or those to one address. */
export async function readOutbox(patrons: D1Database, recipient?: string): Promise<OutboxMail[]> {
  return drizzle(patrons)
    .select()
    .from(outbox)
    .where(and(recipient === undefined ? undefined : eq(outbox.recipient, recipient)))
    .orderBy(desc(outbox.id))
    .limit(OUTBOX_MAX);
}
