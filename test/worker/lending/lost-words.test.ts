import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LOANS_MAX } from "../../../src/catalog/lending/loan.ts";
import { deskOf, lender } from "../../support/worker/lending.ts";

const OLD_MS = 10 * 60_000;
/** Places of a queue: more than a call of a desk reports. */
const WAITING = 450;

describe("lending after a crash", () => {
  it("frees the room of a request that never reached its desk", async () => {
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
    expect(await ann.open(other, "borrow")).toMatchObject({ ok: false, reason: "limit" });
    await runInDurableObject(patron, (_patron, { storage }) =>
      storage.sql.exec("UPDATE lending_wish SET asked = asked - ?", OLD_MS),
    );
    expect(await ann.open(other, "borrow")).toMatchObject({ ok: true });
    expect(await patron.loans.items()).toEqual([other]);
  });

  it("counts a loan whose confirmation the patron's object lost", async () => {
    const { item, borrower } = lender();
    const ann = borrower("ann");
    const patron = env.PATRON.getByName(ann.name);
    const items = await Promise.all(Array.from({ length: LOANS_MAX }, () => item()));
    for (const ocaid of items) await ann.open(ocaid, "borrow");
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

  it("retries a failed report by the alarm", async () => {
    const { item, borrower } = lender();
    const [ocaid, ann] = [await item(), borrower("ann")];
    await env.PATRONS.prepare("ALTER TABLE lending_item RENAME TO lending_item_away").run();
    const opened = await ann.open(ocaid, "borrow");
    await env.PATRONS.prepare("ALTER TABLE lending_item_away RENAME TO lending_item").run();
    expect(opened).toMatchObject({ ok: true });
    expect(await ann.loans()).toHaveLength(1);
    expect((await ann.lending().statuses([ocaid])).get(ocaid)).toMatchObject({ free: 1 });
    await runDurableObjectAlarm(deskOf(ocaid));
    expect((await ann.lending().statuses([ocaid])).get(ocaid)).toMatchObject({ free: 0 });
    expect(await ann.lending().loansOf(ocaid)).toHaveLength(1);
  });

  it("leaves updates that are too many for one call to the alarm", async () => {
    const { item, borrower, clock } = lender();
    const [ocaid, ann] = [await item(), borrower("ann")];
    await ann.open(ocaid, "borrow");
    const names = JSON.stringify(Array.from({ length: WAITING }, (_place, at) => `waits${at}`));
    await runInDurableObject(deskOf(ocaid), (_desk, { storage: { sql } }) => {
      const place =
        "INSERT INTO place (patron, book, since, updated) SELECT value, '/books/OL1M', 1, 1 FROM json_each(?)";
      sql.exec(place, names);
      sql.exec("INSERT INTO news SELECT 'patron', value, key, '{}' FROM json_each(?)", names);
    });
    const left = () =>
      runInDurableObject(deskOf(ocaid), (_desk, { storage: { sql } }) =>
        Number(sql.exec("SELECT count(*) AS left FROM news").one()["left"]),
      );
    const call = { ocaid, copies: 1, browse: false, now: clock.now };
    await deskOf(ocaid).close(call, ann.name);
    expect(await left()).toBeGreaterThan(0);
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000, interval: 100 });
    expect((await ann.lending().places({ ocaid })).length).toBe(WAITING);
    expect(await env.PATRON.getByName(`waits${WAITING - 1}`).loans.items()).toEqual([ocaid]);
  });

  it("ignores a report that arrives late", async () => {
    const { item, borrower, clock } = lender();
    const [ocaid, ann] = [await item(), borrower("ann")];
    const answer = await ann.open(ocaid, "borrow");
    if (!answer.ok) throw new Error(answer.text.key);
    await ann.close(ocaid);
    const loan = { ...answer.value, patron: ann.name, expiry: clock.now + 1000 };
    await env.PATRON.getByName(ann.name).loans.recordStatuses([{ ocaid, sequence: 1, loan, waits: false }]);
    expect(await ann.loans()).toEqual([]);
  });
});
