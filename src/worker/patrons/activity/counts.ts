import { readActivityState } from "../../../db/patrons/hourly-slots.ts";
import { repairDays, repairWorks, setActivityState } from "../../../db/patrons/write-counts.ts";
import { type Recounted, recountDays, recountWorks } from "../../../db/patrons/recount.ts";
import type { Database } from "../../../db/statement.ts";
import { logLine } from "../../http/log.ts";

/** Compares a part of the counts with the counted rows, and repairs the differences if `repair` is set. */
export async function checkCounts(
  patrons: Database,
  {
    part,
    from,
    repair,
  }: { readonly part: "works" | "days"; readonly from: number; readonly repair: boolean },
): Promise<Recounted> {
  const recounted = part === "works" ? await recountWorks(patrons, from) : await recountDays(patrons, from);
  if (repair && recounted.wrong.length > 0) {
    await (part === "works" ? repairWorks : repairDays)(patrons, recounted.wrong);
  }
  return recounted;
}

/**
 * Checks and repairs the next parts, starting over after the last ones. Logs differences as errors: the triggers should
 * prevent them.
 */
export async function checkNextCounts(patrons: Database): Promise<void> {
  const state = await readActivityState(patrons);
  const check = (part: "works" | "days") =>
    checkCounts(patrons, { part, from: state[`recount-${part}`] ?? 0, repair: true });
  const works = await check("works");
  const days = await check("days");
  if (works.wrong.length + days.wrong.length > 0) {
    logLine("error", "count audit", { works: works.wrong.slice(0, 10), days: days.wrong });
  }
  await setActivityState(patrons, { "recount-works": works.next ?? 0, "recount-days": days.next ?? 0 });
}
