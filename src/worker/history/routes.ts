import type { Route } from "../http/operation.ts";
import { get, operationsIn } from "../http/route-lines.ts";

const changeFeed = operationsIn(() => import("./change-feed.ts"));
const recentChanges = operationsIn(() => import("./recent-changes.ts"));
const changeStream = operationsIn(() => import("./change-stream.ts"));

export const HISTORY_ROUTES: readonly Route[] = [
  get("/changes.json", "public", changeFeed("changesFeed")),
  get("/changes/stream", "public", changeStream("changesStream")),
  get(
    ["/recentchanges.json", "/recentchanges", "/recentchanges.yml"],
    "public",
    recentChanges("recentChanges"),
  ),
  get("/recentchanges/goto/{id}", "public", recentChanges("gotoChange")),
  get("/recentchanges/{kind_or_year}.json", "public", recentChanges("recentChangesBy")),
  get("/recentchanges/{year}/{month}/{day}/{kind}.json", "public", recentChanges("recentChangesOfDay")),
  get("/recentchanges/{rest:path}", "public", recentChanges("recentChangesRest")),
].flat();
