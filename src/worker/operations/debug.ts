import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { readNewestMigration } from "../../db/service/totals.ts";
import { accountPage } from "../ui/action-answer.ts";
import { pageOrJson } from "../http/accept.ts";
import type { Sources } from "../http/bindings.ts";
import { ISOLATE_CACHE_BYTES } from "../http/isolate-cache.ts";
import { readAnswerCounts } from "../http/metrics.ts";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { type Settings, VERSION } from "../http/settings.ts";
import { factList } from "../ui/facts.ts";
import { markup } from "../ui/markup.ts";
import { table } from "../ui/table.ts";
import { moment, number, t } from "../ui/words.ts";

const backdoorAnswer = z.object({
  version: z.string(),
  routes: z.int().describe("Number of routes"),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  secrets: z.record(z.string(), z.boolean()).describe("True for each secret that is set"),
  metrics: z.boolean().describe("True if Analytics Engine is configured"),
  migrations: z.record(z.string(), z.string().nullable()).describe("Newest migration of each database"),
});

type ServiceSetup = z.infer<typeof backdoorAnswer>;

/** `GET /debug/backdoor[.json]`: setup of the service, without secrets. Despite its name it grants no access (Q461). */
export const debugBackdoor = operation({
  id: "debugBackdoor",
  summary: "Get the configuration without secrets",
  tag: "operation",
  responses: { 200: { description: "Configuration", schema: backdoorAnswer, also: ["text/html"] } },
  async handle(_input, context) {
    const { stores, routes } = context;
    const { settings, secrets } = splitSettings(context.settings);
    const [catalog, search, patrons] = await Promise.all([
      readNewestMigration(stores.catalog),
      readNewestMigration(stores.search),
      readNewestMigration(stores.patrons),
    ]);
    const migrations = { catalog, search, patrons };
    const metrics = stores.metrics !== undefined;
    const setup = { version: VERSION, routes: routes.length, settings, secrets, metrics, migrations };
    return pageOrJson(context, setup, backdoorPage);
  },
});

const counts = z.record(z.string(), z.int());
const memoryAnswer = z.object({
  started: z.string().describe("Time of the first request to this isolate, naive UTC"),
  seconds: z.number().describe("Seconds since the first request"),
  cache: z.object({
    answers: z.int().describe("Number of cached responses"),
    bytes: z.int().describe("Size of the cached responses in bytes"),
    bytes_max: z.int(),
    writes: z.int().describe("Records whose last write is remembered"),
  }),
  answers: z.object({ by_status: counts, by_source: counts }),
});

type IsolateMemory = z.infer<typeof memoryAnswer>;

/** `GET /debug/memory[.json]`, `/memory`: cache and answer counts of this isolate (Q461). */
export const debugMemory = operation({
  id: "debugMemory",
  summary: "Get the memory use of the isolate that responds",
  tag: "operation",
  responses: { 200: { description: "Memory use of the isolate", schema: memoryAnswer, also: ["text/html"] } },
  handle(_input, context) {
    const { cache, sources } = context;
    const since = isolateStarted(sources);
    const memory: IsolateMemory = {
      started: formatDatetime(since),
      seconds: (sources.now() - since) / 1000,
      cache: { ...cache.fill, bytes_max: ISOLATE_CACHE_BYTES },
      answers: readAnswerCounts(),
    };
    return pageOrJson(context, memory, memoryPage);
  },
});

let started: number | undefined;

/** Returns the time of the first call, in milliseconds since the epoch: clocks stand still while a module starts. */
export function isolateStarted(sources: Sources): number {
  return (started ??= sources.now());
}

/** Names of settings that are never shown: secrets, and halves of key pairs. */
const SECRET = /SECRET|TOKEN|KEY|ACCESS/;

function splitSettings(settings: Settings): Pick<ServiceSetup, "settings" | "secrets"> {
  const plain: ServiceSetup["settings"] = {};
  const secrets: ServiceSetup["secrets"] = {};
  for (const [name, value] of Object.entries(settings)) {
    if (SECRET.test(name)) secrets[name] = value !== undefined && value !== "";
    else if (value !== undefined) plain[name] = typeof value === "string" ? redactUrl(value) : value;
  }
  return { settings: plain, secrets };
}

/** Removes user, password and query from a URL, which may be secret. */
function redactUrl(text: string): string {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol);
  return isAddress ? `${url.origin}${url.pathname}` : text;
}

const ANALYTICS = "Analytics Engine";

function memoryPage({ started: since, seconds, cache, answers }: IsolateMemory): Reply {
  const body = markup`${factList([
    [t("status.started"), moment(since)],
    [t("debug.seconds"), number(seconds)],
    [t("debug.answers_kept"), number(cache.answers)],
    [t("debug.bytes"), t("progress.of", { done: cache.bytes, total: cache.bytes_max })],
    [t("debug.writes"), number(cache.writes)],
  ])}
${table({ caption: t("debug.by_status"), columns: [t("admin.status"), t("debug.answers")], rows: Object.entries(answers.by_status) })}
${table({ caption: t("debug.by_source"), columns: [t("debug.source"), t("debug.answers")], rows: Object.entries(answers.by_source) })}`;
  return accountPage({ title: t("status.isolate"), body });
}

function backdoorPage({ version, routes, settings, secrets, metrics, migrations }: ServiceSetup): Reply {
  const body = markup`${factList([
    [t("status.version"), version],
    [t("debug.routes"), number(routes)],
    [ANALYTICS, t(metrics ? "admin.yes" : "admin.no")],
  ])}
${table({
  caption: t("debug.migrations"),
  columns: [t("debug.database"), t("debug.migration")],
  rows: Object.entries(migrations).map(([name, newest]) => [name, newest ?? t("desk.none")]),
})}
${table({
  caption: t("status.settings"),
  columns: [t("debug.setting"), t("debug.value")],
  rows: Object.entries(settings).map(([name, value]) => [name, [value].flat().join(" ")]),
})}
${table({
  caption: t("debug.secrets"),
  columns: [t("debug.secret"), t("debug.set")],
  rows: Object.entries(secrets).map(([name, isSet]) => [name, t(isSet ? "admin.yes" : "admin.no")]),
})}`;
  return accountPage({ title: t("debug.settings_of"), body });
}
