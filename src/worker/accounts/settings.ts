import * as z from "zod";
import { findAccount } from "../../db/accounts/read.ts";
import { hasRole } from "../../catalog/roles.ts";
import { forbidden, notFound } from "../http/errors.ts";
import { type AnyOperation, operation } from "../http/operation.ts";
import { type Reply, privateJson, seeOther } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { definitions } from "../ui/parts.ts";
import { accountPage } from "./account-page.ts";
import { ACCOUNT_BODY_BYTES, formPage } from "./account-form.ts";
import { ownAccount, ownSession } from "./own-session.ts";
import { preferenceChanges, readPreferences, savePreferences, yesNo } from "./preferences.ts";

const PREFERENCES = { description: "All of them, by name", schema: z.record(z.string(), z.string()) };

/** `GET /account/preferences.json`: one's own preferences. */
export const ownPreferences = operation({
  id: "preferences",
  summary: "Own preferences",
  tag: "account",
  responses: { 200: PREFERENCES },
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
  responses: { 200: PREFERENCES, 403: { description: "Somebody else's" } },
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
  responses: { 200: PREFERENCES },
  async handle({ json }, context) {
    const { username } = await ownSession(context);
    return privateJson(await savePreferences(context, username, json));
  },
});

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
    return overviewPage({ username, displayname, email, isAdmin: hasRole(actor, "admin") });
  },
});

/** What a patron sees of his account. */
interface AccountView {
  readonly username: string;
  readonly displayname: string;
  readonly email: string;
  readonly isAdmin: boolean;
}

function overviewPage({ username, displayname, email, isAdmin }: AccountView): Reply {
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

const NOTIFICATIONS = {
  path: "/account/notifications",
  title: "Notifications",
  boxes: { updates: "Send me news now and then" },
};
/** `GET /account/notifications`: the form for what mails a patron gets. */
export const notificationsForm = boxesForm(NOTIFICATIONS, {
  id: "notificationsPage",
  summary: "Page on which notifications are chosen",
});
/** `POST /account/notifications`. */
export const saveNotifications = saveBoxes(NOTIFICATIONS, {
  id: "saveNotifications",
  summary: "Choose notifications",
});

const PRIVACY = {
  path: "/account/privacy",
  title: "Privacy",
  boxes: {
    public_readlog: "Others may see my reading log, and follow me",
    safe_mode: "Blur covers that not everybody wants to see",
  },
};
/** `GET /account/privacy`: the form for what others may see, and what is blurred. */
export const privacyForm = boxesForm(PRIVACY, {
  id: "privacyPage",
  summary: "Page on which privacy is chosen",
});
/** `POST /account/privacy`. */
export const savePrivacy = saveBoxes(PRIVACY, { id: "savePrivacy", summary: "Choose privacy" });

/** Preferences that are chosen on one page: their labels by name. */
interface Boxes {
  readonly path: string;
  readonly title: string;
  readonly boxes: Readonly<Record<string, string>>;
}

type Named = Pick<AnyOperation, "id" | "summary">;

function boxesForm({ path, title, boxes }: Boxes, named: Named): AnyOperation {
  return operation({
    ...named,
    tag: "account",
    responses: { 200: { description: "The page", contentType: "text/html" } },
    async handle(_input, context) {
      const { username } = await ownSession(context);
      const chosen = await readPreferences(context, username);
      const fields = Object.entries(boxes).map(
        ([name, label]) =>
          ({ name, label, type: "checkbox", value: "yes", checked: chosen[name] === "yes" }) as const,
      );
      return formPage({ title, action: path, submit: "Save", fields });
    },
  });
}

/** Takes the whole form: a box that is not ticked is a no. */
function saveBoxes({ boxes }: Boxes, named: Named): AnyOperation {
  return operation({
    ...named,
    tag: "account",
    form: Object.fromEntries(Object.keys(boxes).map((name) => [name, yesNo.default("no")])),
    bodyBytes: ACCOUNT_BODY_BYTES,
    responses: { 303: { description: "Saved; to /account" } },
    async handle({ form: chosen }, context) {
      const { username } = await ownSession(context);
      await savePreferences(context, username, chosen);
      return seeOther("/account");
    },
  });
}
