import * as z from "zod";
import { Collection } from "../../db/solr/client.ts";
import { FEED_NAME } from "../../durable/protocol.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import { logLine, loggable } from "../http/log.ts";
import { type Jobs, queuesOf } from "../http/queue.ts";
import type { Settings } from "../http/settings.ts";
import { IMPORT_DESK } from "../imports/import-record.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";
import { solrOf } from "../search/engine.ts";
import { EDIT_DESK } from "../editing/edit-desk.ts";

const CHECK_MS = 3000;

interface Check {
  name: string;
  /** True if the service cannot work without it: if it fails, `/status` is a 503. */
  isRequired: boolean;
  /** Rejects if the answer is wrong. May return numbers, such as the length of a queue. */
  run(): Promise<Numbers | undefined>;
}

export type Numbers = Readonly<Record<string, number>>;

export const dependencySchema = z.object({
  ok: z.boolean(),
  ms: z.number().describe("Response time in milliseconds"),
  problem: z.enum(["late", "failed"]).nullable().describe("`late`: timed out; `failed`: see the log"),
  numbers: z
    .record(z.string(), z.number())
    .describe("Metrics of the dependency, for example its queue length"),
});

export interface CheckResult extends z.infer<typeof dependencySchema> {
  readonly name: string;
  readonly isRequired: boolean;
}

/** State of the service: `degraded` if only optional dependencies failed, or something has stalled. */
export const verdictSchema = z
  .enum(["ok", "degraded", "failing"])
  .describe("`failing`: a required dependency is down");
export type Verdict = z.infer<typeof verdictSchema>;

/** Runs checks in parallel, each for at most `CHECK_MS`. Logs the reasons of failures. */
export function runChecks(checks: readonly Check[], sources: Sources): Promise<CheckResult[]> {
  return Promise.all(
    checks.map(async ({ name, isRequired, run }) => {
      const started = sources.now();
      const { promise: late, resolve } = Promise.withResolvers<"late">();
      const timer = setTimeout(() => resolve("late"), CHECK_MS);
      let problem: CheckResult["problem"] = null;
      let numbers: Numbers = {};
      try {
        const running = run();
        // An error after the timeout is ignored.
        running.catch(() => {});
        const answer = await Promise.race([running, late]);
        if (answer === "late") {
          problem = "late";
          logLine("error", "dependency", { dependency: name, problem: `no answer within ${CHECK_MS} ms` });
        } else numbers = answer ?? {};
      } catch (error) {
        problem = "failed";
        logLine("error", "dependency", { dependency: name, error: String(loggable(error)) });
      } finally {
        clearTimeout(timer);
      }
      return { name, isRequired, ok: problem === null, ms: sources.now() - started, problem, numbers };
    }),
  );
}

export function verdictOf(results: readonly CheckResult[], stalled: readonly unknown[]): Verdict {
  const failed = results.filter(({ ok }) => !ok);
  if (failed.some(({ isRequired }) => isRequired)) return "failing";
  return failed.length + stalled.length > 0 ? "degraded" : "ok";
}

const ANSWER_BYTES = 16_384;
const SERVER_ERROR = 500;

/** Name of a missing object: not finding it shows that the store answers. */
const PROBE = "status/probe";
/** Probed object of a class with many objects: no username, item id or other name has a blank. */
const PROBED_OBJECT = " status";

/** Returns checks of all stores except the databases, one read each; desks report waiting work, the feed its listeners. */
export function storeChecks(stores: Stores, settings: Settings): Check[] {
  const { cache, covers, archive } = stores;
  const { throttle, patron, loanDesk, editDesk, importDesk, changeFeed } = stores;
  const solr = solrOf(settings);
  const ask = { query: "*:*", limit: 0 };
  return [
    answerCheck("cache", () => cache.get(PROBE)),
    answerCheck("covers", () => covers.head(PROBE)),
    answerCheck("archive", () => archive.head(PROBE)),
    answerCheck("throttle", () => throttle.getByName(PROBED_OBJECT).ping()),
    answerCheck("patron", () => patron.getByName(PROBED_OBJECT).ping()),
    answerCheck("loan_desk", () => loanDesk.getByName(PROBED_OBJECT).ping()),
    requiredCheck("edit_desk", async () => ({ waiting: await editDesk.getByName(EDIT_DESK).ping() })),
    requiredCheck("import_desk", async () => ({ waiting: await importDesk.getByName(IMPORT_DESK).ping() })),
    requiredCheck("change_feed", async () => ({ listeners: await changeFeed.getByName(FEED_NAME).ping() })),
    // Only searches need Solr.
    ...(solr === undefined
      ? []
      : [
          {
            name: "solr",
            isRequired: false,
            run: async () => void (await new Collection(solr, "a").ask("query", ask, z.unknown())),
          },
        ]),
  ];
}

function answerCheck(name: string, ask: () => Promise<unknown>): Check {
  return requiredCheck(name, async () => void (await ask()));
}

export function requiredCheck(name: string, run: () => Promise<Numbers | undefined>): Check {
  return { name, isRequired: true, run };
}

/** Prefix of R2 objects that are written, read and deleted as a check. */
const PROBES = "status/";

/** Runs all checks without cached results, including writes into buckets, queues, and configured services. */
export function runDeepChecks({ stores, settings, sources }: Jobs): Promise<CheckResult[]> {
  const { covers, archive } = stores;
  const name = PROBES + sources.newSecret();
  const { IDENTITY_PROVIDER: identity, LENDING: lending, ITEMS: items, OIDC_ISSUER: issuer } = settings;
  const discovery = issuer === "" ? "" : `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const services = {
    identity: identity === "xauth" ? settings.XAUTH_URL : identity === "oidc" ? discovery : "",
    lending: lending === "http" ? settings.LENDING_URL : "",
    lending_availability: lending === "http" ? settings.LENDING_AVAILABILITY_URL : "",
    mail: settings.MAIL_URL,
    affiliate: settings.AFFILIATE_URL,
    items: items === "http" ? settings.ITEMS_URL : "",
    cover_fallback: settings.COVER_FALLBACK_BASE,
  };
  const checks = [
    ...storeChecks(stores, settings),
    answerCheck("covers_write", () => writeAndRead(covers, name)),
    answerCheck("archive_write", () => writeAndRead(archive, name)),
    ...Array.from(queuesOf(stores), ([queueName, queue]) =>
      requiredCheck(queueName.replace("carrel-", "queue_").replace("-", "_"), async () => {
        const { backlogCount, backlogBytes } = await queue.metrics();
        return { messages: backlogCount, bytes: backlogBytes };
      }),
    ),
    ...Object.entries(services).flatMap(([service, address]) =>
      address === ""
        ? []
        : [{ name: service, isRequired: false, run: () => requireAnswer(new URL(address)) }],
    ),
  ];
  return runChecks(checks, sources);
}

/** Any status below 500 counts as an answer: the address may not exist there. */
async function requireAnswer(url: URL): Promise<undefined> {
  try {
    const options = { hosts: [url.host], timeoutMs: CHECK_MS, maxBytes: ANSWER_BYTES, cut: true };
    const { status } = await getBytes(url, options);
    if (status >= SERVER_ERROR) throw new OutboundFailure(`status ${status}`, status);
  } catch (error) {
    // A redirect to another host is not followed, but it is an answer.
    const isAnswer = error instanceof OutboundFailure && error.status > 0 && error.status < SERVER_ERROR;
    if (!isAnswer) throw error;
  }
  return undefined;
}

async function writeAndRead(bucket: R2Bucket, name: string): Promise<void> {
  await bucket.put(name, name);
  try {
    const object = await bucket.get(name);
    if ((await object?.text()) !== name) throw new Error("what was written is not what is read");
  } finally {
    await bucket.delete(name);
  }
}
