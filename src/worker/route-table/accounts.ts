import type { Route } from "../http/operation.ts";
import { alias, get, post, remove } from "../http/route-lines.ts";
import { accountOverview } from "../routes/account/account.ts";
import { apiKeyForm } from "../routes/account/api-key-page.ts";
import { makeApiKey } from "../routes/account/api-key.ts";
import { removeApiKey } from "../routes/account/api-key-delete.ts";
import { createForm } from "../routes/account/create-page.ts";
import { createAccount } from "../routes/account/create.ts";
import { optionalTest, protectedTest, testSession } from "../routes/account/diagnostics.ts";
import { emailForm } from "../routes/account/email-page.ts";
import { verifyEmail } from "../routes/account/email-verify.ts";
import { changeEmail } from "../routes/account/email.ts";
import { loginJson } from "../routes/account/login-json.ts";
import { issueOtp, redeemOtp } from "../routes/account/login-otp.ts";
import { loginForm } from "../routes/account/login-page.ts";
import { login } from "../routes/account/login.ts";
import { logout } from "../routes/account/logout.ts";
import { notificationsForm } from "../routes/account/notifications-page.ts";
import { saveNotifications } from "../routes/account/notifications.ts";
import { forgotPasswordForm } from "../routes/account/password-forgot-page.ts";
import { forgotPassword } from "../routes/account/password-forgot.ts";
import { passwordForm } from "../routes/account/password-page.ts";
import { resetPasswordForm } from "../routes/account/password-reset-page.ts";
import { resetPassword } from "../routes/account/password-reset.ts";
import { changePassword } from "../routes/account/password.ts";
import { preferencesOf } from "../routes/account/preferences-of.ts";
import { changePreferences } from "../routes/account/preferences-save.ts";
import { preferences } from "../routes/account/preferences.ts";
import { privacyForm } from "../routes/account/privacy-page.ts";
import { savePrivacy } from "../routes/account/privacy.ts";
import { ownBooks, ownLists, ownNewList, ownShelf, waitlist } from "../routes/account/redirects.ts";
import { endSessions } from "../routes/account/sessions-end.ts";
import { sessionsForm } from "../routes/account/sessions-page.ts";
import { sessions } from "../routes/account/sessions.ts";
import { validateAccount } from "../routes/account/validate.ts";
import { verifyCode } from "../routes/account/verify-code.ts";
import { verify } from "../routes/account/verify.ts";

/** Accounts, sessions and settings of patrons. */
export const ACCOUNT_ROUTES: readonly Route[] = [
  get(["/account", "/account/preferences"], "session-page", accountOverview),
  get("/account/login", "public", loginForm),
  post("/account/login", "public", login),
  post("/account/login.json", "public", loginJson),
  post("/account/login/otp/issue", "public", issueOtp),
  post("/account/login/otp/redeem", "public", redeemOtp),
  post("/account/logout", "public", logout),
  alias(get("/account/logout", "public", logout)),
  get("/account/create", "public", createForm),
  post("/account/create", "public", createAccount),
  get("/account/verify", "public", verify),
  get("/account/verify/{code}", "public", verifyCode),
  get("/account/validate", "public", validateAccount),
  get("/account/email", "session-page", emailForm),
  post("/account/email", "session-page", changeEmail),
  alias(get("/account/email/verify", "session-page", emailForm)),
  get("/account/email/verify/{code}", "public", verifyEmail),
  get(["/account/password", "/account/preferences/change_password"], "session-page", passwordForm),
  post(["/account/password", "/account/preferences/change_password"], "session-page", changePassword),
  get(
    ["/account/password/forgot", "/account/forgot_password", "/account/reset_password"],
    "public",
    forgotPasswordForm,
  ),
  post(
    ["/account/password/forgot", "/account/forgot_password", "/account/reset_password"],
    "public",
    forgotPassword,
  ),
  get("/account/password/reset/{code}", "public", resetPasswordForm),
  post("/account/password/reset/{code}", "public", resetPassword),
  get("/account/notifications", "session-page", notificationsForm),
  post("/account/notifications", "session-page", saveNotifications),
  get("/account/privacy", "session-page", privacyForm),
  post("/account/privacy", "session-page", savePrivacy),
  get("/account/preferences.json", "session", preferences),
  post("/account/preferences.json", "session", changePreferences),
  get("/people/{username}/preferences[.json]", "session", preferencesOf),
  get("/account/sessions", "session-page", sessionsForm),
  get("/account/sessions.json", "session", sessions),
  post("/account/sessions", "session-page", endSessions),
  alias(post("/account/sessions.json", "session", endSessions)),
  get("/account/api-key", "session-page", apiKeyForm),
  post("/account/api-key", "session-page", makeApiKey),
  remove("/account/api-key", "session", removeApiKey),
  alias(post("/account/api-key/delete", "session-page", removeApiKey)),
  get("/account/lists", "session-page", ownLists),
  get("/account/lists/add", "session-page", ownNewList),
  alias(post("/account/lists/add", "session-page", ownNewList)),
  get("/account/books", "session-page", ownBooks),
  get("/account/books/{rest:path}", "session-page", ownShelf),
  get("/account/waitlist", "public", waitlist),
  get("/account/test.json", "development", testSession),
  get("/account/protected.json", "session", protectedTest),
  get("/account/optional.json", "development", optionalTest),
].flat();
