import type { Route } from "../operation.ts";
import { get, post } from "../route-lines.ts";
import { barcodeScanner } from "../routes/site/barcode-scanner.ts";
import { itemDetails, itemLeaf } from "../routes/site/details.ts";
import { siteImage } from "../routes/site/images.ts";
import { namedTag } from "../routes/site/named-tag.ts";
import { openSearch } from "../routes/site/opensearch.ts";
import { prices } from "../routes/site/prices.ts";
import { qrCode } from "../routes/site/qr-code.ts";
import { sitemapFile, sitemapIndex } from "../routes/site/sitemaps.ts";
import { linkItem, unlinkItem } from "../routes/site/scan-link.ts";

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
  post("/api/unlink", "public", unlinkItem),
  { ...post("/api/unlink.json", "public", unlinkItem), alias: true },
];
