import type { Route } from "../http/operation.ts";
import { alias, get, post } from "../http/route-lines.ts";
import { makeAdministrators, restorePatrons } from "./operator-accounts.ts";
import { developmentAccounts, outboxOperation } from "./development.ts";
import { components } from "./components.ts";
import { docs, docsOfTag, docsRun } from "./docs.ts";
import { health } from "./health.ts";
import { home } from "./home.ts";
import { load, applyChanges } from "./load.ts";
import { openapi } from "./openapi.ts";
import { checkIndex, indexLog, reindex, activityOperation } from "./projections.ts";
import {
  favicon,
  openSearch,
  robots,
  siteImage,
  apiCatalog,
  changePassword,
  securityText,
} from "./site-files.ts";
import { itemDetails, itemLeaf, namedTag } from "./details.ts";
import { prices } from "./prices.ts";
import { qrCode, barcodeScanner } from "./scan-codes.ts";
import { sitemapFile, sitemapIndex } from "./sitemaps.ts";
import {
  lendingStats,
  lendingStatsOf,
  lendingStatsOfPage,
  lendingStatsPage,
  waitingStats,
  waitingStatsPage,
  readingLogStats,
} from "./activity-stats.ts";
import { monthlyLogins, stats, statsPage } from "./totals.ts";
import { adminDeadLettersForm, deadLetters, dealWithDeadLetters } from "./dead-letters-page.ts";
import { debugBackdoor, debugMemory } from "./debug.ts";
import { rewind, invalidate } from "./repairs.ts";
import { deepStatus, status } from "./status.ts";

const adminStatus = { ...deepStatus, id: "adminStatus" };
const adminDeadLetters = { ...deadLetters, id: "adminDeadLetters" };
const memory = { ...debugMemory, id: "memory" };

/**
 * Routes of the front page, the operator (some for development services and administrators only), statistics, and small
 * features: files, scanners, links of scans.
 */
export const SERVICE_ROUTES: readonly Route[] = [
  get("/", "public", home),
  get("/health", "public", health),
  get("/status", "public", status),
  get("/robots.txt", "public", robots),
  get("/favicon.ico", "public", favicon),
  get("/.well-known/api-catalog", "public", apiCatalog),
  get("/.well-known/change-password", "public", changePassword),
  get("/.well-known/security.txt", "public", securityText),
  get("/openapi.json", "public", openapi),
  get("/docs", "public", docs),
  get("/docs/run", "public", docsRun),
  get("/docs/{tag}", "public", docsOfTag),
  post("/system/load", "operator", load),
  post("/system/changes", "operator", applyChanges),
  post("/system/index", "operator", indexLog),
  post("/system/reindex", "operator", reindex),
  post("/system/index-check", "operator", checkIndex),
  post("/system/activity", "operator", activityOperation),
  post("/system/development-accounts", "operator", developmentAccounts),
  post("/system/patrons", "operator", restorePatrons),
  post("/system/administrators", "operator", makeAdministrators),
  get("/development/outbox.json", "development", outboxOperation),
  get("/dev/components", "development", components),
  alias(get("/status.json", "public", status)),
  get("/system/status[.json]", "operator", deepStatus),
  get(["/admin/status", "/admin/status.json"], "admin", adminStatus),
  post("/system/invalidate", "operator", invalidate),
  post("/system/rewind", "operator", rewind),
  get("/system/dead-letters[.json]", "operator", deadLetters),
  post("/system/dead-letters", "operator", dealWithDeadLetters),
  get(["/admin/dead-letters", "/admin/dead-letters.json"], "admin", adminDeadLetters),
  post("/admin/dead-letters", "admin", adminDeadLettersForm),
  get(["/debug/memory", "/debug/memory.json"], "inspector", debugMemory),
  get("/memory", "inspector", memory),
  get(["/debug/backdoor", "/debug/backdoor.json"], "inspector", debugBackdoor),
  get("/stats.json", "public", stats),
  get("/stats", "public", statsPage),
  get("/stats/readinglog.json", "public", readingLogStats),
  get("/stats/lending.json", "public", lendingStats),
  get("/stats/lending/{kind}/{value}.json", "public", lendingStatsOf),
  get("/stats/lending", "public", lendingStatsPage),
  get("/stats/lending/{kind}/{value}", "public", lendingStatsOfPage),
  get("/stats/waitinglists.json", "public", waitingStats),
  get("/stats/waitinglists", "public", waitingStatsPage),
  get("/api/monthly_logins.json", "public", monthlyLogins),
  get("/images/{path:path}", "public", siteImage),
  get("/opensearch.xml", "public", openSearch),
  get("/sitemap.xml", "public", sitemapIndex),
  get("/sitemaps/{kind}-{number:\\d+}.xml", "public", sitemapFile),
  get("/barcodescanner", "public", barcodeScanner),
  get("/qrcode", "public", qrCode),
  get("/details/{item}/leaf{leaf}", "public", itemLeaf),
  get("/details/{item}", "public", itemDetails),
  get("/prices.json", "public", prices),
  get("/tags/-/{tag}", "public", namedTag),
].flat();
