import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { activityOperation } from "../service/activity.ts";
import { trendingPage } from "../routes/trending/trending-page.ts";
import { trendingRedirect } from "../routes/trending/trending-redirect.ts";
import { trending } from "../routes/trending/trending.ts";

/** What readers do, in numbers: trending works. */
export const ACTIVITY_ROUTES: readonly Route[] = [
  get(["/trending/{period}.json", "/trending.json"], "public", trending),
  get("/trending/{mode}", "public", trendingPage),
  get("/trending", "public", trendingRedirect),
  post("/system/activity", "operator", activityOperation),
].flat();
