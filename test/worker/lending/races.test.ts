import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LOANS_MAX, LOAN_MS } from "../../../src/catalog/lending/loan.ts";
import { type TestBorrower, deskOf, lender } from "../../support/worker/lending.ts";

const PATRONS = 20;

describe("one copy", () => {
  it("is lent to one of twenty concurrent patrons; the others keep their places in the queue", async () => {
    const { item, borrower } = lender();
    const ocaid = await item();
    const patrons = Array.from({ length: PATRONS }, (_, index) => borrower(`racer${index}x`));
    const answers = await Promise.all(patrons.map((patron) => patron.open(ocaid, "borrow")));
    const lucky = patrons.filter((_, index) => answers[index]?.ok === true);
    expect(lucky).toHaveLength(1);
    const refusals = answers.filter((answer) => !answer.ok);
    expect(refusals).toHaveLength(PATRONS - 1);
    for (const refusal of refusals) expect(refusal).toMatchObject({ reason: "taken" });
    const others = patrons.filter((patron) => !lucky.includes(patron));
    const places = await Promise.all(others.map((patron) => patron.join(ocaid)));
    const positions = places.map((place) => (place.ok ? place.value.position : 0));
    expect(positions.toSorted((a, b) => a - b)).toEqual(others.map((_, index) => index + 1));
    const [first] = lucky;
    const queue = (await first?.lending().places({ ocaid })) ?? [];
    expect(queue.map(({ patron }) => patron)).toEqual(inOrder(others, positions));
    expect((await first?.lending().statuses([ocaid]))?.get(ocaid)).toMatchObject({
      activeBorrows: 1,
      waiting: PATRONS - 1,
      free: 0,
    });
  });

  it("goes to the first in the queue while others join and borrow", async () => {
    const { item, borrower } = lender();
    const ocaid = await item();
    const holder = borrower("holder");
    const waiting = Array.from({ length: 5 }, (_, index) => borrower(`waiting${index}x`));
    const late = Array.from({ length: 5 }, (_, index) => borrower(`late${index}x`));
    const asking = Array.from({ length: 5 }, (_, index) => borrower(`asking${index}x`));
    await holder.open(ocaid, "borrow");
    for (const patron of waiting) await patron.join(ocaid);
    const [returned, ...rest] = await Promise.all([
      holder.close(ocaid),
      ...late.map((patron) => patron.join(ocaid)),
      ...asking.map((patron) => patron.open(ocaid, "borrow")),
    ]);
    expect(returned).toMatchObject({ ok: true });
    expect(rest.slice(0, late.length).every(({ ok }) => ok)).toBe(true);
    expect(rest.slice(late.length).every((answer) => !answer.ok && answer.reason === "taken")).toBe(true);
    const queue = await holder.lending().places({ ocaid });
    expect(queue.slice(0, 5).map(({ patron }) => patron)).toEqual(waiting.map(({ name }) => name));
    expect(queue.map(({ status }) => status)).toEqual(["available", ...Array(9).fill("waiting")]);
    expect(await waiting[0]?.open(ocaid, "borrow")).toMatchObject({ ok: true });
  });

  it("has one holder, whether a loan expires or is renewed first", async () => {
    const { item, borrower, clock } = lender();
    const ocaid = await item({ browse: true });
    const [ann, ben] = [borrower("ann"), borrower("ben")];
    for (let round = 0; round < 4; round += 1) {
      clock.now = Date.now() - LOAN_MS.browse + (round % 2);
      await ann.open(ocaid, "browse");
      clock.now = Date.now();
      const [renewed, , taken] = await Promise.all([
        ann.open(ocaid, "browse"),
        runDurableObjectAlarm(deskOf(ocaid)),
        ben.open(ocaid, "browse"),
      ]);
      expect([renewed.ok, taken.ok].filter(Boolean)).toHaveLength(1);
      const [loan, ...more] = await ann.lending().loansOf(ocaid);
      expect(more).toEqual([]);
      expect(loan?.patron).toBe(renewed.ok ? ann.name : ben.name);
      await ann.close(ocaid);
      await ben.close(ocaid);
    }
    const lent = await env.PATRONS.prepare(
      "SELECT count(*) AS loans, count(returned_at) AS returned FROM loan WHERE ocaid = ?",
    )
      .bind(ocaid)
      .first<{ loans: number; returned: number }>();
    expect(lent?.returned).toBe(lent?.loans);
  });
});

describe("one patron", () => {
  it("gets no more than the limit of concurrent loans", async () => {
    const { item, borrower } = lender();
    const ann = borrower("ann");
    const items = await Promise.all(Array.from({ length: 12 }, () => item()));
    const answers = await Promise.all(items.map((ocaid) => ann.open(ocaid, "borrow")));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(LOANS_MAX);
    for (const answer of answers) if (!answer.ok) expect(answer.reason).toBe("limit");
    const loans = await ann.loans();
    expect(loans).toHaveLength(LOANS_MAX);
    const statuses = await ann.lending().statuses(items);
    const lent = items.filter((ocaid) => statuses.get(ocaid)?.free === 0);
    expect(lent.toSorted()).toEqual(loans.map(({ ocaid }) => ocaid).toSorted());
  });

  it("gets one loan for concurrent requests of one book", async () => {
    const { item, borrower } = lender();
    const [ocaid, ann] = [await item({ copies: 3 }), borrower("ann")];
    const answers = await Promise.all(Array.from({ length: 8 }, () => ann.open(ocaid, "borrow")));
    const ids = new Set(answers.map((answer) => (answer.ok ? answer.value.uuid : "none")));
    expect(ids.size).toBe(1);
    expect(await ann.loans()).toHaveLength(1);
    expect((await ann.lending().statuses([ocaid])).get(ocaid)).toMatchObject({ free: 2 });
  });
});

function inOrder(patrons: readonly TestBorrower[], positions: readonly number[]): string[] {
  return patrons
    .map(({ name }, index) => ({ name, position: positions[index] ?? 0 }))
    .toSorted((a, b) => a.position - b.position)
    .map(({ name }) => name);
}
