import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { CLAIM_MS, LOANS_MAX, LOAN_MS } from "../../../src/catalog/lending/loan.ts";
import type { LendingResult } from "../../../src/worker/lending/service/lending-service.ts";
import { deskOf, lender, putTerms } from "../../support/worker/lending.ts";

const DAY_MS = 86_400_000;

function valueOf<Value>(result: LendingResult<Value>): Value {
  if (!result.ok) throw new Error(`${result.reason}: ${result.text.key}`);
  return result.value;
}

async function byAlarm(ocaid: string, holds: () => Promise<void>): Promise<void> {
  await runDurableObjectAlarm(deskOf(ocaid));
  await vi.waitFor(holds, { timeout: 30_000 });
}

describe("a loan", () => {
  it("takes the only copy, and is visible everywhere when the call returns", async () => {
    const { item, borrower, clock } = lender();
    const ocaid = await item();
    const [ann, ben] = [borrower("Ann"), borrower("ben")];
    const { now } = clock;
    const loan = valueOf(await ann.open(ocaid, "borrow"));
    expect(loan).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
      ocaid,
      patron: ann.name,
      book: "/books/OL1M",
      kind: "borrow",
      loanedAt: now,
      expiry: now + LOAN_MS.borrow,
    });
    expect(await ben.open(ocaid, "borrow")).toMatchObject({ ok: false, reason: "taken" });
    expect(await ann.loans()).toEqual([loan]);
    expect(await ben.loans()).toEqual([]);
    expect(await ann.lending().loansOf(ocaid)).toEqual([loan]);
    const statuses = await ann.lending().statuses([ocaid, "unknown00item"]);
    expect([...statuses.keys()]).toEqual([ocaid]);
    expect(statuses.get(ocaid)).toMatchObject({ copies: 1, free: 0, activeBorrows: 1, patron: null });
    const own = await ann.lending().status(ocaid, ann);
    expect(own.patron).toEqual({ loan, place: null, loanCount: 1, isPrintDisabled: false });
    expect((await ben.lending().status(ocaid, ben)).patron).toMatchObject({ loan: null, loanCount: 0 });
  });

  it("is idempotent, and ends when it is returned", async () => {
    const { item, borrower, clock } = lender();
    const ocaid = await item();
    const ann = borrower("ann");
    const loan = valueOf(await ann.open(ocaid, "borrow"));
    clock.now += 1000;
    expect(valueOf(await ann.open(ocaid, "browse"))).toEqual(loan);
    expect(await ann.close(ocaid)).toEqual({ ok: true, value: null });
    expect(await ann.close(ocaid)).toMatchObject({ ok: false, reason: "not-held" });
    expect(await ann.loans()).toEqual([]);
    const lending = ann.lending();
    expect(await lending.history(ann, { limit: 5, offset: 0 })).toEqual([{ ocaid, lastLoan: loan.loanedAt }]);
    expect((await lending.statuses([ocaid])).get(ocaid)).toMatchObject({ free: 1, activeBorrows: 0 });
    const changes = (await lending.changes(0, 1000)).filter((change) => change.ocaid === ocaid);
    expect(changes).toEqual([
      {
        uid: expect.any(Number),
        time: loan.loanedAt,
        ocaid,
        patron: ann.name,
        loan: loan.uuid,
        event: "borrow",
        until: loan.expiry,
      },
      {
        uid: (changes[0]?.uid ?? 0) + 1,
        time: clock.now,
        ocaid,
        patron: ann.name,
        loan: loan.uuid,
        event: "return",
        until: null,
      },
    ]);
  });

  it("of an hour is renewed while the waiting list is empty", async () => {
    const { item, borrower, clock } = lender();
    const [hourly, other] = [await item({ browse: true }), await item()];
    const [ann, ben] = [borrower("ann"), borrower("ben")];
    const first = valueOf(await ann.open(hourly, "browse"));
    expect(first.expiry).toBe(clock.now + LOAN_MS.browse);
    clock.now += 60_000;
    const renewed = valueOf(await ann.open(hourly, "browse"));
    expect(renewed).toEqual({ ...first, expiry: clock.now + LOAN_MS.browse });
    expect(await ann.loans()).toEqual([renewed]);
    valueOf(await ben.join(hourly));
    clock.now += 60_000;
    expect(valueOf(await ann.open(hourly, "browse"))).toEqual(renewed);
    expect(valueOf(await ann.open(other, "browse")).kind).toBe("borrow");
  });

  it("expires at the next call or by the alarm", async () => {
    const { item, borrower, clock } = lender();
    const [ocaid, other] = [await item(), await item()];
    const [ann, ben] = [borrower("ann"), borrower("ben")];
    const loan = valueOf(await ann.open(ocaid, "borrow"));
    clock.now += LOAN_MS.borrow;
    expect(await ann.loans()).toEqual([]);
    expect(valueOf(await ben.open(ocaid, "borrow")).patron).toBe(ben.name);
    expect(await ann.lending().history(ann, { limit: 5, offset: 0 })).toMatchObject([{ ocaid }]);
    const row = await env.PATRONS.prepare("SELECT returned_at AS at FROM loan WHERE uuid = ?")
      .bind(loan.uuid)
      .first();
    expect(row).toEqual({ at: loan.expiry });
    // The alarm goes by the real clock: this loan has been over for a day.
    clock.now = Date.now() - LOAN_MS.borrow - DAY_MS;
    valueOf(await ann.open(other, "borrow"));
    clock.now = Date.now();
    await byAlarm(other, async () => {
      expect((await ann.lending().statuses([other])).get(other)).toMatchObject({ free: 1, activeBorrows: 0 });
      expect(await runInDurableObject(deskOf(other), (_desk, { storage }) => storage.getAlarm())).toBeNull();
    });
  });

  it("is refused beyond the limit, except to patrons with a print disability", async () => {
    const { item, borrower, clock } = lender();
    const items = await Promise.all(Array.from({ length: LOANS_MAX + 1 }, () => item()));
    const last = items.at(-1) ?? "";
    const ann = borrower("ann");
    for (const ocaid of items.slice(0, LOANS_MAX)) valueOf(await ann.open(ocaid, "borrow"));
    expect(await ann.open(last, "borrow")).toMatchObject({ ok: false, reason: "limit" });
    expect(await ann.loans()).toHaveLength(LOANS_MAX);
    expect(valueOf(await ann.open(items[0] ?? "", "borrow")).ocaid).toBe(items[0]);
    await ann.close(items[0] ?? "");
    clock.now += 1;
    valueOf(await ann.open(last, "borrow"));
    const blind = borrower("blind", true);
    const more = await Promise.all(Array.from({ length: LOANS_MAX + 1 }, () => item()));
    for (const ocaid of more) valueOf(await blind.open(ocaid, "borrow"));
    expect(await blind.loans()).toHaveLength(LOANS_MAX + 1);
  });

  it("is refused for items that are not lendable, without creating a desk", async () => {
    const { item, borrower } = lender();
    const open = await item({ collections: ["texts"] });
    const ann = borrower("ann");
    for (const ocaid of [open, "unknown00item"]) {
      expect(await ann.open(ocaid, "borrow")).toMatchObject({ ok: false, reason: "not-lendable" });
      expect(await ann.join(ocaid)).toMatchObject({ ok: false, reason: "not-lendable" });
      expect(await ann.close(ocaid)).toMatchObject({ ok: false, reason: "not-held" });
    }
    expect(await ann.lending().status(open, ann)).toMatchObject({ isReadable: true, isLendable: false });
    const { results } = await env.PATRONS.prepare("SELECT 1 FROM lending_item WHERE ocaid = ?")
      .bind(open)
      .all();
    expect(results).toEqual([]);
  });
});

describe("the waiting list", () => {
  it("reserves a returned copy for its first patron only", async () => {
    const { item, borrower, clock } = lender();
    const ocaid = await item();
    const [ann, ben, cy] = [borrower("ann"), borrower("ben"), borrower("cy")];
    expect(await ben.join(ocaid)).toMatchObject({ ok: false, reason: "unavailable" });
    valueOf(await ann.open(ocaid, "borrow"));
    expect(await ann.join(ocaid)).toMatchObject({ ok: false, reason: "unavailable" });
    const place = valueOf(await ben.join(ocaid));
    expect(place).toEqual({
      ocaid,
      patron: ben.name,
      book: "/books/OL1M",
      status: "waiting",
      position: 1,
      queueLength: 1,
      since: clock.now,
      updated: clock.now,
      expiry: null,
    });
    expect(valueOf(await ben.join(ocaid))).toEqual(place);
    expect(valueOf(await cy.join(ocaid))).toMatchObject({ position: 2, queueLength: 2 });
    clock.now += 1000;
    await ann.close(ocaid);
    const kept = { status: "available", expiry: clock.now + CLAIM_MS, position: 1, queueLength: 2 };
    expect(await ben.lending().places({ borrower: ben })).toMatchObject([kept]);
    expect(await ben.lending().places({ ocaid })).toMatchObject([
      kept,
      { patron: cy.name, status: "waiting", position: 2 },
    ]);
    expect(await ann.lending().status(ocaid)).toMatchObject({ free: 0, reserved: 1, waiting: 2 });
    expect(await ann.open(ocaid, "borrow")).toMatchObject({ ok: false, reason: "taken" });
    expect(await cy.open(ocaid, "borrow")).toMatchObject({ ok: false, reason: "taken" });
    expect(valueOf(await ben.open(ocaid, "browse"))).toMatchObject({ kind: "borrow", patron: ben.name });
    expect(await cy.lending().places({ borrower: cy })).toMatchObject([{ position: 1, queueLength: 1 }]);
  });

  it("moves on when the first patron leaves or misses the claim period", async () => {
    const { item, borrower, clock } = lender();
    const ocaid = await item();
    const [ann, ben, cy, dan] = [borrower("ann"), borrower("ben"), borrower("cy"), borrower("dan")];
    valueOf(await ann.open(ocaid, "borrow"));
    for (const one of [ben, cy, dan]) valueOf(await one.join(ocaid));
    await ann.close(ocaid);
    expect(await ben.leave(ocaid)).toEqual({ ok: true, value: null });
    expect(await ben.leave(ocaid)).toMatchObject({ ok: false, reason: "not-held" });
    expect(await cy.lending().places({ ocaid })).toMatchObject([
      { patron: cy.name, status: "available" },
      { patron: dan.name, status: "waiting" },
    ]);
    clock.now += CLAIM_MS;
    expect((await dan.lending().status(ocaid, dan)).patron?.place).toMatchObject({
      status: "available",
      position: 1,
      queueLength: 1,
      expiry: clock.now + CLAIM_MS,
    });
    expect(await cy.lending().places({ borrower: cy })).toEqual([]);
    expect(await cy.lending().places({ ocaid })).toMatchObject([{ patron: dan.name }]);
  });

  it("moves on by the alarm when a claim expires", async () => {
    const { item, borrower, clock } = lender();
    const ocaid = await item();
    const [ann, ben, cy] = [borrower("ann"), borrower("ben"), borrower("cy")];
    clock.now = Date.now() - CLAIM_MS - 1000;
    valueOf(await ann.open(ocaid, "borrow"));
    valueOf(await ben.join(ocaid));
    valueOf(await cy.join(ocaid));
    await ann.close(ocaid);
    await byAlarm(ocaid, async () =>
      expect(await cy.lending().places({ ocaid })).toMatchObject([{ patron: cy.name, status: "available" }]),
    );
  });

  it("gets copies that are added", async () => {
    const { item, borrower } = lender();
    const ocaid = await item();
    const [ann, ben] = [borrower("ann"), borrower("ben")];
    valueOf(await ann.open(ocaid, "borrow"));
    valueOf(await ben.join(ocaid));
    await putTerms(ocaid, { copies: 2 });
    expect((await ben.lending().status(ocaid, ben)).patron?.place).toMatchObject({ status: "available" });
    valueOf(await ben.open(ocaid, "borrow"));
    expect(await ben.lending().status(ocaid)).toMatchObject({ copies: 2, free: 0, activeBorrows: 2 });
  });
});

describe("a patron whose account is removed", () => {
  it("loses loans and places, and is named in no table", async () => {
    const { item, borrower } = lender();
    const [had, has, waits, kept] = [await item(), await item(), await item(), await item()];
    const [ann, ben] = [borrower("Ann"), borrower("ben")];
    valueOf(await ann.open(had, "borrow"));
    await ann.close(had);
    valueOf(await ann.open(has, "borrow"));
    for (const ocaid of [waits, kept]) valueOf(await ben.open(ocaid, "borrow"));
    for (const ocaid of [waits, kept]) valueOf(await ann.join(ocaid));
    await ben.close(kept);
    await env.PATRON.getByName(ann.name).upkeep.seal();
    await ann.lending().forget(ann);
    await ann.lending().forget(ann);
    expect((await ben.lending().statuses([has])).get(has)).toMatchObject({ free: 1 });
    expect((await ben.lending().statuses([kept])).get(kept)).toMatchObject({
      free: 1,
      waiting: 0,
      reserved: 0,
    });
    expect(await ben.lending().places({ ocaid: waits })).toEqual([]);
    expect(await ann.lending().history(ann, { limit: 9, offset: 0 })).toEqual([]);
    expect(await ann.open(has, "borrow")).toMatchObject({ ok: false, reason: "unavailable" });
    for (const ocaid of [had, has, waits, kept]) expect(await textOfDesk(ocaid)).not.toContain(ann.name);
    for (const table of ["loan", "loan_history", "waiting_loan", "lending_change"]) {
      const { results } = await env.PATRONS.prepare(`SELECT * FROM ${table}`).all();
      expect(JSON.stringify(results), table).not.toContain(ann.name);
    }
    // The return stays in the log without a name.
    const changes = await ben.lending().changes(0, 1000);
    expect(changes.filter(({ ocaid }) => ocaid === has)).toMatchObject([
      { event: "borrow", patron: null },
      { event: "return", patron: null },
    ]);
  });

  it("cannot borrow by a request that was in flight", async () => {
    const { item, borrower, clock } = lender();
    const ocaid = await item();
    const ann = borrower("ann");
    const at = { ocaid, copies: 1, browse: false, now: clock.now };
    await deskOf(ocaid).forget(at, ann.name);
    const wish = { ...at, patron: ann.name, book: "/books/OL1M", validUntil: Date.now() + 60_000 };
    expect(await deskOf(ocaid).open({ ...wish, kind: "borrow", uuid: "0".repeat(32) })).toMatchObject({
      ok: false,
      reason: "late",
    });
    expect(await deskOf(ocaid).join(wish)).toMatchObject({ ok: false, reason: "late" });
  });
});

async function textOfDesk(ocaid: string): Promise<string> {
  return runInDurableObject(deskOf(ocaid), (_desk, { storage }) =>
    ["state", "loan", "place", "news", "refused"]
      .map((table) => JSON.stringify(storage.sql.exec(`SELECT * FROM ${table}`).toArray()))
      .join(),
  );
}
