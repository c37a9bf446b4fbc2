import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { followMerges, followMergesJob } from "../../../src/worker/editing/list-merges.ts";
import { type BudgetedJobs, jobsOf } from "../../../src/worker/http/queue.ts";
import { sweep } from "../../../src/worker/jobs.ts";
import { SPENT } from "../../support/worker/budget.ts";
import { jsonOf } from "../../support/worker/accounts.ts";
import { stored } from "../../support/worker/desk.ts";
import { list } from "../../support/worker/lists.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { losing, settleActivity } from "../../support/worker/queues.ts";
import { redirected, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const service = testService();

beforeEach(async () => {
  await emptyStores();
  await service.load(work(1), work(2), list("/lists/OL1L", [{ key: workKey(2) }]));
});

async function merge(): Promise<void> {
  const librarian = await loggedIn(service, "libby", { groups: ["super-librarians"] });
  const body = { master: workKey(1), duplicates: [workKey(2)] };
  expect((await librarian.fetch("/works/merge.json", jsonOf(body))).status).toBe(200);
}
const seeds = async () => (await stored("/lists/OL1L"))?.["seeds"];
const author = async (): Promise<unknown> => {
  const [change] = (await service.json("/recentchanges.json?limit=1")) as { author: { key: string } }[];
  return change?.author.key;
};

/** Jobs whose saves conflict, and whose budget is over after one part. */
function conflictingJobs(sent: unknown[]): BudgetedJobs {
  const { stores, ...jobs } = jobsOf(env);
  const failures = [{ status: 409, error: "conflict", message: "Document update conflict" }];
  const editDesk = { getByName: () => ({ save: async () => ({ ok: false, failures }) }) };
  const patronJobs = { send: async (message: unknown) => void sent.push(message) };
  return {
    ...jobs,
    budget: SPENT,
    // Only these members are called.
    stores: Object.assign({}, stores, { editDesk, patronJobs }) as unknown as BudgetedJobs["stores"],
  };
}

it("follows a merge in the name of its author", async () => {
  await merge();
  await settleActivity();
  expect([await seeds(), await author()]).toEqual([[{ key: workKey(1) }], "/people/libby"]);
});

it("follows a merge whose messages were lost, once", async () => {
  await losing(merge);
  expect(await seeds()).toEqual([{ key: workKey(2) }]);
  await sweep(createScheduledController(), env);
  expect([await seeds(), await author()]).toEqual([[{ key: workKey(1) }], "/people/libby"]);
  const changes = await service.json("/recentchanges.json");
  await followMerges({}, jobsOf(env));
  expect(await service.json("/recentchanges.json")).toEqual(changes);
});

it("visits lists that changed meanwhile again in the next part of the job", async () => {
  await losing(merge);
  const sent: unknown[] = [];
  await followMerges({}, conflictingJobs(sent));
  const [change] = (await service.json("/recentchanges.json?limit=1")) as { id: string }[];
  expect(sent).toEqual([{ kind: followMergesJob.kind, change: Number(change?.id), after: 0 }]);
  await followMerges({}, jobsOf(env));
  expect(await seeds()).toEqual([{ key: workKey(1) }]);
});

it("leaves lists and redirects of a load as they were loaded", async () => {
  await service.load(redirected(workKey(2), workKey(1)));
  await settleActivity();
  await followMerges({}, jobsOf(env));
  expect(await seeds()).toEqual([{ key: workKey(2) }]);
});

it("leaves the merges of a mirrored service to that service", async () => {
  await losing(merge);
  const feed = await (await service.fetch("/changes.json?since=0")).text();
  await emptyStores();
  const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
  expect((await service.fetch("/system/changes", { method: "POST", body: feed, headers })).status).toBe(200);
  await settleActivity();
  await followMerges({}, jobsOf(env));
  expect(await seeds()).toEqual([{ key: workKey(2) }]);
});
