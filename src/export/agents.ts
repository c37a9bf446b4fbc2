import {
  type CatalogRecord,
  type Json,
  authorKeys,
  elementsOf,
  isObject,
  keyOf,
  objectsOf,
  resolveRecord,
  textOf,
  typeKey,
} from "../catalog/record.ts";
import type { Agent } from "./names.ts";
import { numbersOf } from "./numbers.ts";
import { trimText, textsOf } from "./texts.ts";

/** Records that name the makers of a book. */
interface MakersRecords {
  readonly record: CatalogRecord;
  readonly work?: CatalogRecord | undefined;
  readonly related: ReadonlyMap<string, CatalogRecord>;
}

/** Returns the authors of the work with their roles, then authors of the edition only, then contributors. */
export function agentsOf({ record, work, related }: MakersRecords, baseUrl: string): Agent[] {
  const named = new Map<string, Agent>();
  for (const references of [work?.["authors"], record["authors"]]) {
    for (const reference of elementsOf(references)) {
      const agent = authorAgentOf(reference, related, baseUrl);
      if (agent?.url !== undefined && !named.has(agent.url)) named.set(agent.url, agent);
    }
  }
  const contributors = objectsOf(record["contributors"]).map((entry) =>
    toContributor(textOf(entry["name"]), textOf(entry["role"])),
  );
  const contributions = textsOf(record["contributions"]).map((text) => {
    const [, name = text, role] = CONTRIBUTION.exec(text) ?? [];
    return toContributor(name, role);
  });
  const others = [...contributors, ...contributions].filter((entry) => entry !== undefined);
  const known = new Set([...named.values()].map(({ name }) => name));
  return [...named.values(), ...others.filter(({ name }) => !known.has(name))];
}

/** Pattern of `Jane Doe (Translator)`. */
const CONTRIBUTION = /^(.+) \(([^()]+)\)$/;

function toContributor(name: string | undefined, role: string | undefined): Agent | undefined {
  const [known, did] = [trimText(name), trimText(role) ?? "Contributor"];
  return known === undefined ? undefined : { ...NO_DETAILS, name: known, role: did };
}

/** Agent of whom only the name is known. */
export const NO_DETAILS = {
  kind: "person" as const,
  role: undefined,
  personalName: undefined,
  otherNames: [],
  born: undefined,
  died: undefined,
  lived: undefined,
  url: undefined,
  numbers: [],
};

function authorAgentOf(
  reference: Json,
  related: ReadonlyMap<string, CatalogRecord>,
  baseUrl: string,
): Agent | undefined {
  const [key = ""] = authorKeys([reference]);
  const record = resolveRecord(related, key);
  if (record === undefined || typeKey(record) !== "/type/author") return undefined;
  const role = isObject(reference) ? trimText(textOf(reference["role"])) : undefined;
  return { ...agentOf(record, baseUrl), role };
}

/** Converts an author record to an agent. */
export function agentOf(record: CatalogRecord, baseUrl: string): Agent {
  const { entity_type: kind, remote_ids: ids } = record;
  const name = trimText(textOf(record["name"])) ?? "Unknown";
  return {
    name,
    kind: kind === "org" || kind === "event" ? kind : "person",
    role: undefined,
    personalName: trimText(textOf(record["personal_name"])),
    otherNames: textsOf(record["alternate_names"]),
    born: trimText(textOf(record["birth_date"])),
    died: trimText(textOf(record["death_date"])),
    lived: trimText(textOf(record["date"])),
    url: baseUrl + (keyOf(record) ?? ""),
    numbers: numbersOf(ids),
  };
}
