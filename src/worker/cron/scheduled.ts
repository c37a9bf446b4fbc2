import { storesOf } from "../context.ts";
import { logLine } from "../log.ts";
import { refreshAnswers } from "../queue/refresh-answers.ts";

/** The sweep: every projection catches up with the log, whatever messages were lost. */
export async function scheduled(controller: ScheduledController, env: Env): Promise<void> {
  await refreshAnswers(storesOf(env));
  logLine("info", "sweep", { cron: controller.cron });
}
