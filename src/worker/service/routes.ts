import type { OperationLoader, Route } from "../http/operation.ts";
import { alias, derive, get, operationsIn, post } from "../http/route-lines.ts";

const operatorAccounts = operationsIn(() => import("./operator-accounts.ts"));
const development = operationsIn(() => import("./development.ts"));
const components = operationsIn(() => import("./components.ts"));
const docs = operationsIn(() => import("./docs.ts"));
const health = operationsIn(() => import("./health.ts"));
const home = operationsIn(() => import("./home.ts"));
const loader = operationsIn(() => import("./load.ts"));
const openapi = operationsIn(() => import("./openapi.ts"));
const projections = operationsIn(() => import("./projections.ts"));
const siteFiles = operationsIn(() => import("./site-files.ts"));
const details = operationsIn(() => import("./details.ts"));
const prices = operationsIn(() => import("./prices.ts"));
const scanCodes = operationsIn(() => import("./scan-codes.ts"));
const sitemaps = operationsIn(() => import("./sitemaps.ts"));
const activityStats = operationsIn(() => import("./activity-stats.ts"));
const totals = operationsIn(() => import("./totals.ts"));
const deadLettersPage = operationsIn(() => import("./dead-letters-page.ts"));
const debug = operationsIn(() => import("./debug.ts"));
const statuses = operationsIn(() => import("./status.ts"));
const repairs = operationsIn(() => import("./repairs.ts"));

function named(id: string, load: OperationLoader): OperationLoader {
  return derive(load, (operation) => ({ ...operation, id }));
}

/**
 * Routes of the front page, the operator (some for development services and administrators only), statistics, and small
 * features: files, scanners, links of scans.
 */
export const SERVICE_ROUTES: readonly Route[] = [
  get("/", "public", home("home")),
  get("/health", "public", health("health")),
  get("/status", "public", statuses("status")),
  get("/robots.txt", "public", siteFiles("robots")),
  get("/favicon.ico", "public", siteFiles("favicon")),
  get("/.well-known/api-catalog", "public", siteFiles("apiCatalog")),
  get("/.well-known/change-password", "public", siteFiles("changePassword")),
  get("/.well-known/security.txt", "public", siteFiles("securityText")),
  get("/openapi.json", "public", openapi("openapi")),
  get("/docs", "public", docs("docs")),
  get("/docs/run", "public", docs("docsRun")),
  get("/docs/{tag}", "public", docs("docsOfTag")),
  post("/system/load", "operator", loader("load")),
  post("/system/changes", "operator", loader("applyChanges")),
  post("/system/index", "operator", projections("indexLog")),
  post("/system/reindex", "operator", projections("reindex")),
  post("/system/index-check", "operator", projections("checkIndex")),
  post("/system/activity", "operator", projections("activityOperation")),
  post("/system/development-accounts", "operator", development("developmentAccounts")),
  post("/system/patrons", "operator", operatorAccounts("restorePatrons")),
  post("/system/administrators", "operator", operatorAccounts("makeAdministrators")),
  get("/development/outbox.json", "development", development("outboxOperation")),
  get("/dev/components", "development", components("components")),
  alias(get("/status.json", "public", statuses("status"))),
  get("/system/status[.json]", "operator", statuses("deepStatus")),
  get(["/admin/status", "/admin/status.json"], "admin", named("adminStatus", statuses("deepStatus"))),
  post("/system/invalidate", "operator", repairs("invalidate")),
  post("/system/rewind", "operator", repairs("rewind")),
  get("/system/dead-letters[.json]", "operator", deadLettersPage("deadLetters")),
  post("/system/dead-letters", "operator", deadLettersPage("dealWithDeadLetters")),
  get(
    ["/admin/dead-letters", "/admin/dead-letters.json"],
    "admin",
    named("adminDeadLetters", deadLettersPage("deadLetters")),
  ),
  post("/admin/dead-letters", "admin", deadLettersPage("adminDeadLettersForm")),
  get(["/debug/memory", "/debug/memory.json"], "inspector", debug("debugMemory")),
  get("/memory", "inspector", named("memory", debug("debugMemory"))),
  get(["/debug/backdoor", "/debug/backdoor.json"], "inspector", debug("debugBackdoor")),
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
  get("/images/{path:path}", "public", siteFiles("siteImage")),
  get("/opensearch.xml", "public", siteFiles("openSearch")),
  get("/sitemap.xml", "public", sitemaps("sitemapIndex")),
  get("/sitemaps/{kind}-{number:\\d+}.xml", "public", sitemaps("sitemapFile")),
  get("/barcodescanner", "public", scanCodes("barcodeScanner")),
  get("/qrcode", "public", scanCodes("qrCode")),
  get("/details/{item}/leaf{leaf}", "public", details("itemLeaf")),
  get("/details/{item}", "public", details("itemDetails")),
  get("/prices.json", "public", prices("prices")),
  get("/tags/-/{tag}", "public", details("namedTag")),
].flat();
