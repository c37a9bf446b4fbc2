import * as z from "zod";
import { readNewestMigration } from "../../../db/operations/migrations.ts";
import { shown } from "../../admin/done.ts";
import { shownSettings } from "../../health/shown-settings.ts";
import { operation } from "../../operation.ts";
import { backdoorPage } from "../../pages/operations/debug-pages.ts";
import { VERSION } from "../../version.ts";

const schema = z.object({
  version: z.string(),
  routes: z.int().describe("Lines of the route table"),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  secrets: z.record(z.string(), z.boolean()).describe("Which secrets are set"),
  metrics: z.boolean().describe("Is there an Analytics Engine?"),
  migrations: z.record(z.string(), z.string().nullable()).describe("The newest migration of each database"),
});

/** How the service is set up. */
export type ServiceSetup = z.infer<typeof schema>;

/** `GET /debug/backdoor[.json]`: how the service is set up. It lets nobody in anywhere (Q461). */
export const debugBackdoor = operation({
  id: "debugBackdoor",
  summary: "How the service is set up, without its secrets",
  tag: "operation",
  responses: { 200: { description: "The setup", schema, also: ["text/html"] } },
  async handle(_input, context) {
    const { stores, routes } = context;
    const { settings, secrets } = shownSettings(context.settings);
    const [catalog, search, patrons] = await Promise.all([
      readNewestMigration(stores.catalog),
      readNewestMigration(stores.search),
      readNewestMigration(stores.patrons),
    ]);
    const setup = {
      version: VERSION,
      routes: routes.length,
      settings,
      secrets,
      metrics: stores.metrics !== undefined,
      migrations: { catalog, search, patrons },
    };
    return shown(context, setup, backdoorPage);
  },
});
