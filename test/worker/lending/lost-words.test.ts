import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LOANS_MAX } from "../../../src/catalog/lending/loan.ts";
import { deskOf, lender } from "../../support/worker/lending.ts";

const OLD_MS = 10 * 60_000;

describe("what a crash leaves behind", () => {
  it("a wish whose desk was never asked gives back its room when the patron needs it", async () => {
    const { item, borrower, clock } = lender();
    const ann = borrower("ann");
    const patron = env.PATRON.getByName(ann.name);
    const asked = await Promise.all(Array.from({ length: LOANS_MAX }, () => item()));
    for (const ocaid of asked) {
      const wish = {
        ocaid,
        request: `r-${ocaid}`,
        kind: "loan",
        isUnlimited: false,
        now: clock.now,
      } as const;
      expect(await patron.loans.admit(wish)).toMatchObject({ ok: true });
    }
    const other = await item();
    // Wishes that may still be on their way keep their room.
    expect(await ann.open(other, "borrow")).toMatchObject({ ok: false, reason: "limit" });
    await runInDurableObject(patron, (_patron, { storage }) =>
      storage.sql.exec("UPDATE lending_wish SET asked = asked - ?", OLD_MS),
    );
    expect(await ann.open(other, "borrow")).toMatchObject({ ok: true });
    expect(await patron.loans.items()).toEqual([other]);
  });

  it("a loan that the patron's object has not heard of is counted all the same", async () => {
    const { item, borrower } = lender();
    const ann = borrower("ann");
    const patron = env.PATRON.getByName(ann.name);
    const items = await Promise.all(Array.from({ length: LOANS_MAX }, () => item()));
    for (const ocaid of items) await ann.open(ocaid, "borrow");
    // As if the object had stored the wishes, and nothing after them.
    await runInDurableObject(patron, (_patron, { storage }) => {
      storage.sql.exec(
        "INSERT INTO lending_wish (ocaid, request, kind, asked) SELECT ocaid, 'lost', 'loan', ? FROM lending",
        Date.now() - OLD_MS,
      );
      storage.sql.exec("DELETE FROM lending");
    });
    expect(await ann.open(await item(), "borrow")).toMatchObject({ ok: false, reason: "limit" });
    expect((await ann.loans()).map(({ ocaid }) => ocaid).toSorted()).toEqual(items.toSorted());
  });

  it("what could not be told is told by the alarm", async () => {
    const { item, borrower } = lender();
    const [ocaid, ann] = [await item(), borrower("ann")];
    await env.PATRONS.prepare("ALTER TABLE lending_item RENAME TO lending_item_away").run();
    const opened = await ann.open(ocaid, "borrow");
    await env.PATRONS.prepare("ALTER TABLE lending_item_away RENAME TO lending_item").run();
    // The desk has lent it, and the patron knows; only the table does not.
    expect(opened).toMatchObject({ ok: true });
    expect(await ann.loans()).toHaveLength(1);
    expect((await ann.lending().statuses([ocaid])).get(ocaid)).toMatchObject({ free: 1 });
    await runDurableObjectAlarm(deskOf(ocaid));
    expect((await ann.lending().statuses([ocaid])).get(ocaid)).toMatchObject({ free: 0 });
    expect(await ann.lending().loansOf(ocaid)).toHaveLength(1);
  });

  it("a word that comes late changes nothing", async () => {
    const { item, borrower, clock } = lender();
    const [ocaid, ann] = [await item(), borrower("ann")];
    const answer = await ann.open(ocaid, "borrow");
    if (!answer.ok) throw new Error(answer.message);
    await ann.close(ocaid);
    const loan = { ...answer.value, patron: ann.name, expiry: clock.now + 1000 };
    await env.PATRON.getByName(ann.name).loans.hear([{ ocaid, sequence: 1, loan, waits: false }]);
    expect(await ann.loans()).toEqual([]);
  });
});
