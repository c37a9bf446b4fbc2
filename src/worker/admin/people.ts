import * as z from "zod";
import { EMAIL_LENGTH_MAX } from "../../catalog/accounts.ts";
import { LISTED_ACCOUNTS_MAX, listAccounts } from "../../db/accounts/read-accounts.ts";
import { resource } from "../http/views.ts";
import { adminPage, dataTable, keyLink } from "../ui/data-page.ts";
import { form } from "../ui/form.ts";
import { pageLinks } from "../ui/pager.ts";
import { t } from "../ui/words.ts";
import { ACCOUNT_STATUS_WORDS, accountSchema, toAccountView } from "./person.ts";

const listSchema = z.object({ accounts: z.array(accountSchema), next: z.string().nullable() });

const text = z.string().max(EMAIL_LENGTH_MAX).optional();

export const adminPeople = resource({
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
  async read({ query: { after, ...query } }, context) {
    const { by, prefix } = criterionOf(query);
    const cursor = after === undefined ? {} : { after };
    const rows = await listAccounts(context.stores.patrons, { by, prefix, ...cursor });
    const accounts = rows.map(toAccountView);
    const next = accounts.length < LISTED_ACCOUNTS_MAX ? null : (accounts.at(-1)?.[by] ?? null);
    return { accounts, next };
  },
  page({ accounts, next }, { query }) {
    const { by, prefix } = criterionOf(query);
    return adminPage({
      title: t("admin.accounts"),
      parts: [
        form({
          action: "/admin/people",
          method: "get",
          fields: [
            { name: "username", label: t("admin.username_begins"), value: by === "username" ? prefix : "" },
            { name: "email", label: t("admin.email_begins"), value: by === "email" ? prefix : "" },
          ],
          submit: t("admin.find"),
        }),
        dataTable({
          caption: t("admin.accounts"),
          members: {
            key: ["admin.username", (key, { username }) => keyLink(key, username)],
            email: "admin.email",
            status: ["admin.status", (status) => t(ACCOUNT_STATUS_WORDS[status])],
            bot: "admin.bot",
            created: "desk.since",
            last_login: "admin.last_login",
          },
          rows: accounts,
          none: "admin.no_accounts",
        }),
        pageLinks(
          undefined,
          next === null ? undefined : `/admin/people?${new URLSearchParams({ [by]: prefix, after: next })}`,
        ),
      ],
    });
  },
});

function criterionOf({ username = "", email = "" }: { username?: string; email?: string }) {
  return email.trim() === ""
    ? ({ by: "username", prefix: username.trim() } as const)
    : ({ by: "email", prefix: email.trim() } as const);
}
