import { WorkerEntrypoint } from "cloudflare:workers";
import type { Site } from "./http/site.ts";

export { ChangeFeed } from "../durable/change-feed.ts";
export { EditDesk } from "../durable/edit-desk.ts";
export { ImportDesk } from "../durable/import-desk.ts";
export { LoanDesk } from "../durable/loan-desk/loan-desk.ts";
export { Patron } from "../durable/patron/patron.ts";
export { Throttle } from "../durable/throttle.ts";

/**
 * Returns a handler that imports and creates its site on the first request: an isolate serves one site, or only Durable
 * Objects or queues.
 */
function lazySite(create: (prefix: string) => Promise<Site>): Site["fetch"] {
  let site: Site | undefined;
  const start = async (env: Env) => {
    const { settingsOf } = await import("./http/settings.ts");
    return (site = await create(settingsOf(env).RECORD_PREFIX));
  };
  return (request, env, execution) =>
    site === undefined
      ? start(env).then((created) => created.fetch(request, env, execution))
      : site.fetch(request, env, execution);
}

const mainSite = lazySite(async (prefix) => (await import("./app.ts")).createMainSite(prefix));

/**
 * Entry point of the main site for the local runtime: there the default entry point lies behind the router for static
 * files, which costs more than most answers. A plain object, because a class would be instantiated for every request.
 */
export const MainSite = { fetch: mainSite } satisfies ExportedHandler<Env>;

function listener(create: (prefix: string) => Promise<Site>) {
  const answer = lazySite(create);
  return class extends WorkerEntrypoint<Env> {
    override async fetch(request: Request): Promise<Response> {
      return answer(request, this.env, this.ctx);
    }
  };
}

/** The record store's service interface (port 7000 locally); reached by service binding in production. */
export class RecordStore extends listener(async (prefix) =>
  (await import("./listeners/record-store.ts")).createRecordStore(prefix),
) {}

/** The search engine's service interface (port 8983 locally). */
export class SearchEngine extends listener(async (prefix) =>
  (await import("./listeners/search-engine/routes.ts")).createSearchEngine(prefix),
) {}

/** The cover store (port 7075 locally). */
export class CoverStore extends listener(async (prefix) =>
  (await import("./listeners/cover-store.ts")).createCoverStore(prefix),
) {}

export default {
  fetch: mainSite,
  async queue(batch, env) {
    const { handleBatch } = await import("./jobs.ts");
    await handleBatch(batch, env);
  },
  async scheduled(controller, env) {
    const { sweep } = await import("./jobs.ts");
    await sweep(controller, env);
  },
} satisfies ExportedHandler<Env>;
