import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { countLogins } from "../../db/accounts/read.ts";
import { derived } from "../http/derived-answers.ts";
import { operation } from "../http/operation.ts";
import { countsJson } from "../patrons/reading/answers.ts";

/** How far back logins are counted, in milliseconds: 30 days. */
const LOGINS_PERIOD_MS = 30 * 86_400_000;
/** How long their number is kept in KV, in seconds. */
const LOGINS_SECONDS = 3600;
const NAME = "monthly-logins:v1";

/** `GET /api/monthly_logins.json`: patrons who were here in the last 30 days. */
export const monthlyLogins = operation({
  id: "monthlyLogins",
  summary: "How many patrons have logged in within 30 days",
  tag: "reading",
  responses: { 200: { description: "Each counted once", schema: z.object({ loginCount: z.int() }) } },
  async handle(_input, context) {
    const { stores, now } = context;
    const loginCount = await derived(stores.cache, {
      name: NAME,
      seconds: LOGINS_SECONDS,
      make: () => countLogins(stores.patrons, datetimeText(now - LOGINS_PERIOD_MS)),
      waitUntil: (promise) => context.waitUntil(promise),
    });
    return countsJson({ loginCount }, { isOwn: false });
  },
});
