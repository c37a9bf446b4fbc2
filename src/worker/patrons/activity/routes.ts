import type { Route } from "../../http/operation.ts";
import { get } from "../../http/route-lines.ts";
import { trending, trendingPage, trendingRedirect } from "./trending.ts";

export const ACTIVITY_ROUTES: readonly Route[] = [
  get(["/trending/{period}.json", "/trending.json"], "public", trending),
  get("/trending/{mode}", "public", trendingPage),
  get("/trending", "public", trendingRedirect),
].flat();
