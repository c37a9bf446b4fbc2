import * as z from "zod";
import { Collection } from "../../db/solr/client.ts";
import { FEED_NAME } from "../../durable/names.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { queuesOf } from "../http/queue.ts";
import type { Settings } from "../http/settings.ts";
import { DESK_NAME as IMPORT_DESK_NAME } from "../imports/import-record.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";
import { solrOf } from "../search/engine.ts";
import { DESK_NAME as EDIT_DESK_NAME } from "../history/edit-desk.ts";

/** How long a dependency may take to answer, in milliseconds; after that it counts as failed. */
const CHECK_MS = 3000;

/** Something that the service needs, and how to see whether it answers. */
interface Check {
  readonly name: string;
  /** True for what the service cannot do without: where it fails, `/status` is a 503. */
  readonly isRequired: boolean;
  /** Rejects when it does not answer as it should; may say numbers, such as how much waits there. */
  run(): Promise<Numbers | undefined>;
}

export type Numbers = Readonly<Record<string, number>>;

/** What is told of a dependency. */
export const dependencySchema = z.object({
  ok: z.boolean(),
  ms: z.number().describe("Milliseconds until it answered"),
  problem: z.enum(["late", "failed"]).nullable().describe("`late`: no answer in time; the log says more"),
  numbers: z.record(z.string(), z.number()).describe("What it says of itself, such as how much waits there"),
});

/** What came of a check. */
export interface CheckResult extends z.infer<typeof dependencySchema> {
  readonly name: string;
  readonly isRequired: boolean;
}

/** How the service is: `degraded` where something failed that it can do without. */
export const verdictSchema = z
  .enum(["ok", "degraded", "failing"])
  .describe("`failing`: something does not answer that the service cannot do without");
export type Verdict = z.infer<typeof verdictSchema>;

/** Runs checks side by side; none takes longer than `CHECK_MS`. What fails is in the log, with its reason. */
export function runChecks(checks: readonly Check[], sources: Sources): Promise<CheckResult[]> {
  return Promise.all(checks.map((check) => runCheck(check, sources)));
}

export function verdictOf(results: readonly CheckResult[]): Verdict {
  const failed = results.filter(({ ok }) => !ok);
  if (failed.some(({ isRequired }) => isRequired)) return "failing";
  return failed.length > 0 ? "degraded" : "ok";
}

async function runCheck({ name, isRequired, run }: Check, sources: Sources): Promise<CheckResult> {
  const started = sources.now();
  const of = (problem: CheckResult["problem"], numbers: Numbers = {}): CheckResult => {
    return { name, isRequired, ok: problem === null, ms: sources.now() - started, problem, numbers };
  };
  try {
    const answer = await inTime(run());
    if (answer !== "late") return of(null, answer);
    logLine("error", "dependency", { dependency: name, problem: `no answer within ${CHECK_MS} ms` });
    return of("late");
  } catch (error) {
    logLine("error", "dependency", { dependency: name, error: String(loggable(error)) });
    return of("failed");
  }
}

/** An answer, or `late` when it takes too long; what becomes of it then is nobody's concern. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | "late"> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), CHECK_MS);
  answer.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Most bytes that are read of another service's answer. */
const ANSWER_BYTES = 16_384;
/** From this status on another service says that it is itself to blame. */
const SERVER_ERROR = 500;

/**
 * Checks of the other services that this one is configured with: does anything answer there? Whatever it answers to an
 * address that it may not have, below 500, says that it is there; what it is worth shows when it is used.
 */
function adapterChecks(settings: Settings): Check[] {
  return Object.entries(adapterAddresses(settings)).flatMap(([name, address]) =>
    address === "" ? [] : [{ name, isRequired: false, run: () => answers(new URL(address)) }],
  );
}

function adapterAddresses(settings: Settings): Readonly<Record<string, string>> {
  const { IDENTITY_PROVIDER: identity, LENDING: lending, ITEMS: items } = settings;
  return {
    identity: identity === "xauth" ? settings.XAUTH_URL : identity === "oidc" ? discovery(settings) : "",
    lending: lending === "http" ? settings.LENDING_URL : "",
    lending_availability: lending === "http" ? settings.LENDING_AVAILABILITY_URL : "",
    mail: settings.MAIL_URL,
    affiliate: settings.AFFILIATE_URL,
    items: items === "http" ? settings.ITEMS_URL : "",
    cover_fallback: settings.COVER_FALLBACK_BASE,
  };
}

function discovery({ OIDC_ISSUER: issuer }: Settings): string {
  return issuer === "" ? "" : `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

async function answers(url: URL): Promise<undefined> {
  try {
    const asking = { hosts: [url.host], timeoutMs: CHECK_MS, maxBytes: ANSWER_BYTES, cut: true };
    const { status } = await getBytes(url, asking);
    if (status >= SERVER_ERROR) throw new OutboundFailure(`status ${status}`, status);
  } catch (error) {
    // It redirects to another host, which is not followed: it answers.
    const isAnswer = error instanceof OutboundFailure && error.status > 0 && error.status < SERVER_ERROR;
    if (!isAnswer) throw error;
  }
  return undefined;
}

/** Checks of the queues: how many messages wait there, as far as the platform says. */
function queueChecks(stores: Stores): Check[] {
  return [...queuesOf(stores)].map(([name, queue]) =>
    counting(name.replace("carrel-", "queue_").replace("-", "_"), () => backlogOf(queue)),
  );
}

async function backlogOf(queue: Queue): Promise<Numbers> {
  const { backlogCount, backlogBytes } = await queue.metrics();
  return { messages: backlogCount, bytes: backlogBytes };
}

/** Name of what is asked for and is not there: that nothing is found says that the store answers. */
const PROBE = "status/probe";
/** Object of a class with many objects that is asked: a blank is in no username, item id or other name. */
const PROBED_OBJECT = " status";

/** Checks of everything that the service keeps something in, but the databases. Cheap: one read each. */
export function storeChecks(stores: Stores, settings: Settings): Check[] {
  const { cache, covers, archive } = stores;
  return [
    required("cache", () => cache.get(PROBE)),
    required("covers", () => covers.head(PROBE)),
    required("archive", () => archive.head(PROBE)),
    ...objectChecks(stores),
    ...solrChecks(settings),
  ];
}

/** Without Solr all is answered but searches. */
function solrChecks(settings: Settings): Check[] {
  const solr = solrOf(settings);
  if (solr === undefined) return [];
  const ask = { query: "*:*", limit: 0 };
  return [
    {
      name: "solr",
      isRequired: false,
      run: async () => void (await new Collection(solr, "a").ask("query", ask, z.unknown())),
    },
  ];
}

/** Whether objects of each class answer; desks say how many works are in their hands, the feed how many listen. */
function objectChecks({ throttle, patron, loanDesk, editDesk, importDesk, changeFeed }: Stores): Check[] {
  return [
    required("throttle", () => throttle.getByName(PROBED_OBJECT).ping()),
    required("patron", () => patron.getByName(PROBED_OBJECT).ping()),
    required("loan_desk", () => loanDesk.getByName(PROBED_OBJECT).ping()),
    counting("edit_desk", async () => ({ waiting: await editDesk.getByName(EDIT_DESK_NAME).ping() })),
    counting("import_desk", async () => ({ waiting: await importDesk.getByName(IMPORT_DESK_NAME).ping() })),
    counting("change_feed", async () => ({ listeners: await changeFeed.getByName(FEED_NAME).ping() })),
  ];
}

/** A check that says nothing but whether there is an answer. */
function required(name: string, ask: () => Promise<unknown>): Check {
  return counting(name, async () => void (await ask()));
}

export function counting(name: string, run: () => Promise<Numbers | undefined>): Check {
  return { name, isRequired: true, run };
}

/** Folder of R2 objects that are written, read and removed again to see whether that works. */
const PROBES = "status/";

/**
 * Everything that can be looked at from here, anew each time: writing into the buckets, backlogs of queues and the other
 * services that are configured, besides what `/status` tells.
 */
export function deepChecks({
  stores,
  settings,
  sources,
}: Pick<RequestContext, "stores" | "settings" | "sources">): Promise<CheckResult[]> {
  const writes = writeChecks(stores, PROBES + sources.newSecret());
  const checks = [
    ...storeChecks(stores, settings),
    ...writes,
    ...queueChecks(stores),
    ...adapterChecks(settings),
  ];
  return runChecks(checks, sources);
}

function writeChecks({ covers, archive }: Stores, name: string): Check[] {
  return [
    required("covers_write", () => writeAndRead(covers, name)),
    required("archive_write", () => writeAndRead(archive, name)),
  ];
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
