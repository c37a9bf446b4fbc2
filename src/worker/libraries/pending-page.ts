import { type Reply, PRIVATE } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import type { Registration, StoredRegistration } from "./registrations.ts";
import { table } from "../ui/table.ts";
import { moment, say } from "../ui/words.ts";

/** A registration as administrators see it. */
export type ShownRegistration = Registration & Pick<StoredRegistration, "key">;

/** The registration of a library, and what an administrator can decide. */
export function pendingPage(registration: ShownRegistration, canBeDeclined: boolean): Reply {
  const { name, library, current_status: status } = registration;
  const body = markup`${factList([
    [say("library.status"), status],
    [say("library.registered"), moment(registration.registered_on)],
    [say("library.addresses"), markup`<pre>${registration.addresses}</pre>`],
    [say("library.ip"), markup`<pre>${registration.ip_ranges}</pre>`],
    [say("library.website"), registration.website],
    [say("library.region"), registration.lending_region],
    [say("library.email"), registration.contact_email],
    [say("library.library"), library === undefined ? undefined : link(addressOf(library), library)],
  ])}
${status === "pending" && approval(registration)}
${canBeDeclined && refusal(registration)}
<p>${link("/libraries/dashboard", say("library.registrations"))}</p>`;
  return page({ title: name, body, cacheControl: PRIVATE });
}

function approval({ key, name }: ShownRegistration): Markup {
  const suggested = `/libraries/${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .slice(0, 100)}`;
  const hint = say("library.key_hint");
  const field = { name: "key", label: say("library.key"), value: suggested, required: true, hint };
  return markup`<h2>${say("library.let_in_heading")}</h2>
${form({ action: key, fields: [field], submit: say("library.let_in") })}`;
}

function refusal({ key }: ShownRegistration): Markup {
  return markup`<h2>${say("library.decline")}</h2>
${form({ action: key, fields: [{ name: "_delete", label: "", type: "hidden", value: "true" }], submit: say("library.delete") })}`;
}

/** Registrations that wait for an administrator. */
export function dashboardPage(registrations: readonly ShownRegistration[], next: string | undefined): Reply {
  const rows = registrations.map(({ key, name, registered_on: registered }) => [
    link(key, name),
    moment(registered),
  ]);
  const body =
    rows.length === 0
      ? markup`<p>${say("library.waiting_none")}</p>`
      : markup`${table({ caption: say("library.waiting"), columns: [say("library.library"), say("library.registered")], rows })}
${pageLinks(undefined, next)}`;
  return page({ title: say("library.decide"), body, cacheControl: PRIVATE });
}
