import type { Route } from "../operation.ts";
import { alias, get, post } from "../route-lines.ts";
import { aboutBorrowing } from "../routes/lending/about.ts";
import { borrowScanByForm, borrowScanByLink } from "../routes/lending/borrow-scan.ts";
import { borrowByForm, borrowByLink, borrowNowhere } from "../routes/lending/borrow.ts";
import { holdings } from "../routes/lending/holdings.ts";
import { iaAuth } from "../routes/lending/ia-auth.ts";
import { borrowShelf, borrowShelfJson, readShelf, readShelfJson } from "../routes/lending/moved.ts";
import { readerAuth } from "../routes/lending/reader-auth.ts";
import { scriptFile } from "../routes/lending/script-file.ts";
import { stream, streamFile } from "../routes/lending/stream.ts";

/** Borrowing and reading scanned books. Who may borrow is asked by the operations: everybody may read open books. */
export const LENDING_ROUTES: readonly Route[] = [
  post("/system/holdings", "operator", holdings),
  get("/books/{olid}/{slug}/borrow", "public", borrowByLink),
  post("/books/{olid}/{slug}/borrow", "public", borrowByForm),
  get("/books/{olid}/borrow", "public", borrowNowhere),
  get("/borrow/ia/{ocaid}", "public", borrowScanByLink),
  post("/borrow/ia/{ocaid}", "public", borrowScanByForm),
  get("/borrow", "public", borrowShelf),
  get("/borrow.json", "public", borrowShelfJson),
  get("/borrow/about", "public", aboutBorrowing),
  get("/read", "public", readShelf),
  get("/read.json", "public", readShelfJson),

  get("/stream/{ocaid}", "public", stream),
  get("/stream/{ocaid}/{file}", "public", streamFile),
  get("/bookreader/BookReaderAuth.php", "public", readerAuth),
  get("/ia_auth/{ocaid}", "public", iaAuth),
  get("/cdn/{archive_host}/{filename}", "public", scriptFile),
];

/** Before the readable addresses of scans, which take everything below `/ia/`. */
export const SCAN_BORROW_ROUTES: readonly Route[] = [alias("/ia/{ocaid}/borrow", "public", borrowScanByLink)];
