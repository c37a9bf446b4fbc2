import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { table } from "../ui/table.ts";
import { moment, t } from "../ui/words.ts";

/** Session as its patron sees it. Times are naive UTC. */
interface SessionRow {
  readonly id: string;
  readonly opened: string;
  readonly seen: string;
  /** Client address that opened the session. */
  readonly client: string;
  /** True for the session of the request. */
  readonly current: boolean;
}

export function sessionsPage(list: readonly SessionRow[]): Reply {
  const body = markup`${table({
    caption: t("accounts.open_sessions"),
    columns: [t("accounts.opened"), t("accounts.last_used"), t("accounts.opened_from"), t("accounts.end")],
    rows: list.map(({ id, opened, seen, client, current }) => [
      moment(opened),
      moment(seen),
      client,
      current
        ? t("accounts.this_session")
        : markup`<form method="post" action="/account/sessions">
<input type="hidden" name="id" value="${id}"><button type="submit">${t("accounts.end")}</button></form>`,
    ]),
  })}
${form({
  action: "/account/sessions",
  fields: [{ name: "others", label: "", type: "hidden", value: "true" }],
  submit: t("accounts.end_others"),
})}`;
  return accountPage({ title: t("accounts.sessions"), body });
}
