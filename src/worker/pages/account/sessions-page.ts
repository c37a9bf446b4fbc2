import type { SessionView } from "../../accounts/session-views.ts";
import type { Reply } from "../../http/reply.ts";
import { form } from "../../ui/form.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { moment, table } from "../../ui/parts.ts";
import { accountPage } from "./account-page.ts";

/** The page of a patron's open sessions. */
export function sessionsPage(sessions: readonly SessionView[]): Reply {
  const body = markup`${table({
    caption: "Open sessions",
    columns: ["Opened", "Last used", "From", ""],
    rows: sessions.map((session) => [
      moment(session.opened),
      moment(session.seen),
      session.client,
      session.current ? "This session" : endForm(session.id),
    ]),
  })}
${form({
  action: "/account/sessions",
  fields: [{ name: "others", label: "", type: "hidden", value: "true" }],
  submit: "End all other sessions",
})}`;
  return accountPage({ title: "Where you are logged in", body });
}

function endForm(id: string): Markup {
  return markup`<form method="post" action="/account/sessions">
<input type="hidden" name="id" value="${id}"><button type="submit">End</button></form>`;
}
