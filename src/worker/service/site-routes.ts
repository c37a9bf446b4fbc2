import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { barcodeScanner } from "./barcode-scanner.ts";
import { itemDetails, itemLeaf, namedTag } from "./details.ts";
import { prices } from "./prices.ts";
import { qrCode } from "./qr-code.ts";
import { linkItem, unlinkItem } from "./scan-link.ts";
import { openSearch, siteImage } from "./site-files.ts";
import { sitemapFile, sitemapIndex } from "./sitemaps.ts";

/** Small things: files, scanners, other sites' scripts, links of scans. */
export const SITE_ROUTES: readonly Route[] = [
  get("/images/{path:path}", "public", siteImage),
  get("/opensearch.xml", "public", openSearch),
  get("/sitemap.xml", "public", sitemapIndex),
  get("/sitemaps/{kind}-{number}.xml", "public", sitemapFile),
  get("/barcodescanner", "public", barcodeScanner),
  get("/qrcode", "public", qrCode),
  get("/details/{item}/leaf{leaf}", "public", itemLeaf),
  get("/details/{item}", "public", itemDetails),
  get("/prices.json", "public", prices),
  get("/tags/-/{tag}", "public", namedTag),
  // Who may is said by the signature of the message.
  post("/api/link", "public", linkItem),
  post(["/api/unlink", "/api/unlink.json"], "public", unlinkItem),
].flat();
