import { datetimeText } from "../../../catalog/datetime.ts";
import { dueRemovals, markDeleted, setRemovalDue } from "../../../db/covers/upkeep.ts";
import type { Sources, Stores } from "../../http/bindings.ts";
import { logLine, loggable } from "../../http/log.ts";
import type { Jobs } from "../../http/queue.ts";
import { originalName, renditionName } from "../cover-object.ts";
import { RENDITIONS } from "../rendition-sizes.ts";

/** After how long the images of a deleted cover are looked for once more, in milliseconds: nobody makes one by then. */
export const REMOVAL_AGAIN_MS = 120_000;
/** The same after a failure. */
export const REMOVAL_RETRY_MS = 600_000;
/** Deleted covers that one run of the sweep looks at. */
export const REMOVALS_SWEPT = 100;

/** Name in R2 of the image of a deleted cover. Nobody reads it: it is kept for whoever wants it back. */
export function deletedName(id: number): string {
  return originalName(id).replace("covers/", "deleted/");
}

/**
 * Deletes a cover: marks it, and takes its images from where readers look for them. Done twice it is the same as done once,
 * and the sweep finishes what breaks off. False when there is no such cover.
 */
export async function removeCover(
  { stores, sources }: { readonly stores: Stores; readonly sources: Sources },
  id: number,
): Promise<boolean> {
  const now = sources.now();
  const times = { now: datetimeText(now), due: datetimeText(now + REMOVAL_AGAIN_MS) };
  if (!(await markDeleted(stores.catalog, id, times))) return false;
  await moveAway(stores.covers, id);
  return true;
}

/** The sweep: finishes deletions, and takes away images that somebody made while the cover was being deleted. */
export async function continueCoverRemovals({ stores, sources }: Jobs): Promise<void> {
  const now = sources.now();
  for (const id of await dueRemovals(stores.catalog, datetimeText(now), REMOVALS_SWEPT)) {
    try {
      await moveAway(stores.covers, id);
      await setRemovalDue(stores.catalog, id, null);
    } catch (error) {
      logLine("error", "cover", { cover: id, problem: "it is not removed", error: String(loggable(error)) });
      // The others come before it the next time.
      await setRemovalDue(stores.catalog, id, datetimeText(now + REMOVAL_RETRY_MS));
    }
  }
}

/** Q416: readers ask R2 alone, so what is to be hidden must not lie under its name. */
async function moveAway(covers: R2Bucket, id: number): Promise<void> {
  const name = originalName(id);
  const original = await covers.get(name);
  if (original !== null) {
    const { body, httpMetadata = {}, customMetadata = {} } = original;
    await covers.put(deletedName(id), body, { httpMetadata, customMetadata });
  }
  await covers.delete([name, ...RENDITIONS.map((size) => renditionName(id, size))]);
}
