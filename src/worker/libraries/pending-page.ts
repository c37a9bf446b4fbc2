import { type Reply, PRIVATE } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import type { Registration, StoredRegistration } from "./registrations.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

/** A registration as administrators see it. */
export type ShownRegistration = Registration & Pick<StoredRegistration, "key">;

/** The registration of a library, and what an administrator can decide. */
export function pendingPage(registration: ShownRegistration, canBeDeclined: boolean): Reply {
  const { name, library, current_status: status } = registration;
  const body = markup`${factList([
    ["Status", status],
    ["Registered", moment(registration.registered_on)],
    ["Addresses", markup`<pre>${registration.addresses}</pre>`],
    ["IP addresses", markup`<pre>${registration.ip_ranges}</pre>`],
    ["Website", registration.website],
    ["Lending region", registration.lending_region],
    ["E-mail address for questions", registration.contact_email],
    ["Library", library === undefined ? undefined : link(addressOf(library), library)],
  ])}
${status === "pending" && approval(registration)}
${canBeDeclined && refusal(registration)}
<p>${link("/libraries/dashboard", "To all registrations")}</p>`;
  return page({ title: name, body, cacheControl: PRIVATE });
}

function approval({ key, name }: ShownRegistration): Markup {
  const suggested = `/libraries/${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .slice(0, 100)}`;
  const hint = "It cannot be changed later.";
  const field = { name: "key", label: "Key of the library", value: suggested, required: true, hint };
  return markup`<h2>Let the library in</h2>
${form({ action: key, fields: [field], submit: "Let in" })}`;
}

function refusal({ key }: ShownRegistration): Markup {
  return markup`<h2>Decline</h2>
${form({ action: key, fields: [{ name: "_delete", label: "", type: "hidden", value: "true" }], submit: "Delete the registration" })}`;
}

/** Registrations that wait for an administrator. */
export function dashboardPage(registrations: readonly ShownRegistration[], next: string | undefined): Reply {
  const rows = registrations.map(({ key, name, registered_on: registered }) => [
    link(key, name),
    moment(registered),
  ]);
  const body =
    rows.length === 0
      ? markup`<p>No registration is waiting.</p>`
      : markup`${table({ caption: "Registrations that wait", columns: ["Library", "Registered"], rows })}
${pageLinks(undefined, next)}`;
  return page({ title: "Libraries to decide on", body, cacheControl: PRIVATE });
}
