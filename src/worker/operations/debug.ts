import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { readNewestMigration } from "../../db/service/totals.ts";
import type { Sources } from "../http/bindings.ts";
import { ISOLATE_CACHE_BYTES } from "../http/isolate-cache.ts";
import { readAnswerCounts } from "../http/metrics.ts";
import { VERSION } from "../http/settings.ts";
import { resource } from "../http/views.ts";
import { adminPage, dataFacts, dataTable, toNamedRows } from "../ui/data-page.ts";
import { t } from "../ui/words.ts";

const backdoorAnswer = z.object({
  version: z.string(),
  routes: z.int().describe("Number of routes"),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  secrets: z.record(z.string(), z.boolean()).describe("True for each secret that is set"),
  metrics: z.boolean().describe("True if Analytics Engine is configured"),
  migrations: z.record(z.string(), z.string().nullable()).describe("Newest migration of each database"),
});

type ServiceSetup = z.infer<typeof backdoorAnswer>;

/** Names of settings that are never shown: secrets, and halves of key pairs. */
const SECRET = /SECRET|TOKEN|KEY|ACCESS/;

/** `GET /debug/backdoor[.json]`: setup of the service, without secrets. Despite its name it grants no access (Q461). */
export const debugBackdoor = resource({
  id: "debugBackdoor",
  summary: "Get the configuration without secrets",
  tag: "operation",
  responses: { 200: { description: "Configuration", schema: backdoorAnswer, also: ["text/html"] } },
  async read(_input, { stores, routes, settings: all }) {
    const settings: ServiceSetup["settings"] = {};
    const secrets: ServiceSetup["secrets"] = {};
    for (const [name, value] of Object.entries(all)) {
      // User, password and query of a URL may be secret.
      const url = typeof value === "string" ? URL.parse(value) : null;
      const isAddress = url !== null && /^https?:$/.test(url.protocol);
      if (SECRET.test(name)) secrets[name] = value !== undefined && value !== "";
      else if (value !== undefined) settings[name] = isAddress ? `${url.origin}${url.pathname}` : value;
    }
    const [catalog, search, patrons] = await Promise.all([
      readNewestMigration(stores.catalog),
      readNewestMigration(stores.search),
      readNewestMigration(stores.patrons),
    ]);
    const migrations = { catalog, search, patrons };
    const metrics = stores.metrics !== undefined;
    return { version: VERSION, routes: routes.length, settings, secrets, metrics, migrations };
  },
  page: (setup) =>
    adminPage({
      title: t("debug.settings_of"),
      parts: [
        dataFacts(setup, { version: "status.version", routes: "debug.routes", metrics: "debug.metrics" }),
        dataTable({
          caption: t("debug.migrations"),
          members: { name: "debug.database", value: "debug.migration" },
          rows: toNamedRows(setup.migrations),
        }),
        dataTable({
          caption: t("status.settings"),
          members: { name: "debug.setting", value: ["debug.value", (value) => [value].flat().join(" ")] },
          rows: toNamedRows(setup.settings),
        }),
        dataTable({
          caption: t("debug.secrets"),
          members: { name: "debug.secret", value: "debug.set" },
          rows: toNamedRows(setup.secrets),
        }),
      ],
    }),
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

/** `GET /debug/memory[.json]`, `/memory`: cache and answer counts of this isolate (Q461). */
export const debugMemory = resource({
  id: "debugMemory",
  summary: "Get the memory use of the isolate that responds",
  tag: "operation",
  responses: { 200: { description: "Memory use of the isolate", schema: memoryAnswer, also: ["text/html"] } },
  read(_input, { cache, sources }) {
    const since = isolateStarted(sources);
    return {
      started: formatDatetime(since),
      seconds: (sources.now() - since) / 1000,
      cache: { ...cache.fill, bytes_max: ISOLATE_CACHE_BYTES },
      answers: readAnswerCounts(),
    };
  },
  page: ({ cache, answers, ...memory }) =>
    adminPage({
      title: t("status.isolate"),
      parts: [
        dataFacts(
          { ...memory, ...cache },
          {
            started: "status.started",
            seconds: "debug.seconds",
            answers: "debug.answers_kept",
            bytes: ["debug.bytes", (done, { bytes_max: total }) => t("progress.of", { done, total })],
            writes: "debug.writes",
          },
        ),
        dataTable({
          caption: t("debug.by_status"),
          members: { name: "admin.status", value: "debug.answers" },
          rows: toNamedRows(answers.by_status),
        }),
        dataTable({
          caption: t("debug.by_source"),
          members: { name: "debug.source", value: "debug.answers" },
          rows: toNamedRows(answers.by_source),
        }),
      ],
    }),
});

let started: number | undefined;

/** Returns the time of the first call, in milliseconds since the epoch: clocks stand still while a module starts. */
export function isolateStarted(sources: Sources): number {
  return (started ??= sources.now());
}
