import type { Route } from "../http/operation.ts";
import { alias, get, post } from "../http/route-lines.ts";
import {
  aboutBorrowing,
  borrowShelf,
  borrowShelfJson,
  ownLoans,
  ownLoansPage,
  readShelf,
  readShelfJson,
} from "./loans.ts";
import { availability, availabilityOf, availabilityV1 } from "./availability.ts";
import { borrowAdmin, borrowAdminAction, borrowAdminNoUpdate } from "./borrow-admin.ts";
import { borrowByForm, borrowByLink, borrowNowhere, borrowScanByForm, borrowScanByLink } from "./borrow.ts";
import { browse } from "./browse.ts";
import { holdings } from "./holdings.ts";
import { borrowStatus, iaLoanStatus, isLoanedOut, loanChanges } from "./loan-status.ts";
import { loanHistoryForm, loanHistoryJson } from "./loan-history.ts";
import { borrowNotify, receiveNotification, receiveNotificationPage } from "./notices.ts";
import { iaAuth, readerAuth, stream, streamFile } from "./stream.ts";
import { scriptFile } from "./script-file.ts";

/** Routes for borrowing and reading scanned books. The operations check the right to borrow: open books are public. */
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
  alias(get("/ia/{ocaid}/borrow", "public", borrowScanByLink)),

  get(["/availability/v2", "/availability/v2.json", "/availability"], "public", availability),
  post("/availability/v2", "public", availabilityOf),
  post("/availability", "public", availabilityV1),
  get("/books/XX{edition_id}M[/{slug}]/_borrow_status", "public", borrowStatus),
  get("/books/XX{edition_id}M/borrow_admin", "admin", borrowAdmin),
  get("/books/XX{edition_id}M/borrow_admin_no_update", "admin", borrowAdminNoUpdate),
  post(
    ["/books/XX{edition_id}M/borrow_admin", "/books/XX{edition_id}M/borrow_admin_no_update"],
    "admin",
    borrowAdminAction,
  ),
  get("/ia_loan_status/{ocaid:path}", "public", iaLoanStatus),
  get(["/is_loaned_out/{resource_id:path}", "/is_loaned_out"], "public", isLoanedOut),
  get("/browse.json", "public", browse),
  // Routes for other services: the operations check the signature, and the operator's token for names.
  post("/borrow/notify", "public", borrowNotify),
  get("/borrow/receive_notification", "public", receiveNotificationPage),
  post("/borrow/receive_notification", "public", receiveNotification),
  get("/services/loans/loan", "public", loanChanges),

  get("/account/loans.json", "session", ownLoans),
  get("/account/loans", "session-page", ownLoansPage),
  get("/account/loan-history.json", "session", loanHistoryJson),
  get("/account/loan-history", "session-page", loanHistoryForm),
].flat();
