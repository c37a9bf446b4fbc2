import type { FoundAccount } from "../../db/accounts/read-accounts.ts";
import type { Role } from "../../catalog/roles.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { chips } from "../ui/chip.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { type Words, t } from "../ui/words.ts";
import { isLoginElsewhere } from "./login-elsewhere.ts";

type Links = readonly (readonly [href: (username: string) => string, words: Words])[];

const READING: Links = [
  [(username) => `/people/${username}`, "accounts.profile"],
  [() => "/account/books", "accounts.books"],
  [(username) => `/people/${username}/books/feed`, "accounts.following"],
  [() => "/account/lists", "accounts.lists"],
  [() => "/account/loans", "account.loans"],
  [() => "/account/loan-history", "accounts.earlier_loans"],
  [() => "/account/import", "accounts.import"],
];

const LOGIN: Links = [
  [() => "/account/email", "accounts.change_email"],
  [() => "/account/password", "accounts.change_password"],
];

const SETTINGS: Links = [
  [() => "/account/privacy", "accounts.privacy"],
  [() => "/account/notifications", "accounts.notifications"],
  [() => "/account/sessions", "accounts.sessions"],
  [() => "/account/tokens", "tokens.title"],
  [() => "/account/api-key", "accounts.keys"],
  [() => "/account/sync-key", "sync.title"],
  [() => "/account/remove", "accounts.remove"],
];

/** Pages for members of groups, by the role that opens them. */
const STAFF: readonly (readonly [role: Role, href: string, words: Words])[] = [
  ["librarian", "/merges", "admin.merge_requests"],
  ["librarian", "/merges/differing-authors", "differ.title"],
  ["librarian", "/import/preview", "preview.title"],
  ["librarian", "/import/batch/new", "imports.new"],
  ["admin", "/admin", "admin.title"],
];

export function accountOverviewPage(
  { settings }: Pick<RequestContext, "settings">,
  { username, displayname, email }: FoundAccount,
  hasOwnRole: (role: Role) => boolean,
): Reply {
  const group = (heading: Words, links: Links): Markup => {
    const items = links.map(([href, words]) => ({ href: href(username), text: t(words) }));
    return markup`<nav aria-labelledby="${heading}"><h2 id="${heading}">${t(heading)}</h2>
${chips(items)}</nav>`;
  };
  const staff = STAFF.filter(([role]) => hasOwnRole(role)).map(
    ([, href, words]) => [() => href, words] as const,
  );
  const body = markup`${factList([
    [t("accounts.username"), username],
    [t("accounts.name"), displayname],
    [t("accounts.email"), email],
  ])}
${group("nav.my_books", READING)}
${group("account.settings", isLoginElsewhere(settings) ? SETTINGS : [...LOGIN, ...SETTINGS])}
${staff.length > 0 && group("accounts.staff", staff)}
${form({ action: "/account/logout", fields: [], submit: t("account.log_out") })}`;
  return accountPage({ title: t("accounts.yours"), body });
}
