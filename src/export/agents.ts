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
import { filled, textsOf } from "./texts.ts";

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
      const agent = authorOf(reference, related, baseUrl);
      if (agent?.url !== undefined && !named.has(agent.url)) named.set(agent.url, agent);
    }
  }
  const contributors = objectsOf(record["contributors"]).map((one) =>
    contributor(textOf(one["name"]), textOf(one["role"])),
  );
  const contributions = textsOf(record["contributions"]).map((text) => {
    const [, name = text, role] = CONTRIBUTION.exec(text) ?? [];
    return contributor(name, role);
  });
  const others = [...contributors, ...contributions].filter((one) => one !== undefined);
  const known = new Set([...named.values()].map(({ name }) => name));
  return [...named.values(), ...others.filter(({ name }) => !known.has(name))];
}

/** Pattern of `Jane Doe (Translator)`. */
const CONTRIBUTION = /^(.+) \(([^()]+)\)$/;

function contributor(name: string | undefined, role: string | undefined): Agent | undefined {
  const [known, did] = [filled(name), filled(role) ?? "Contributor"];
  return known === undefined ? undefined : { ...NOBODY, name: known, role: did };
}

/** Agent of whom only the name is known. */
export const NOBODY = {
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

function authorOf(
  reference: Json,
  related: ReadonlyMap<string, CatalogRecord>,
  baseUrl: string,
): Agent | undefined {
  const [key = ""] = authorKeys([reference]);
  const record = resolveRecord(related, key);
  if (record === undefined || typeKey(record) !== "/type/author") return undefined;
  const role = isObject(reference) ? filled(textOf(reference["role"])) : undefined;
  return { ...agentOf(record, baseUrl), role };
}

/** Converts an author record to an agent. */
export function agentOf(record: CatalogRecord, baseUrl: string): Agent {
  const { entity_type: kind, remote_ids: ids } = record;
  const name = filled(textOf(record["name"])) ?? "Unknown";
  return {
    name,
    kind: kind === "org" || kind === "event" ? kind : "person",
    role: undefined,
    personalName: filled(textOf(record["personal_name"])),
    otherNames: textsOf(record["alternate_names"]),
    born: filled(textOf(record["birth_date"])),
    died: filled(textOf(record["death_date"])),
    lived: filled(textOf(record["date"])),
    url: baseUrl + (keyOf(record) ?? ""),
    numbers: numbersOf(ids),
  };
}
