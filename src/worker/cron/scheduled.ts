import { settingsOf, storesOf, systemSources } from "../context.ts";
import { indexingOf } from "../indexing/indexing.ts";
import { planMaintenance } from "../indexing/maintenance.ts";
import { finishSwapped } from "../indexing/rebuild.ts";
import { logLine } from "../log.ts";
import { continueMerges } from "../merges/sweep.ts";
import { refreshAnswers } from "../queue/refresh-answers.ts";
import { refreshIndex } from "../queue/refresh-index.ts";

/** The sweep: every projection catches up with the log, whatever messages were lost. */
export async function scheduled(controller: ScheduledController, env: Env): Promise<void> {
  const [stores, settings] = [storesOf(env), settingsOf(env)];
  const indexing = indexingOf(stores, settings, systemSources);
  await refreshAnswers(stores);
  await finishSwapped(indexing);
  await planMaintenance(indexing);
  const { isBehind, works } = await refreshIndex(stores, settings);
  await continueMerges({ stores, settings, sources: systemSources });
  logLine("info", "sweep", { cron: controller.cron, works, isBehind });
}
