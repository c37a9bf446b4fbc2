import type { Route } from "../operation.ts";
import { alias, get, post } from "../route-lines.ts";
import { availabilityOf } from "../routes/availability/availability-of.ts";
import { availabilityV1 } from "../routes/availability/availability-v1.ts";
import { availability } from "../routes/availability/availability.ts";
import { borrowAdminAction } from "../routes/availability/borrow-admin-action.ts";
import { borrowAdmin, borrowAdminNoUpdate } from "../routes/availability/borrow-admin.ts";
import { borrowNotify } from "../routes/availability/borrow-notify.ts";
import { borrowStatus, borrowStatusAtPage } from "../routes/availability/borrow-status.ts";
import { browse } from "../routes/availability/browse.ts";
import { iaLoanStatus } from "../routes/availability/ia-loan-status.ts";
import { isLoanedOut } from "../routes/availability/is-loaned-out.ts";
import { loanChanges } from "../routes/availability/loan-changes.ts";
import { receiveNotification, receiveNotificationPage } from "../routes/availability/receive-notification.ts";
import { loanHistoryForm } from "../routes/loans/loan-history-page.ts";
import { loanHistoryJson } from "../routes/loans/loan-history.ts";
import { loansForm } from "../routes/loans/loans-page.ts";
import { loans } from "../routes/loans/loans.ts";
import { lendingStats, lendingStatsOf } from "../routes/stats/lending.ts";
import { lendingStatsOfPage, lendingStatsPage } from "../routes/stats/pages.ts";
import { waitingStats, waitingStatsPage } from "../routes/stats/waitinglists.ts";

/** Which scanned books can be borrowed, and who has which. */
export const AVAILABILITY_ROUTES: readonly Route[] = [
  get("/availability/v2", "public", availability),
  alias("/availability/v2.json", "public", availability),
  alias("/availability", "public", availability),
  post("/availability/v2", "public", availabilityOf),
  post("/availability", "public", availabilityV1),
  get("/books/XX{edition_id}M/_borrow_status", "public", borrowStatus),
  get("/books/XX{edition_id}M/{slug}/_borrow_status", "public", borrowStatusAtPage),
  get("/books/XX{edition_id}M/borrow_admin", "admin", borrowAdmin),
  get("/books/XX{edition_id}M/borrow_admin_no_update", "admin", borrowAdminNoUpdate),
  post("/books/XX{edition_id}M/borrow_admin", "admin", borrowAdminAction),
  { ...post("/books/XX{edition_id}M/borrow_admin_no_update", "admin", borrowAdminAction), alias: true },
  get("/ia_loan_status/{ocaid:path}", "public", iaLoanStatus),
  get("/is_loaned_out/{resource_id:path}", "public", isLoanedOut),
  alias("/is_loaned_out", "public", isLoanedOut),
  get("/browse.json", "public", browse),
  // Other services: the signature, and the operator's token for names, are asked for by the operations.
  post("/borrow/notify", "public", borrowNotify),
  get("/borrow/receive_notification", "public", receiveNotificationPage),
  post("/borrow/receive_notification", "public", receiveNotification),
  get("/services/loans/loan", "public", loanChanges),

  get("/account/loans.json", "session", loans),
  get("/account/loans", "session-page", loansForm),
  get("/account/loan-history.json", "session", loanHistoryJson),
  get("/account/loan-history", "session-page", loanHistoryForm),

  get("/stats/lending.json", "public", lendingStats),
  get("/stats/lending/{kind}/{value}.json", "public", lendingStatsOf),
  get("/stats/lending", "public", lendingStatsPage),
  get("/stats/lending/{kind}/{value}", "public", lendingStatsOfPage),
  get("/stats/waitinglists.json", "public", waitingStats),
  get("/stats/waitinglists", "public", waitingStatsPage),
];
