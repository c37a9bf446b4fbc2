import * as z from "zod";
import { findAccount } from "../../db/accounts/read.ts";
import { hasRole } from "../http/access.ts";
import { forbidden, notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { type Reply, privateJson, seeOther } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { definitions } from "../ui/parts.ts";
import { accountPage } from "./account-page.ts";
import { ACCOUNT_BODY_BYTES } from "./account-form.ts";
import { ownAccount, ownSession } from "./own-session.ts";
import { preferenceChanges, readPreferences, savePreferences, yesNo } from "./preferences.ts";

/** `GET /account/preferences.json`: one's own preferences. */
export const ownPreferences = operation({
  id: "preferences",
  summary: "Own preferences",
  tag: "account",
  responses: { 200: { description: "All of them, by name", schema: z.record(z.string(), z.string()) } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return privateJson(await readPreferences(context, username));
  },
});

/** `GET /people/{username}/preferences.json`: for the patron and administrators. */
export const preferencesOf = operation({
  id: "preferencesOf",
  summary: "Preferences of a patron",
  tag: "account",
  path: { username: z.string() },
  responses: {
    200: { description: "All of them, by name", schema: z.record(z.string(), z.string()) },
    403: { description: "Somebody else's" },
  },
  async handle({ path: { username } }, context) {
    const actor = await context.actor();
    const isOwn = actor.username?.toLowerCase() === username.toLowerCase();
    if (!isOwn && !hasRole(actor, "admin")) throw forbidden("Forbidden");
    if ((await findAccount(context.stores.patrons, { username })) === undefined) throw notFound();
    return privateJson(await readPreferences(context, username));
  },
});

/** `POST /account/preferences.json`: changes some preferences; the others stay. */
export const changePreferences = operation({
  id: "changePreferences",
  summary: "Change own preferences",
  tag: "account",
  json: preferenceChanges,
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: { 200: { description: "All of them, by name", schema: z.record(z.string(), z.string()) } },
  async handle({ json }, context) {
    const { username } = await ownSession(context);
    return privateJson(await savePreferences(context, username, json));
  },
});

/** What a patron sees of his account. */
interface AccountView {
  readonly username: string;
  readonly displayname: string;
  readonly email: string;
  readonly isAdmin: boolean;
}

/** The page from which everything about an account is reached. */
function settingsPage({ username, displayname, email, isAdmin }: AccountView): Reply {
  const links: [string, string][] = [
    [`/people/${username}`, "Profile"],
    ["/account/books", "Books"],
    [`/people/${username}/books/feed`, "News of those you follow"],
    ["/account/lists", "Lists"],
    ["/account/loans", "Loans"],
    ["/account/loan-history", "Earlier loans"],
    ["/account/import", "Import and export"],
    ["/account/email", "Change e-mail address"],
    ["/account/password", "Change password"],
    ["/account/privacy", "Privacy"],
    ["/account/notifications", "Notifications"],
    ["/account/sessions", "Where you are logged in"],
    ["/account/api-key", "Keys for programs"],
    ["/account/remove", "Remove the account"],
  ];
  if (isAdmin) links.push(["/admin", "Administration"]);
  const body = markup`${definitions([
    ["Username", username],
    ["Name", displayname],
    ["E-mail address", email],
  ])}
<nav aria-label="Account"><ul>${links.map(([href, text]) => markup`<li><a href="${href}">${text}</a></li>`)}</ul></nav>
${form({ action: "/account/logout", fields: [], submit: "Log out" })}`;
  return accountPage({ title: "Your account", body });
}

/** The page of what others may see, and what is blurred. */
function privacyPage(preferences: Readonly<Record<string, string>>): Reply {
  const body = form({
    action: "/account/privacy",
    fields: [
      {
        name: "public_readlog",
        label: "Others may see my reading log, and follow me",
        type: "checkbox",
        value: "yes",
        checked: preferences["public_readlog"] === "yes",
      },
      {
        name: "safe_mode",
        label: "Blur covers that not everybody wants to see",
        type: "checkbox",
        value: "yes",
        checked: preferences["safe_mode"] === "yes",
      },
    ],
    submit: "Save",
  });
  return accountPage({ title: "Privacy", body });
}

/** The page of what mails a patron gets. */
function notificationsPage(preferences: Readonly<Record<string, string>>): Reply {
  const body = form({
    action: "/account/notifications",
    fields: [
      {
        name: "updates",
        label: "Send me news now and then",
        type: "checkbox",
        value: "yes",
        checked: preferences["updates"] === "yes",
      },
    ],
    submit: "Save",
  });
  return accountPage({ title: "Notifications", body });
}

/** `GET /account`: the page from which everything about an account is reached. */
export const accountOverview = operation({
  id: "accountPage",
  summary: "Page of the own account",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const [{ username, displayname, email }, actor] = await Promise.all([
      ownAccount(context),
      context.actor(),
    ]);
    return settingsPage({ username, displayname, email, isAdmin: hasRole(actor, "admin") });
  },
});

/** `POST /account/notifications`: the whole form; a box that is not ticked is a no. */
export const saveNotifications = operation({
  id: "saveNotifications",
  summary: "Choose notifications",
  tag: "account",
  form: { updates: yesNo.default("no") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: { 303: { description: "Saved; to /account" } },
  async handle({ form: { updates } }, context) {
    const { username } = await ownSession(context);
    await savePreferences(context, username, { updates });
    return seeOther("/account");
  },
});

/** `GET /account/notifications`: the form for what mails a patron gets. */
export const notificationsForm = operation({
  id: "notificationsPage",
  summary: "Page on which notifications are chosen",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return notificationsPage(await readPreferences(context, username));
  },
});

/** `POST /account/privacy`: the whole form; a box that is not ticked is a no. */
export const savePrivacy = operation({
  id: "savePrivacy",
  summary: "Choose privacy",
  tag: "account",
  form: { public_readlog: yesNo.default("no"), safe_mode: yesNo.default("no") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: { 303: { description: "Saved; to /account" } },
  async handle({ form: sent }, context) {
    const { username } = await ownSession(context);
    await savePreferences(context, username, sent);
    return seeOther("/account");
  },
});

/** `GET /account/privacy`: the form for what others may see. */
export const privacyForm = operation({
  id: "privacyPage",
  summary: "Page on which privacy is chosen",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return privacyPage(await readPreferences(context, username));
  },
});
