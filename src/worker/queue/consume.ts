import { settingsOf, storesOf, systemSources } from "../context.ts";
import { followRedirects } from "../keeping/follow-redirects.ts";
import { measuredBatch } from "../metrics/job-scope.ts";
import { deadQueue, keepDeadLetters } from "./dead-letters.ts";
import { workDumps } from "./dumps.ts";
import { fetchCovers } from "./fetch-covers.ts";
import { workImports } from "./imports.ts";
import { workPatronJobs } from "./patron-jobs.ts";
import { refreshAnswers } from "./refresh-answers.ts";
import { refreshIndex } from "./refresh-index.ts";
import { followActivity } from "./store-activity.ts";
import { storeLookups } from "./store-lookups.ts";

/** Hands a batch of a queue to its consumer, and counts it. */
export function consume(batch: MessageBatch, env: Env): Promise<void> {
  const jobs = { stores: storesOf(env), sources: systemSources };
  return measuredBatch(batch, jobs, () => handOver(batch, env));
}

/** A consumer that throws has the whole batch delivered again. */
async function handOver(batch: MessageBatch, env: Env): Promise<void> {
  const stores = storesOf(env);
  const dead = deadQueue(batch.queue);
  if (dead !== undefined) {
    const jobs = { stores, settings: settingsOf(env), sources: systemSources };
    return keepDeadLetters(dead, batch.messages, jobs);
  }
  switch (batch.queue) {
    case "carrel-index":
      await refreshAnswers(stores);
      await refreshIndex(stores, settingsOf(env));
      return followRedirects({ stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-lookups":
      return storeLookups(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-activity":
      return followActivity(batch.messages, stores);
    case "carrel-patron-jobs":
      return workPatronJobs(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-imports":
      return workImports(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-cover-jobs":
      return fetchCovers(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-dumps":
      return workDumps(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    default:
      // Delivered again and at last put with the dead letters, where it can be seen.
      throw new Error(`no consumer for the queue ${batch.queue}`);
  }
}
