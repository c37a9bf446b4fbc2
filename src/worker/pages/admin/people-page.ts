import type { SeenAccount } from "../../admin/person.ts";
import type { Reply } from "../../reply.ts";
import { form } from "../forms.ts";
import { markup } from "../markup.ts";
import { link, moment, pageLinks, table } from "../parts.ts";
import { adminPage } from "./admin-page.ts";

/** Accounts that were looked for. */
export interface FoundPeople {
  readonly accounts: readonly SeenAccount[];
  readonly next: string | null;
  readonly by: "username" | "email";
  readonly prefix: string;
}

/** The page on which accounts are found. */
export function peoplePage({ accounts, next, by, prefix }: FoundPeople): Reply {
  const more =
    next === null ? undefined : `/admin/people?${new URLSearchParams({ [by]: prefix, after: next })}`;
  const body = markup`${form({
    action: "/admin/people",
    method: "get",
    fields: [
      { name: "username", label: "Username begins with", value: by === "username" ? prefix : "" },
      { name: "email", label: "E-mail address begins with", value: by === "email" ? prefix : "" },
    ],
    submit: "Find",
  })}
${
  accounts.length === 0
    ? markup`<p>There are none.</p>`
    : table({
        caption: "Accounts",
        columns: ["Username", "E-mail address", "Status", "Bot", "Since", "Last login"],
        rows: accounts.map((account) => [
          link(`/admin/people/${encodeURIComponent(account.username)}`, account.username),
          account.email,
          account.status,
          account.bot ? "yes" : "no",
          moment(account.created),
          account.last_login === null ? "" : moment(account.last_login),
        ]),
      })
}
${pageLinks(undefined, more)}`;
  return adminPage({ title: "Accounts", body });
}
