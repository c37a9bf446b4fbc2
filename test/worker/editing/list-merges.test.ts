import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { followMergesJob } from "../../../src/worker/editing/list-merges.ts";
import { type Jobs, JOB_BUDGET_MS, jobsOf } from "../../../src/worker/http/queue.ts";
import { list } from "../../support/worker/lists.ts";
import { redirected, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

/** Jobs whose saves conflict, and whose time is over after one part. */
function conflictingJobs(sent: unknown[]): Jobs {
  const { stores, sources, ...jobs } = jobsOf(env);
  const failures = [{ status: 409, error: "conflict", message: "Document update conflict" }];
  const editDesk = { getByName: () => ({ save: async () => ({ ok: false, failures }) }) };
  const patronJobs = { send: async (message: unknown) => void sent.push(message) };
  let now = sources.now();
  return {
    ...jobs,
    sources: { ...sources, now: () => (now += JOB_BUDGET_MS) },
    // Only these members are called.
    stores: Object.assign({}, stores, { editDesk, patronJobs }) as unknown as Jobs["stores"],
  };
}

it("visits lists that changed meanwhile again in the next part of the job", async () => {
  await service.load(work(1), redirected(workKey(2), workKey(1)), list("/lists/OL1L", [{ key: workKey(2) }]));
  const sent: unknown[] = [];
  const message = { kind: followMergesJob.kind, keys: [workKey(2)], author: null, after: 0 };
  await followMergesJob.message.parse(message)(conflictingJobs(sent));
  expect(sent).toEqual([message]);
});
