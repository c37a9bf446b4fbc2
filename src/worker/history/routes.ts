import type { Route } from "../http/operation.ts";
import { get } from "../http/route-lines.ts";
import { changesFeed } from "./change-feed.ts";
import {
  recentChanges,
  recentChangesBy,
  recentChangesOfDay,
  recentChangesRest,
  gotoChange,
} from "./recent-changes.ts";
import { changesStream } from "./change-stream.ts";

export const HISTORY_ROUTES: readonly Route[] = [
  get("/changes.json", "public", changesFeed),
  get("/changes/stream", "public", changesStream),
  get(["/recentchanges.json", "/recentchanges", "/recentchanges.yml"], "public", recentChanges),
  get("/recentchanges/goto/{id}", "public", gotoChange),
  get("/recentchanges/{kind_or_year}.json", "public", recentChangesBy),
  get("/recentchanges/{year}/{month}/{day}/{kind}.json", "public", recentChangesOfDay),
  get("/recentchanges/{rest:path}", "public", recentChangesRest),
].flat();
