import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readOutbox } from "../../../src/db/accounts/read-accounts.ts";
import { openBatch } from "../../../src/db/imports/batches.ts";
import { addItems } from "../../../src/db/imports/items.ts";
import { APPROVAL_DAYS, expireBatches } from "../../../src/worker/imports/expire-batches.ts";
import { WAITING_BYTES_MAX } from "../../../src/worker/imports/new-batch.ts";
import { formOf } from "../../support/worker/accounts.ts";
import {
  bookOf,
  emptyImports,
  jobsOf,
  linesOf,
  storedItems,
  submit,
} from "../../support/worker/import-queue.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Alarms of the budgets' objects use the real clock.
service.now = Date.now();
const DAY_MS = 86_400_000;
/** A batch of 9.7 MB with one record. */
const largeBatch = (n: number) => `#${"-".repeat(9_700_000)}\n${linesOf(bookOf(n))}`;
const patron = (name: string): Promise<LoggedIn> => loggedIn(service, name);

beforeAll(async () => {
  await service.load(work(1));
});
beforeEach(emptyImports);

describe("batches that wait for approval", () => {
  it("spend the budget of the account, as notes and imported reading logs do", async () => {
    const jane = await patron("budget_jane");
    const seen = [];
    for (const n of [1, 2, 3]) seen.push((await submit(jane, { file: largeBatch(n) })).status);
    expect(seen).toEqual([200, 200, 429]);
    expect(await storedItems()).toHaveLength(2);
    const note = { notes: "n".repeat(60_000) };
    const noted = [];
    for (let turn = 0; turn < 40; turn += 1) {
      noted.push((await jane.fetch("/works/OL1W/notes.json", formOf(note))).status);
    }
    expect([noted[0], noted.at(-1)]).toEqual([200, 429]);
    const csv = `Title\n${"long title ".repeat(40)}\n`.concat("A title\n".repeat(10_000));
    const refused = await jane.fetch("/account/import.json", formOf({ csv }));
    expect([refused.status, refused.headers.has("Retry-After")]).toEqual([429, true]);
  });

  it("are refused when those of all patrons are too large", async () => {
    const now = "2026-11-21T12:00:00.000000";
    const { batch } = await openBatch(env.CATALOG, {
      name: "many",
      submitter: "other",
      now,
      bytes: WAITING_BYTES_MAX,
    });
    const item = { ia_id: "test:1", data: "{}", status: "needs_review" } as const;
    await addItems(env.CATALOG, [item], { batch: batch.id, now });
    const joe = await patron("budget_joe");
    const response = await submit(joe, { text: linesOf(bookOf(2)) });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "3600"]);
    expect(await storedItems()).toHaveLength(1);
  });

  it("expire with an email, and can be sent again", async () => {
    const ann = await patron("budget_ann");
    const first = await submit(ann, { text: linesOf(bookOf(3)) });
    const { batch } = await first.json<{ batch: { id: number; name: string } }>();
    const at = (days: number) => {
      const jobs = jobsOf(service);
      return { ...jobs, sources: { ...jobs.sources, now: () => service.now + days * DAY_MS } };
    };
    await expireBatches(at(APPROVAL_DAYS - 1));
    expect(await storedItems()).toHaveLength(1);
    for (let turn = 0; turn < 2; turn += 1) await expireBatches(at(APPROVAL_DAYS + 1));
    expect(await storedItems()).toEqual([]);
    const mails = await readOutbox(env.PATRONS, "budget_ann@example.com");
    expect(mails.map(({ body }) => body)).toEqual([expect.stringContaining(batch.name)]);
    const shown = (await service.json(`/import/batch/${batch.id}.json`)) as object;
    expect(JSON.stringify(shown)).toContain(`not approved within ${APPROVAL_DAYS} days`);
    expect((await submit(ann, { text: linesOf(bookOf(3)) })).status).toBe(200);
    expect(await storedItems()).toHaveLength(1);
  });
});
