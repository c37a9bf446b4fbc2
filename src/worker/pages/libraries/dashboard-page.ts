import type { Reply } from "../../reply.ts";
import { page } from "../layout.ts";
import { markup } from "../markup.ts";
import { link, moment, pageLinks, table } from "../parts.ts";
import type { ShownRegistration } from "./pending-page.ts";

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
  return page({ title: "Libraries to decide on", body });
}
