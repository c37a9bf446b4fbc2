import * as z from "zod";
import { hasRole } from "../../catalog/roles.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { REVALIDATE, json } from "../http/reply.ts";
import { VERSION } from "../http/settings.ts";
import { optionalSession } from "../http/session.ts";
import { engineOf } from "../search/engine.ts";
import { withSearchErrors } from "../search/guarded.ts";
import { readSubjectIndex } from "../search/subject-index.ts";
import { twoViews } from "../http/views.ts";
import { homePage } from "./home-page.ts";
import { type HomeShelf, readHomeShelf, readTrendingShelf } from "./home-shelves.ts";
import { catalogTotals } from "./totals.ts";

export const home = twoViews({
  id: "home",
  summary: "Get the name, version and documentation of the service",
  tag: "service",
  cache: { isolate: 5, edge: 30 },
  responses: {
    200: {
      description: "Service information, or the home page for browsers",
      schema: z.object({ name: z.string(), version: z.string(), documentation: z.string() }),
      also: ["text/html"],
    },
  },
  async asJson(_input, context) {
    const { name } = await context.site();
    const service = { name, version: VERSION, documentation: `${baseUrl(context)}/docs` };
    return json(service, { cacheControl: REVALIDATE });
  },
  /** Two round trips, in parallel with those for content that is cached for an hour or longer. */
  async asPage(_input, context) {
    // Begins before the settings are known, so that there is no third round trip.
    const engine = withSearchErrors(() => engineOf(context), "home");
    const trending = readTrendingShelf(context, engine);
    const [, shelves, { lists }, totals] = await Promise.all([
      trending,
      // Each shelf looks for the engine, which is known then.
      engine.then(() => readShelves(context, trending)),
      readSubjectIndex(context),
      catalogTotals(context),
    ]);
    return homePage({
      shelves,
      subjects: lists.subjects.slice(0, HOME_SUBJECTS),
      totals,
      canImport: totals.works === 0 && (await isAdmin(context)),
    });
  },
});

const HOME_SUBJECTS = 14;

/** Reads the shelves that the administrators chose, in their order. */
async function readShelves(context: RequestContext, trending: Promise<HomeShelf>) {
  const { shelves } = await context.site();
  const read = await Promise.all(
    shelves.map((name) =>
      name === "subjects" ? name : name === "trending" ? trending : readHomeShelf(context, name),
    ),
  );
  return read.filter((shelf) => shelf !== undefined);
}

/** Returns true for administrators. Asks nothing without a session, so that caches may store the page of visitors. */
async function isAdmin(context: RequestContext): Promise<boolean> {
  return (await optionalSession(context)) !== undefined && hasRole(await context.actor(), "admin");
}
