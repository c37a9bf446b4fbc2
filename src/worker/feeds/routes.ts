import { FEED_TYPES } from "../../catalog/web-feed.ts";
import type { Route } from "../http/operation.ts";
import { get, operationsIn } from "../http/route-lines.ts";

const bookFeeds = operationsIn(() => import("./book-feeds.ts"));
const changeFeeds = operationsIn(() => import("./change-feeds.ts"));
const shelfFeed = operationsIn(() => import("./shelf-feed.ts"));

const FEED = `feed.{format:${Object.keys(FEED_TYPES).join("|")}}`;

/**
 * Feeds of pages. They precede the routes of searches and changes, which match any name: another format is an error, not the
 * name of a subject or publisher, or a kind of change.
 */
export const FEED_ROUTES: readonly Route[] = [
  get(`/authors/XX{author_id}A/${FEED}`, "public", bookFeeds("authorFeed")),
  get(`/series/XX{series_id}L/${FEED}`, "public", bookFeeds("seriesFeed")),
  get("/subjects/{key:path}/feed.{format}", "public", bookFeeds("subjectFeed")),
  get("/publishers/{key:path}/feed.{format}", "public", bookFeeds("publisherFeed")),
  get("/recentchanges/feed.{format}", "public", changeFeeds("changesWebFeed")),
  get("/recentchanges/{kind_or_year}/feed.{format}", "public", changeFeeds("changesOfKindFeed")),
  get(`/people/{username}/books/{shelf}/${FEED}`, "public", shelfFeed("shelfFeed")),
].flat();
