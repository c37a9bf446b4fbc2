import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DESK_STEPS } from "../../../src/durable/loan-desk/ledger.ts";
import { MailOutbox, QUEUE_MAIL_AGAIN_MS } from "../../../src/durable/loan-desk/mail-outbox.ts";
import { QUEUE_NOTICE_DELAY_MS } from "../../../src/catalog/lending/loan.ts";
import { dayIn } from "../../../src/worker/ui/words.ts";
import { deskOf, lender } from "../../support/worker/lending.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { settleActivity } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

const mails = async (): Promise<unknown[]> => {
  const { results } = await env.PATRONS.prepare("SELECT recipient, subject, body FROM outbox").all();
  return results;
};
const day = (time: number): string => dayIn("en", time);

beforeEach(async () => {
  await env.PATRONS.exec("DELETE FROM outbox");
});

/** Creates a patron with an account who borrowed the only copy `age` milliseconds ago. */
async function heldFor(age: number) {
  const world = lender();
  const ocaid = await world.item();
  const holder = world.borrower("holder");
  await loggedIn(service, holder.name);
  const { now } = world.clock;
  world.clock.now = now - age;
  const loan = await holder.open(ocaid, "borrow");
  if (!loan.ok) throw new Error(loan.text.key);
  world.clock.now = now;
  const asks = async (): Promise<void> => {
    await env.PATRON_JOBS.send({ kind: "queue-mail", ocaid, patron: holder.name });
    await settleActivity();
  };
  return { ...world, ocaid, holder, loan: loan.value, asks };
}

describe("the mail to a holder when others wait", () => {
  it("is sent once a loan", async () => {
    const { ocaid, holder, borrower, loan, asks } = await heldFor(QUEUE_NOTICE_DELAY_MS + 1000);
    await settleActivity();
    expect(await mails()).toEqual([]);
    await borrower("first").join(ocaid);
    await settleActivity();
    expect(await mails()).toEqual([
      {
        recipient: `${holder.name}@example.com`,
        subject: expect.stringContaining("Readers are waiting"),
        body: expect.stringContaining(`You can keep it until ${day(loan.expiry ?? 0)}.`),
      },
    ]);
    await borrower("second").join(ocaid);
    await asks();
    expect(await mails()).toHaveLength(1);
    expect(await deskOf(ocaid).queueMailDue(holder.name)).toBeNull();
  });

  it("is delayed for a new loan", async () => {
    const { ocaid, holder, borrower, asks } = await heldFor(QUEUE_NOTICE_DELAY_MS - 60_000);
    await borrower("first").join(ocaid);
    await asks();
    expect(await mails()).toEqual([]);
    const due = await runInDurableObject(deskOf(ocaid), async (_desk, { storage }) => {
      const alarm = await storage.getAlarm();
      // Moves the loan back by a minute.
      storage.sql.exec("UPDATE loan SET loaned_at = loaned_at - 60000");
      return alarm;
    });
    expect(due).toBeLessThanOrEqual(Date.now() + 60_000);
    await runDurableObjectAlarm(deskOf(ocaid));
    await settleActivity();
    expect(await mails()).toMatchObject([{ recipient: `${holder.name}@example.com` }]);
  });

  it("is not sent when the queue is empty again or the book is returned", async () => {
    const { ocaid, holder, borrower, asks } = await heldFor(QUEUE_NOTICE_DELAY_MS - 60_000);
    const first = borrower("first");
    await first.join(ocaid);
    await first.leave(ocaid);
    await asks();
    await first.join(ocaid);
    await holder.close(ocaid);
    await asks();
    expect(await deskOf(ocaid).queueMailDue(holder.name)).toBeNull();
    const recipients = (await mails()).map((mail) => Object(mail).recipient);
    expect(recipients).not.toContain(`${holder.name}@example.com`);
  });

  it("is not sent for a loan of an hour", async () => {
    const { item, borrower, clock } = lender();
    const ocaid = await item({ browse: true });
    const holder = borrower("hourly");
    clock.now -= 1000;
    await holder.open(ocaid, "browse");
    await borrower("first").join(ocaid);
    expect(await deskOf(ocaid).queueMailDue(holder.name)).toBeNull();
  });
});

describe("the mail outbox of a desk", () => {
  it("sends each mail once under concurrent flushes, and again a day later", async () => {
    const { ocaid, holder, borrower, loan } = await heldFor(QUEUE_NOTICE_DELAY_MS - 60_000);
    await borrower("first").join(ocaid);
    const asked: unknown[] = [];
    const slow = {
      sendBatch: async (messages: readonly { readonly body: unknown }[]) => {
        await scheduler.wait(5);
        asked.push(...messages.map(({ body }) => body));
      },
    } as unknown as ConstructorParameters<typeof MailOutbox>[1];
    const { again, isLate, left } = await runInDurableObject(deskOf(ocaid), async (_desk, { storage }) => {
      storage.sql.exec("UPDATE loan SET loaned_at = loaned_at - 60000");
      const outbox = new MailOutbox(storage.sql, slow);
      await Promise.all([outbox.flush(), outbox.flush(), outbox.flush()]);
      const next = outbox.nextDue();
      outbox.setQueueMailSent(loan.uuid);
      const none = outbox.nextDue();
      storage.sql.exec("DELETE FROM loan");
      await outbox.flush();
      const rows = storage.sql.exec("SELECT * FROM queue_mail").toArray();
      return { again: next, isLate: none !== null, left: rows };
    });
    expect(asked).toEqual([{ kind: "queue-mail", ocaid, patron: holder.name }]);
    expect(again).toBeGreaterThan(Date.now() + QUEUE_MAIL_AGAIN_MS - 60_000);
    expect([isLate, left]).toEqual([false, []]);
  });

  it("keeps its tables readable by the previous version", async () => {
    const { ocaid } = await heldFor(1000);
    const columns = await runInDurableObject(deskOf(ocaid), (_desk, { storage }) =>
      ["loan", "place", "news", "refused", "state"].map(
        (table) => storage.sql.exec("SELECT name FROM pragma_table_info(?)", table).toArray().length,
      ),
    );
    expect(columns).toEqual([6, 7, 4, 2, 2]);
    expect(DESK_STEPS.slice(1).join("")).not.toMatch(/ALTER|DROP/i);
  });
});
