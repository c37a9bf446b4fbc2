import * as z from "zod";
import { EMAIL_LENGTH_MAX } from "../../catalog/accounts.ts";
import { LISTED_ACCOUNTS_MAX, listAccounts } from "../../db/accounts/read-accounts.ts";
import { pageOrJson } from "../http/accept.ts";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { adminPage } from "./admin-page.ts";
import { ACCOUNT_STATUS_WORDS, accountSchema, toAccountView } from "./person.ts";
import { table } from "../ui/table.ts";
import { moment, t } from "../ui/words.ts";

const listSchema = z.object({ accounts: z.array(accountSchema), next: z.string().nullable() });

const text = z.string().max(EMAIL_LENGTH_MAX).optional();

export const adminPeople = operation({
  id: "adminPeople",
  summary: "Find accounts",
  tag: "administration",
  query: {
    username: text.describe("Prefix of the username, case-insensitive"),
    email: text.describe("Prefix of the email address; takes precedence over `username`"),
    after: text.describe("Last username or email address of the previous page"),
  },
  responses: {
    200: {
      description: `At most ${LISTED_ACCOUNTS_MAX} accounts, ordered by username or email address`,
      schema: listSchema,
    },
  },
  async handle({ query: { username = "", email = "", after } }, context) {
    const by = email.trim() === "" ? "username" : "email";
    const prefix = (by === "email" ? email : username).trim();
    const cursor = after === undefined ? {} : { after };
    const rows = await listAccounts(context.stores.patrons, { by, prefix, ...cursor });
    const accounts = rows.map(toAccountView);
    const next = accounts.length < LISTED_ACCOUNTS_MAX ? null : (accounts.at(-1)?.[by] ?? null);
    return pageOrJson(context, { accounts, next }, (list) => peoplePage({ ...list, by, prefix }));
  },
});

const COLUMNS = [
  "admin.username",
  "admin.email",
  "admin.status",
  "admin.bot",
  "desk.since",
  "admin.last_login",
] as const;

function peoplePage({
  accounts,
  next,
  by,
  prefix,
}: z.infer<typeof listSchema> & { by: "username" | "email"; prefix: string }): Reply {
  const more =
    next === null ? undefined : `/admin/people?${new URLSearchParams({ [by]: prefix, after: next })}`;
  const body = markup`${form({
    action: "/admin/people",
    method: "get",
    fields: [
      { name: "username", label: t("admin.username_begins"), value: by === "username" ? prefix : "" },
      { name: "email", label: t("admin.email_begins"), value: by === "email" ? prefix : "" },
    ],
    submit: t("admin.find"),
  })}
${
  accounts.length === 0
    ? markup`<p>${t("admin.no_accounts")}</p>`
    : table({
        caption: t("admin.accounts"),
        columns: COLUMNS.map((words) => t(words)),
        rows: accounts.map((account) => [
          link(`/admin/people/${encodeURIComponent(account.username)}`, account.username),
          account.email,
          t(ACCOUNT_STATUS_WORDS[account.status]),
          t(account.bot ? "admin.yes" : "admin.no"),
          moment(account.created),
          account.last_login !== null && moment(account.last_login),
        ]),
      })
}
${pageLinks(undefined, more)}`;
  return adminPage({ title: t("admin.accounts"), body });
}
