import * as z from "zod";
import { followPrivacy } from "../accounts/follow.ts";
import { queue } from "../http/queue.ts";
import { lendingMail, queueMail } from "../lending/mail.ts";
import { followMergesJob } from "../editing/list-merges.ts";
import { importJob } from "./data/own-import-job.ts";
import { moveWorkJob } from "./data/move-works.ts";
import { removalJob } from "./data/removal-job.ts";

/** Consumer of jobs that take longer than a request: imports, removals of accounts, merged works. */
export const patronJobQueue = queue({
  name: "carrel-patron-jobs",
  event: "patron-job",
  misfit: "not a job",
  message: z.union(
    [followMergesJob, followPrivacy, importJob, lendingMail, moveWorkJob, queueMail, removalJob].map(
      ({ message }) => message,
    ),
  ),
  work: (start, jobs) => start(jobs),
});
