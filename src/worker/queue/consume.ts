import { settingsOf, storesOf } from "../context.ts";
import { refreshAnswers } from "./refresh-answers.ts";
import { refreshIndex } from "./refresh-index.ts";
import { storeLookups } from "./store-lookups.ts";

/** Hands a batch of a queue to its consumer. A consumer that throws has the whole batch delivered again. */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  const stores = storesOf(env);
  switch (batch.queue) {
    case "carrel-index":
      await refreshAnswers(stores);
      await refreshIndex(stores, settingsOf(env));
      return;
    case "carrel-lookups":
      return storeLookups(batch.messages, stores);
    default:
      // Delivered again and at last put with the dead letters, where it can be seen.
      throw new Error(`no consumer for the queue ${batch.queue}`);
  }
}
