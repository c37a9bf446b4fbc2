import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { readDueRemovals } from "../../db/covers/read-covers.ts";
import { markDeleted, setRemovalDue, touchCover } from "../../db/covers/write-covers.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import { logLine, loggable } from "../http/log.ts";
import { operation } from "../http/operation.ts";
import type { BudgetedJobs } from "../http/queue.ts";
import { type Reply, NO_STORE, json, plain } from "../http/reply.ts";
import { backAddress, coverNumber, forCategories, redirectBack, refererOf } from "./categories.ts";
import { originalName, renditionName } from "./store-cover.ts";
import { COVER_SIZES } from "../../catalog/cover-sizes.ts";

/** Delay in milliseconds before a deleted cover's images are removed again, after concurrent writers have ended. */
export const COVER_REMOVAL_AGAIN_MS = 120_000;
export const REMOVAL_RETRY_MS = 600_000;
const REMOVALS_SWEPT = 100;

/** Returns the R2 key of a deleted cover's image, which operators can use to restore the cover. */
export function deletedName(id: number): string {
  return originalName(id).replace("covers/", "deleted/");
}

/**
 * Deletes a cover: marks it, and moves its images away from the keys that are served. Idempotent; the sweep finishes
 * interrupted deletions. False if there is no such cover.
 */
export async function removeCover(
  { stores, sources }: { stores: Stores; sources: Sources },
  id: number,
): Promise<boolean> {
  const now = sources.now();
  const times = { now: formatDatetime(now), due: formatDatetime(now + COVER_REMOVAL_AGAIN_MS) };
  if (!(await markDeleted(stores.catalog, id, times))) return false;
  await moveAway(stores.covers, id);
  return true;
}

/** Finishes deletions, and removes images that were made during the deletion of their cover. Part of the sweep. */
export async function continueCoverRemovals({ stores, sources, budget }: BudgetedJobs): Promise<void> {
  const now = sources.now();
  for (const id of await readDueRemovals(stores.catalog, formatDatetime(now), REMOVALS_SWEPT)) {
    try {
      await moveAway(stores.covers, id);
      await setRemovalDue(stores.catalog, id, null);
    } catch (error) {
      logLine("error", "cover", { cover: id, problem: "it is not removed", error: String(loggable(error)) });
      // The other covers come first next time.
      await setRemovalDue(stores.catalog, id, formatDatetime(now + REMOVAL_RETRY_MS));
    }
    if (budget.isOver()) return;
  }
}

/** Moves an image to its key for deleted ones. Q416: images are served from R2 without a look into the database. */
async function moveAway(covers: R2Bucket, id: number): Promise<void> {
  const name = originalName(id);
  const original = await covers.get(name);
  if (original !== null) {
    const { body, httpMetadata = {}, customMetadata = {} } = original;
    await covers.put(deletedName(id), body, { httpMetadata, customMetadata });
  }
  await covers.delete([name, ...COVER_SIZES.map((size) => renditionName(id, size))]);
}

const form = {
  id: z.string().default("").describe("Number of the cover"),
  redirect_url: z.string().optional().describe("URL to redirect to afterwards"),
};

function unknownCover(id: string): Reply {
  return plain(`no such id: ${id}`, { cacheControl: NO_STORE });
}

export const deleteCover = forCategories((_category, noun) =>
  operation({
    id: `delete${noun}Cover`,
    summary: "Delete a cover and its image",
    tag: "covers",
    form,
    responses: {
      200: { description: "Confirmation, or a message for an unknown cover", contentType: "text/plain" },
      303: { description: "Redirect to `redirect_url`" },
    },
    async handle({ form: { id, redirect_url: to } }, context) {
      const number = coverNumber(id);
      if (number === undefined || !(await removeCover(context, number))) return unknownCover(id);
      const target = backAddress(to);
      if (target !== undefined) return redirectBack(target);
      return plain("cover has been deleted successfully.", { cacheControl: NO_STORE });
    },
  }),
);

export const touch = forCategories((_category, noun) =>
  operation({
    id: `touch${noun}Cover`,
    summary: "Make a cover the newest of its record",
    tag: "covers",
    form,
    responses: {
      200: {
        description: "Confirmation if there is no page to redirect to; plain text for an unknown cover",
        schema: z.object({ ok: z.literal("true") }),
        also: ["text/plain"],
      },
      303: { description: "Redirect to `redirect_url`, or to the referring page" },
    },
    async handle({ form: { id, redirect_url: to } }, context) {
      const number = coverNumber(id);
      const { stores, sources } = context;
      const isDone =
        number !== undefined && (await touchCover(stores.catalog, number, formatDatetime(sources.now())));
      if (!isDone) return unknownCover(id);
      // Q412: the response confirms the action if there is no page to redirect to.
      const target = backAddress(to) ?? refererOf(context);
      return target === undefined ? json({ ok: "true" }, { cacheControl: NO_STORE }) : redirectBack(target);
    },
  }),
);
