import * as z from "zod";
import { hasRole } from "../../catalog/roles.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { setAccount } from "../../db/accounts/write-accounts.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { LANGUAGES, LANGUAGE_COOKIE } from "../http/pages/reader.ts";
import { backOr } from "../http/redirect-target.ts";
import { REMEMBERED_SECONDS, cookieText } from "../http/session.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import { privateJson, seeOther } from "../http/reply.ts";
import { pageNumber } from "../http/parameters.ts";
import { notify } from "../ui/notice.ts";
import type { InputField } from "../ui/form.ts";
import { type Words, t } from "../ui/words.ts";
import { ACCOUNT_BODY_BYTES, PAGE, formPage } from "./account-form.ts";
import { ownAccount, ownSession } from "./own-session.ts";
import { accountOverviewPage } from "./settings-page.ts";
import { preferenceChanges, readPreferences, savePreferences, yesNo } from "./preferences.ts";

const PREFERENCES = { description: "Preferences by name", schema: z.record(z.string(), z.string()) };

export const ownPreferences = operation({
  id: "preferences",
  summary: "Get your preferences",
  tag: "account",
  responses: { 200: PREFERENCES },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return privateJson(await readPreferences(context, username));
  },
});

export const preferencesOf = operation({
  id: "preferencesOf",
  summary: "Get your preferences by username",
  tag: "account",
  path: { username: z.string() },
  responses: { 200: PREFERENCES, 403: { description: "Preferences of another patron" } },
  async handle({ path: { username } }, context) {
    const actor = await context.actor();
    const isOwn = actor.username?.toLowerCase() === username.toLowerCase();
    if (!isOwn && !hasRole(actor, "admin")) throw failure("forbidden.owner");
    if ((await findAccount(context.stores.patrons, { username })) === undefined) throw notFound();
    return privateJson(await readPreferences(context, username));
  },
});

export const changePreferences = operation({
  id: "changePreferences",
  summary: "Change your preferences",
  tag: "account",
  json: preferenceChanges,
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: { 200: PREFERENCES },
  async handle({ json }, context) {
    const { username } = await ownSession(context);
    return privateJson(await savePreferences(context, username, json));
  },
});

export const accountOverview = operation({
  id: "accountPage",
  summary: "Show the account page",
  tag: "account",
  responses: PAGE,
  async handle(_input, context) {
    const [account, actor] = await Promise.all([ownAccount(context), context.actor()]);
    return accountOverviewPage(context, account, (role) => hasRole(actor, role));
  },
});

export const [notificationsForm, saveNotifications] = preferenceForms("Notifications", {
  updates: "accounts.newsletter",
});

export const [privacyForm, savePrivacy] = preferenceForms("Privacy", {
  public_readlog: "accounts.public_log",
  safe_mode: "accounts.safe_mode",
});

/** Returns the operations that show and save the preferences of one page. `boxes`: labels by name of the preference. */
function preferenceForms(title: "Notifications" | "Privacy", boxes: Readonly<Record<string, Words>>) {
  const isPrivacy = title === "Privacy";
  const name = title.toLowerCase();
  const form = operation({
    id: `${name}Page`,
    summary: `Show the form for ${name}`,
    tag: "account",
    responses: PAGE,
    async handle(_input, context) {
      const { username } = await ownSession(context);
      const preferences = await readPreferences(context, username);
      const fields = Object.entries(boxes).map(([box, words]): InputField => ({
        name: box,
        label: t(words),
        type: "checkbox",
        value: "yes",
        checked: preferences[box] === "yes",
      }));
      return formPage({
        title: t(isPrivacy ? "accounts.privacy" : "accounts.notifications"),
        action: `/account/${name}`,
        submit: t("accounts.save"),
        fields,
      });
    },
  });
  const save = operation({
    id: `save${title}`,
    summary: `Save ${name}`,
    tag: "account",
    // The form is complete: an unticked box means "no".
    form: Object.fromEntries(Object.keys(boxes).map((box) => [box, yesNo.default("no")])),
    bodyBytes: ACCOUNT_BODY_BYTES,
    responses: { 303: { description: "Saved; redirect to /account" } },
    async handle({ form: changes }, context) {
      const { username } = await ownSession(context);
      await savePreferences(context, username, changes);
      notify(context, "accounts.saved");
      return seeOther("/account");
    },
  });
  return [form, save] as const;
}

export const chooseLanguage = operation({
  id: "chooseLanguage",
  summary: "Set the language of the pages in a cookie, and that of your emails",
  tag: "account",
  inReadOnly: true,
  form: { language: z.enum(LANGUAGES), redir_url: z.string().default("/") },
  responses: {
    200: { description: "Language set", schema: z.object({ language: z.enum(LANGUAGES) }) },
    303: { description: "For browsers: redirect to the page of the form" },
  },
  async handle({ form: { language, redir_url: origin } }, context) {
    const session = await context.session();
    if (session !== undefined) await setAccount(context.stores.patrons, session.username, { language });
    const options = { context, seconds: REMEMBERED_SECONDS };
    context.cookies.push(cookieText(LANGUAGE_COOKIE, language, options));
    notify(context, "notice.language");
    return backOr(context, privateJson({ language }), origin);
  },
});

export const ownLists = toOwnPage("ownLists", "Redirect to your lists", "/lists");
export const ownNewList = toOwnPage("ownNewList", "Redirect to the form for a new list", "/lists/add");
export const ownBooks = toOwnPage("ownBooks", "Redirect to your books", "/books");

export const ownShelf = operation({
  id: "ownShelf",
  summary: "Redirect to a page of your books",
  tag: "account",
  path: { rest: z.string() },
  query: { page: pageNumber() },
  responses: { 303: { description: "Redirect to the page below /people" } },
  async handle({ path: { rest }, query: { page } }, context) {
    const path = rest.split("/").map(encodeURIComponent).join("/");
    const query = page > 1 ? `?page=${page}` : "";
    return seeOther(`${await ownPath(context)}/books/${path}${query}`);
  },
});

export const waitlist = operation({
  id: "waitlist",
  summary: "Redirect to your waiting lists",
  tag: "account",
  responses: { 303: { description: "Redirect to /account/loans" } },
  handle: () => seeOther("/account/loans"),
});

function toOwnPage(id: string, summary: string, path: string): AnyOperation {
  return operation({
    id,
    summary,
    tag: "account",
    responses: { 303: { description: "Redirect to the page below /people" } },
    handle: async (_input, context) => seeOther((await ownPath(context)) + path),
  });
}

async function ownPath(context: RequestContext): Promise<string> {
  return (await ownSession(context)).key;
}
