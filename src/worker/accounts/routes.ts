import type { Route } from "../http/operation.ts";
import { alias, get, post, remove } from "../http/route-lines.ts";
import { apiKeyForm, makeApiKey, removeApiKey } from "./api-key.ts";
import { createAccount, createForm, validateAccount } from "./create.ts";
import { optionalTest, protectedTest, testSession } from "./diagnostics.ts";
import { changeEmail, emailForm, verifyEmail, verifyEmailForm } from "./email.ts";
import { login, loginForm, loginJson } from "./login.ts";
import { issueOtp, redeemOtp } from "./one-time-password.ts";
import {
  changePassword,
  forgotPassword,
  forgotPasswordForm,
  passwordForm,
  resetPassword,
  resetPasswordForm,
} from "./password.ts";
import {
  accountOverview,
  changePreferences,
  chooseLanguage,
  notificationsForm,
  ownBooks,
  ownLists,
  ownNewList,
  ownPreferences,
  ownShelf,
  preferencesOf,
  privacyForm,
  saveNotifications,
  savePrivacy,
  waitlist,
} from "./settings.ts";
import { endSessions, logout, sessions, sessionsForm } from "./sessions.ts";
import { verify, verifyCode, verifyForm } from "./verify.ts";

const FORGOT = ["/account/password/forgot", "/account/forgot_password", "/account/reset_password"];

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
  post("/account/language", "public", chooseLanguage),
  get("/account/verify", "public", verifyForm),
  post("/account/verify", "public", verify),
  get("/account/verify/{code}", "public", verifyCode),
  get("/account/validate", "public", validateAccount),
  get("/account/email", "session-page", emailForm),
  post("/account/email", "session-page", changeEmail),
  alias(get("/account/email/verify", "session-page", emailForm)),
  get("/account/email/verify/{code}", "public", verifyEmailForm),
  post("/account/email/verify/{code}", "public", verifyEmail),
  get(["/account/password", "/account/preferences/change_password"], "session-page", passwordForm),
  post(["/account/password", "/account/preferences/change_password"], "session-page", changePassword),
  get(FORGOT, "public", forgotPasswordForm),
  post(FORGOT, "public", forgotPassword),
  get("/account/password/reset/{code}", "public", resetPasswordForm),
  post("/account/password/reset/{code}", "public", resetPassword),
  get("/account/notifications", "session-page", notificationsForm),
  post("/account/notifications", "session-page", saveNotifications),
  get("/account/privacy", "session-page", privacyForm),
  post("/account/privacy", "session-page", savePrivacy),
  get("/account/preferences.json", "session", ownPreferences),
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
