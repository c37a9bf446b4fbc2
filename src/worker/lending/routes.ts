import type { Route } from "../http/operation.ts";
import { alias, get, inScope, onlyInScope, operationsIn, post } from "../http/route-lines.ts";

const loans = operationsIn(() => import("./loans.ts"));
const availability = operationsIn(() => import("./availability.ts"));
const borrowAdmin = operationsIn(() => import("./borrow-admin.ts"));
const borrow = operationsIn(() => import("./borrow.ts"));
const browse = operationsIn(() => import("./browse.ts"));
const holdings = operationsIn(() => import("./holdings.ts"));
const loanStatus = operationsIn(() => import("./loan-status.ts"));
const loanHistory = operationsIn(() => import("./loan-history.ts"));
const notices = operationsIn(() => import("./notices.ts"));
const stream = operationsIn(() => import("./stream.ts"));
const scriptFile = operationsIn(() => import("./script-file.ts"));

/** Routes for borrowing and reading scanned books. The operations check the right to borrow: open books are public. */
export const LENDING_ROUTES: readonly Route[] = [
  post("/system/holdings", "operator", holdings("holdings")),
  onlyInScope("shelves", [
    ...get("/books/{olid}/{slug}/borrow", "public", borrow("borrowByLink")),
    ...post("/books/{olid}/{slug}/borrow", "public", borrow("borrowByForm")),
    ...get("/books/{olid}/borrow", "public", borrow("borrowNowhere")),
    ...get("/borrow/ia/{ocaid}", "public", borrow("borrowScanByLink")),
    ...post("/borrow/ia/{ocaid}", "public", borrow("borrowScanByForm")),
  ]),
  get("/borrow", "public", loans("borrowShelf")),
  get("/borrow.json", "public", loans("borrowShelfJson")),
  get("/borrow/about", "public", loans("aboutBorrowing")),
  get("/read", "public", loans("readShelf")),
  get("/read.json", "public", loans("readShelfJson")),

  get("/stream/{ocaid}", "public", stream("stream")),
  get("/stream/{ocaid}/{file}", "public", stream("streamFile")),
  get("/bookreader/BookReaderAuth.php", "public", stream("readerAuth")),
  get("/ia_auth/{ocaid}", "public", stream("iaAuth")),
  get("/cdn/{archive_host}/{filename}", "public", scriptFile("scriptFile")),
  onlyInScope("shelves", alias(get("/ia/{ocaid}/borrow", "public", borrow("borrowScanByLink")))),

  get(["/availability/v2", "/availability/v2.json", "/availability"], "public", availability("availability")),
  post("/availability/v2", "public", availability("availabilityOf")),
  post("/availability", "public", availability("availabilityV1")),
  get("/books/XX{edition_id}M[/{slug}]/_borrow_status", "public", loanStatus("borrowStatus")),
  inScope("admin", [
    ...get("/books/XX{edition_id}M/borrow_admin", "admin", borrowAdmin("borrowAdmin")),
    ...get("/books/XX{edition_id}M/borrow_admin_no_update", "admin", borrowAdmin("borrowAdminNoUpdate")),
    ...post(
      ["/books/XX{edition_id}M/borrow_admin", "/books/XX{edition_id}M/borrow_admin_no_update"],
      "admin",
      borrowAdmin("borrowAdminAction"),
    ),
  ]),
  get("/ia_loan_status/{ocaid:path}", "public", loanStatus("iaLoanStatus")),
  get(["/is_loaned_out/{resource_id:path}", "/is_loaned_out"], "public", loanStatus("isLoanedOut")),
  get("/browse.json", "public", browse("browse")),
  // Routes for other services: the operations check the signature, and the operator's token for names.
  post("/borrow/notify", "public", notices("borrowNotify")),
  get("/borrow/receive_notification", "public", notices("receiveNotificationPage")),
  post("/borrow/receive_notification", "public", notices("receiveNotification")),
  get("/services/loans/loan", "public", loanStatus("loanChanges")),

  inScope("shelves", [
    ...get("/account/loans.json", "session", loans("ownLoans")),
    ...get("/account/loans", "session-page", loans("ownLoansForPeople")),
    ...get("/account/loan-history.json", "session", loanHistory("loanHistoryJson")),
    ...get("/account/loan-history", "session-page", loanHistory("loanHistory")),
  ]),
].flat();
