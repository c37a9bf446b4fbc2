import type { Route } from "../http/operation.ts";
import { get, operationsIn, post } from "../http/route-lines.ts";

const home = operationsIn(() => import("./home.ts"));
const siteFiles = operationsIn(() => import("./site-files.ts"));
const details = operationsIn(() => import("./details.ts"));
const scanner = operationsIn(() => import("./barcode-scanner.ts"));
const sitemaps = operationsIn(() => import("./sitemaps.ts"));
const activityStats = operationsIn(() => import("./activity-stats.ts"));
const totals = operationsIn(() => import("./totals.ts"));

const ownerFiles = operationsIn(() => import("./owner-files.ts"));
const ownerSettings = operationsIn(() => import("./owner-settings.ts"));

/** Routes of the front page, files of the site, sitemaps, statistics, and the scanner. */
export const SITE_ROUTES: readonly Route[] = [
  get("/", "public", home("home")),
  get("/robots.txt", "public", siteFiles("robots")),
  get("/favicon.ico", "public", siteFiles("favicon")),
  get("/.well-known/api-catalog", "public", siteFiles("apiCatalog")),
  get("/.well-known/change-password", "public", siteFiles("changePasswordAddress")),
  get("/.well-known/security.txt", "public", siteFiles("securityText")),
  get("/stats.json", "public", totals("stats")),
  get("/stats", "public", totals("statsPage")),
  get("/stats/readinglog.json", "public", activityStats("readingLogStats")),
  get("/stats/lending.json", "public", activityStats("lendingStats")),
  get("/stats/lending/{kind}/{value}.json", "public", activityStats("lendingStatsOf")),
  get("/stats/lending", "public", activityStats("lendingStatsPage")),
  get("/stats/lending/{kind}/{value}", "public", activityStats("lendingStatsOfPage")),
  get("/stats/waitinglists.json", "public", activityStats("waitingStats")),
  get("/stats/waitinglists", "public", activityStats("waitingStatsPage")),
  get("/api/monthly_logins.json", "public", totals("monthlyLogins")),
  get("/site/logo/{file}", "public", ownerFiles("siteLogo")),
  get("/site/colors/{light}/{dark}.css", "public", ownerFiles("siteColors")),
  get("/site/manifest.json", "public", ownerFiles("siteManifest")),
  get("/site/{text}[.json]", "public", ownerFiles("siteText")),
  get("/admin/site[.json]", "admin", ownerSettings("adminSite")),
  post("/admin/site", "admin", ownerSettings("adminSiteSave")),
  post("/admin/site/logo", "admin", ownerSettings("adminSiteLogo")),
  get("/images/{path:path}", "public", siteFiles("siteImage")),
  get("/opensearch.xml", "public", siteFiles("openSearch")),
  get("/sitemap.xml", "public", sitemaps("sitemapIndex")),
  get("/sitemaps/{kind}-{number:\\d+}.xml", "public", sitemaps("sitemapFile")),
  get("/barcodescanner", "public", scanner("barcodeScanner")),
  get("/details/{item}/leaf{leaf}", "public", details("itemLeaf")),
  get("/details/{item}", "public", details("itemDetails")),
  get("/tags/-/{tag}", "public", details("namedTag")),
].flat();
