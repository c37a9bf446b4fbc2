import * as z from "zod";
import { COVER_CLAIM_SECONDS, fetchCover } from "../covers/fetch-cover.ts";
import type { CoverMessage } from "../covers/queue-cover.ts";
import { renderStored } from "../covers/store-cover.ts";
import { logLine, loggable } from "../http/log.ts";
import type { Jobs } from "../http/queue.ts";

/** Images that are fetched side by side: each may take its whole size of memory twice, besides the one that is unpacked. */
export const COVERS_AT_ONCE_MAX = 2;

const coverMessage: z.ZodType<CoverMessage> = z.object({ cover: z.int().positive() });

/**
 * Fetches the images that messages name. What fails at the other side is put off by itself; what fails here is delivered again
 * when nobody has the cover any more. Neither holds up another cover.
 */
export async function fetchCovers(messages: readonly Message[], jobs: Jobs): Promise<void> {
  const waiting = messages.values();
  const workers = Array.from({ length: COVERS_AT_ONCE_MAX }, async () => {
    for (const message of waiting) await fetchOne(message, jobs);
  });
  await Promise.all(workers);
}

async function fetchOne(message: Message, jobs: Jobs): Promise<void> {
  const { data } = coverMessage.safeParse(message.body);
  try {
    if (data === undefined) logLine("error", "cover", { message: message.id, problem: "not a cover" });
    else if (!(await fetchCover(data.cover, jobs))) await renderStored(data.cover, jobs);
    message.ack();
  } catch (error) {
    logLine("error", "cover", { cover: data?.cover, error: String(loggable(error)) });
    message.retry({ delaySeconds: COVER_CLAIM_SECONDS + 1 });
  }
}
