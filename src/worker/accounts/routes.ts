import type { Route } from "../http/operation.ts";
import { alias, get, inScope, operationsIn, post, remove } from "../http/route-lines.ts";

const apiKey = operationsIn(() => import("./api-key.ts"));
const create = operationsIn(() => import("./create.ts"));
const diagnostics = operationsIn(() => import("./diagnostics.ts"));
const email = operationsIn(() => import("./email.ts"));
const login = operationsIn(() => import("./login.ts"));
const oidcLogin = operationsIn(() => import("./federation/oidc-login.ts"));
const oneTimePassword = operationsIn(() => import("./one-time-password.ts"));
const password = operationsIn(() => import("./password.ts"));
const settings = operationsIn(() => import("./settings.ts"));
const sessions = operationsIn(() => import("./sessions.ts"));
const syncKey = operationsIn(() => import("./sync-key.ts"));
const tokens = operationsIn(() => import("./tokens.ts"));
const verify = operationsIn(() => import("./verify.ts"));

const FORGOT = ["/account/password/forgot", "/account/forgot_password", "/account/reset_password"];

/** Routes that no token opens: a program could get more than its token gives. */
const LOGIN_ROUTES: readonly Route[] = [
  get("/account/login", "public", login("loginForm")),
  post("/account/login", "public", login("login")),
  post("/account/login.json", "public", login("loginJson")),
  post("/account/login/oidc", "public", oidcLogin("startOidcLogin")),
  get("/account/login/oidc/callback", "public", oidcLogin("finishOidcLogin")),
  post("/account/login/otp/issue", "public", oneTimePassword("issueOtp")),
  post("/account/login/otp/redeem", "public", oneTimePassword("redeemOtp")),
  get("/account/create", "public", create("createForm")),
  post("/account/create", "public", create("createAccount")),
  get("/account/verify", "public", verify("verifyForm")),
  post("/account/verify", "public", verify("verify")),
  get("/account/verify/{code}", "public", verify("verifyCode")),
  get("/account/validate", "public", create("validateAccount")),
  get("/account/email", "session-page", email("emailForm")),
  post("/account/email", "session-page", email("changeEmail")),
  alias(get("/account/email/verify", "session-page", email("emailForm"))),
  get("/account/email/verify/{code}", "public", email("verifyEmailForm")),
  post("/account/email/verify/{code}", "public", email("verifyEmail")),
  get(
    ["/account/password", "/account/preferences/change_password"],
    "session-page",
    password("passwordForm"),
  ),
  post(
    ["/account/password", "/account/preferences/change_password"],
    "session-page",
    password("changePassword"),
  ),
  get(FORGOT, "public", password("forgotPasswordForm")),
  post(FORGOT, "public", password("forgotPassword")),
  get("/account/password/reset/{code}", "public", password("resetPasswordForm")),
  post("/account/password/reset/{code}", "public", password("resetPassword")),
  get("/account/sessions", "session-page", sessions("sessionsForm")),
  get("/account/sessions.json", "session", sessions("sessions")),
  post("/account/sessions", "session-page", sessions("endSessions")),
  alias(post("/account/sessions.json", "session", sessions("endSessions"))),
  get("/account/api-key", "session-page", apiKey("apiKeyForm")),
  post("/account/api-key", "session-page", apiKey("makeApiKey")),
  remove("/account/api-key", "session", apiKey("removeApiKey")),
  alias(post("/account/api-key/delete", "session-page", apiKey("removeApiKey"))),
  get("/account/tokens", "session-page", tokens("tokens")),
  alias(get("/account/tokens.json", "session", tokens("tokens"))),
  post("/account/tokens", "session-page", tokens("makeToken")),
  post("/account/tokens/revoke", "session-page", tokens("revokeToken")),
  get("/account/sync-key", "session-page", syncKey("syncKeyForm")),
  post("/account/sync-key", "session-page", syncKey("makeSyncKey")),
  remove("/account/sync-key", "session", syncKey("removeSyncKey")),
  alias(post("/account/sync-key/delete", "session-page", syncKey("removeSyncKey"))),
].flat();

export const ACCOUNT_ROUTES: readonly Route[] = [
  inScope("login", LOGIN_ROUTES),
  inScope("any", post("/account/logout", "public", sessions("logout"))),
  alias(get("/account/logout", "public", sessions("logout"))),
  get(["/account", "/account/preferences"], "session-page", settings("accountOverview")),
  post("/account/language", "public", settings("chooseLanguage")),
  get("/account/notifications", "session-page", settings("notificationsForm")),
  post("/account/notifications", "session-page", settings("saveNotifications")),
  get("/account/privacy", "session-page", settings("privacyForm")),
  post("/account/privacy", "session-page", settings("savePrivacy")),
  get("/account/preferences.json", "session", settings("ownPreferences")),
  post("/account/preferences.json", "session", settings("changePreferences")),
  get("/people/{username}/preferences[.json]", "session", settings("preferencesOf")),
  inScope("lists", [
    ...get("/account/lists", "session-page", settings("ownLists")),
    ...get("/account/lists/add", "session-page", settings("ownNewList")),
    ...alias(post("/account/lists/add", "session-page", settings("ownNewList"))),
    ...get("/account/books", "session-page", settings("ownBooks")),
    ...get("/account/books/{rest:path}", "session-page", settings("ownShelf")),
  ]),
  get("/account/waitlist", "public", settings("waitlist")),
  get("/account/test.json", "development", diagnostics("testSession")),
  get("/account/protected.json", "session", diagnostics("protectedTest")),
  get("/account/optional.json", "development", diagnostics("optionalTest")),
].flat();
