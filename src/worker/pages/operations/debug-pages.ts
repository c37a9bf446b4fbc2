import type { ShownSetting } from "../../health/shown-settings.ts";
import type { Reply } from "../../reply.ts";
import type { ServiceSetup } from "../../routes/operations/debug-backdoor.ts";
import type { IsolateMemory } from "../../routes/operations/debug-memory.ts";
import { accountPage } from "../account/account-page.ts";
import { markup } from "../markup.ts";
import { definitions, moment, table } from "../parts.ts";

/** What the isolate that answers keeps, and what it has answered. */
export function memoryPage({ started, seconds, cache, answers }: IsolateMemory): Reply {
  const body = markup`${definitions([
    ["Started", moment(started)],
    ["Seconds since then", seconds],
    ["Answers kept", cache.answers],
    ["Bytes that they take", `${cache.bytes} of ${cache.bytes_max}`],
    ["Writes remembered", cache.writes],
  ])}
${table({ caption: "Answers by status", columns: ["Status", "Answers"], rows: Object.entries(answers.by_status) })}
${table({ caption: "Answers by where they came from", columns: ["From", "Answers"], rows: Object.entries(answers.by_source) })}`;
  return accountPage({ title: "This isolate", body });
}

/** How the service is set up. */
export function backdoorPage({
  version,
  routes,
  settings,
  secrets,
  metrics,
  migrations,
}: ServiceSetup): Reply {
  const body = markup`${definitions([
    ["Version", version],
    ["Routes", routes],
    ["Analytics Engine", metrics ? "yes" : "no"],
  ])}
${table({
  caption: "Newest migrations",
  columns: ["Database", "Migration"],
  rows: Object.entries(migrations).map(([name, newest]) => [name, newest ?? "none"]),
})}
${table({
  caption: "Settings",
  columns: ["Setting", "Value"],
  rows: Object.entries(settings).map(([name, value]) => [name, textOf(value)]),
})}
${table({
  caption: "Secrets",
  columns: ["Secret", "Set"],
  rows: Object.entries(secrets).map(([name, isSet]) => [name, isSet ? "yes" : "no"]),
})}`;
  return accountPage({ title: "Settings of the service", body });
}

function textOf(value: ShownSetting): string {
  return Array.isArray(value) ? value.join(" ") : String(value);
}
