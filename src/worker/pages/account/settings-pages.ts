import type { Reply } from "../../http/reply.ts";
import { form } from "../../ui/form.ts";
import { markup } from "../../ui/markup.ts";
import { definitions } from "../../ui/parts.ts";
import { accountPage } from "./account-page.ts";

/** What a patron sees of his account. */
export interface AccountView {
  readonly username: string;
  readonly displayname: string;
  readonly email: string;
  readonly isAdmin: boolean;
}

/** The page from which everything about an account is reached. */
export function settingsPage({ username, displayname, email, isAdmin }: AccountView): Reply {
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
export function privacyPage(preferences: Readonly<Record<string, string>>): Reply {
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
export function notificationsPage(preferences: Readonly<Record<string, string>>): Reply {
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
