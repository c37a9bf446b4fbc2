import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { LOANS_MAX, LOAN_MS } from "../../../src/catalog/lending/loan.ts";
import {
  type DeskView,
  age,
  kill,
  setDeaf,
  setTablesAway,
  tellAll,
  viewDesk,
  waitsFor,
} from "./lending-world.ts";
import { type TestBorrower, deskOf, lender, putTerms } from "./lending.ts";
import { type Random, randomFrom } from "./random.ts";

const HOUR_MS = LOAN_MS.browse;
/** Milliseconds by which the clock may advance from one step to the next. */
const WAITS_MS = [1, 1, 1, 60_000, HOUR_MS / 2, HOUR_MS, 13 * HOUR_MS, 25 * HOUR_MS, LOAN_MS.borrow];

/** Patrons and items under a moving clock: random requests, crashes, and messages that are late or lost. */
class World {
  readonly lender = lender();
  readonly patrons: readonly TestBorrower[];
  readonly copies = new Map<string, number>();
  /** Messages and responses that arrive much later. */
  readonly late: (() => Promise<unknown>)[] = [];
  items: string[] = [];
  views = new Map<string, DeskView>();
  /** Requests that were answered. */
  answers = 0;

  constructor(private readonly random: Random) {
    this.patrons = Array.from({ length: 8 }, (_, index) => this.lender.borrower(`world${index}x`));
  }

  async begin(): Promise<void> {
    for (let index = 0; index < 9; index += 1) {
      const copies = 1 + this.random.below(3);
      const ocaid = await this.lender.item({ copies, browse: this.random.chance(0.5) });
      this.copies.set(ocaid, copies);
      this.items.push(ocaid);
    }
  }

  async step(): Promise<void> {
    const { random } = this;
    this.lender.clock.now += random.pick(WAITS_MS);
    const [deaf, areTablesAway] = [random.chance(0.2) ? random.pick(this.patrons) : null, random.chance(0.1)];
    if (areTablesAway) await setTablesAway(true);
    if (deaf !== null) await setDeaf(deaf, true);
    const requests = Array.from({ length: 1 + random.below(10) }, () => this.randomRequest());
    // A request without an answer may have taken effect or not.
    const results = await Promise.allSettled(requests.map((send) => send()));
    this.answers += results.filter(({ status }) => status === "fulfilled").length;
    if (deaf !== null) await setDeaf(deaf, false);
    if (areTablesAway) await setTablesAway(false);
    if (random.chance(0.3)) await age(random.pick(this.patrons));
    await this.check();
  }

  private randomRequest(): () => Promise<unknown> {
    const { random } = this;
    const [patron, ocaid] = [random.pick(this.patrons), random.pick(this.items)];
    const kind = random.pick(["borrow", "browse"] as const);
    const dice = random.below(100);
    if (dice < 45) return () => patron.open(ocaid, kind);
    if (dice < 60) return () => patron.join(ocaid);
    if (dice < 75) return () => patron.close(ocaid);
    if (dice < 80) return () => patron.leave(ocaid);
    if (dice < 84) return () => this.crash(patron, ocaid, "at the desk");
    if (dice < 88) return () => this.crash(patron, ocaid, "before the desk");
    if (dice < 91) return () => kill(deskOf(ocaid));
    if (dice < 93) return () => kill(env.PATRON.getByName(patron.name));
    if (dice < 96) return () => this.setCopies(ocaid, 1 + random.below(3));
    return () => this.late.shift()?.() ?? Promise.resolve();
  }

  /** A loan request whose worker crashes half-way. What it has sent arrives late, or too late to count. */
  private async crash(patron: TestBorrower, ocaid: string, where: "at the desk" | "before the desk") {
    const { now } = this.lender.clock;
    const request = crypto.randomUUID().replaceAll("-", "");
    const admission = await env.PATRON.getByName(patron.name).loans.admit({
      ocaid,
      request,
      kind: "loan",
      isUnlimited: false,
      now,
    });
    if (!admission.ok) return;
    const loan = { ocaid, browse: true, patron: patron.name, book: "/books/OL1M", uuid: request } as const;
    const open = (validUntil: number) => {
      const copies = this.copies.get(ocaid) ?? 1;
      return deskOf(ocaid).open({ ...loan, copies, kind: "borrow", validUntil, now: this.lender.clock.now });
    };
    if (where === "before the desk") this.late.push(() => open(Date.now() - 1));
    else {
      const { loanStatus } = await open(admission.validUntil);
      this.late.push(() => env.PATRON.getByName(patron.name).loans.recordStatuses([loanStatus]));
    }
  }

  private async setCopies(ocaid: string, copies: number): Promise<void> {
    await putTerms(ocaid, { copies, browse: true });
    this.copies.set(ocaid, copies);
  }

  /** Checks what holds after every step. */
  private async check(): Promise<void> {
    const views = await Promise.all(this.items.map(async (ocaid) => [ocaid, await viewDesk(ocaid)] as const));
    for (const [ocaid, { copies, loans, places }] of views) {
      const before = this.views.get(ocaid);
      const reserved = places.filter(({ expiry }) => expiry !== null);
      const used = loans.length + reserved.length;
      // Loans go on when an item has fewer copies than before.
      const most = before === undefined ? 0 : Math.max(before.copies, usedOf(before));
      expect(used, `${ocaid}: copies`).toBeLessThanOrEqual(
        Math.max(copies, most, this.copies.get(ocaid) ?? 0),
      );
      // Copies are kept for the first in the queue, and no patron waits for a copy that is free.
      expect(places.slice(0, reserved.length), `${ocaid}: order`).toEqual(reserved);
      if (used < copies) expect(places.length, `${ocaid}: waits in vain`).toBe(reserved.length);
      const names = [...loans, ...places].map(({ patron }) => patron);
      expect(new Set(names).size, `${ocaid}: twice`).toBe(names.length);
    }
    this.views = new Map(views);
    for (const { name } of this.patrons) {
      const held = views.flatMap(([, { loans }]) => loans.filter((loan) => loan.patron === name));
      const going = held.filter(({ expiry }) => (expiry ?? 0) > this.lender.clock.now);
      expect(going.length, `${name}: loans`).toBeLessThanOrEqual(LOANS_MAX);
    }
  }

  /** Delivers every message, then checks that tables and patron objects agree with the desks. */
  async settle(): Promise<void> {
    for (const deliver of this.late.splice(0)) await deliver();
    for (const ocaid of this.items) {
      await this.lender.lending().status(ocaid);
      await tellAll(ocaid);
    }
    await this.check();
    for (const ocaid of this.items) await this.checkTables(ocaid);
    for (const patron of this.patrons) await this.checkPatron(patron);
    await checkChanges(this.items);
  }

  private async checkTables(ocaid: string): Promise<void> {
    const view = this.views.get(ocaid);
    if (view === undefined) throw new Error(ocaid);
    expect(view.untold).toBe(0);
    const lending = this.lender.lending();
    const loans = (await lending.loansOf(ocaid)).map(({ uuid, patron, kind, expiry }) => ({
      patron,
      uuid,
      kind,
      expiry,
    }));
    expect(loans.toSorted((a, b) => a.uuid.localeCompare(b.uuid))).toEqual(view.loans);
    const places = await lending.places({ ocaid });
    expect(places.map(({ patron, expiry }) => ({ patron, expiry }))).toEqual(
      view.places.map(({ patron, expiry }) => ({ patron, expiry })),
    );
    expect((await lending.statuses([ocaid])).get(ocaid)).toMatchObject({
      free: Math.max(0, view.copies - usedOf(view)),
      waiting: view.places.length,
    });
  }

  private async checkPatron(patron: TestBorrower): Promise<void> {
    const views = [...this.views];
    const at = (pick: (view: DeskView) => DeskView["loans"]): string[] =>
      views.flatMap(([ocaid, view]) =>
        pick(view).some(({ patron: who }) => who === patron.name) ? [ocaid] : [],
      );
    const held = at(({ loans }) => loans);
    expect((await patron.loans()).map(({ ocaid }) => ocaid).toSorted(), patron.name).toEqual(held.toSorted());
    expect(await waitsFor(patron), patron.name).toEqual(at(({ places }) => places).toSorted());
    // A crashed request does not use up a loan for good.
    await age(patron);
    const answer = await patron.open(await this.lender.item(), "borrow");
    expect(answer.ok, patron.name).toBe(held.length < LOANS_MAX);
  }
}

function usedOf({ loans, places }: DeskView): number {
  return loans.length + places.filter(({ expiry }) => expiry !== null).length;
}

/** Checks that each loan and each return is in the log once, and that the history holds all returned loans. */
async function checkChanges(items: readonly string[]): Promise<void> {
  const all = async (sql: string): Promise<unknown[]> =>
    (await env.PATRONS.prepare(sql).bind(JSON.stringify(items)).all()).results;
  const here = "ocaid IN (SELECT value FROM json_each(?1))";
  const wrong = await all(
    `SELECT l.uuid, l.returned_at,
            (SELECT count(*) FROM lending_change c WHERE c.loan = l.uuid AND c.event = 'borrow') AS borrows,
            (SELECT count(*) FROM lending_change c WHERE c.loan = l.uuid AND c.event = 'return') AS returns
     FROM loan l WHERE ${here} AND (borrows <> 1 OR returns <> (l.returned_at IS NOT NULL))`,
  );
  expect(wrong).toEqual([]);
  expect(
    await all(`SELECT patron, ocaid, last_loan FROM loan_history WHERE ${here} ORDER BY patron, ocaid`),
  ).toEqual(
    await all(
      `SELECT patron, ocaid, max(loaned_at) AS last_loan FROM loan WHERE ${here} AND returned_at IS NOT NULL
       GROUP BY patron, ocaid ORDER BY patron, ocaid`,
    ),
  );
}

/** Takes random steps, checks the desks after each, and at the end that desks, tables and patrons agree. */
export async function expectAgreement(seed: number, steps: number): Promise<void> {
  const world = new World(randomFrom(seed));
  await world.begin();
  for (let step = 0; step < steps; step += 1) await world.step();
  await world.settle();
  expect(world.answers).toBeGreaterThan(steps);
}
