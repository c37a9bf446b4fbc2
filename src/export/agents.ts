import {
  type CatalogRecord,
  type Json,
  authorKeysIn,
  elementsOf,
  isObject,
  keyOf,
  objectsOf,
  resolveRecord,
  textOf,
  typeKeyOf,
} from "../catalog/record.ts";
import { type OtherNumber, joinNonEmpty, numbersOf, nonBlankTextsOf, trimText } from "./values.ts";

export interface Agent {
  readonly name: string;
  readonly kind: "person" | "org" | "event";
  /** Role in the words of the catalog, such as `Editor`; undefined for authors. */
  readonly role: string | undefined;
  /** Heading of the name, without additions, if a catalog distinguished them. */
  readonly personalName: string | undefined;
  /** Other spellings of the name, including the one in catalog order. */
  readonly otherNames: readonly string[];
  readonly born: string | undefined;
  readonly died: string | undefined;
  /** Dates of life, if they are one text. */
  readonly lived: string | undefined;
  /** Address of the author's record; undefined for names without one. */
  readonly url: string | undefined;
  readonly numbers: readonly OtherNumber[];
}

interface NameParts {
  readonly family: string;
  readonly given: string;
  /** Particle such as `von` or `de la`: between given and family name, and ignored in sorting. */
  readonly particle: string;
  readonly suffix: string;
}

const PARTICLES = new Set(
  "af al av bin da dal das de degli dei del della den der des di do dos du el ibn la las le los ten ter till van vom von y zu zum zur".split(
    " ",
  ),
);
/** Capitalised particles, which belong to the family name: `Van Buren`. */
const CAPITALS = new Set("Da De Del Della Des Di Dos Du El La Le St. Van Von".split(" "));
const SUFFIX = /^(?:jr|sr|ii|iii|iv|esq|ph\.?d|m\.?d)\.?$/i;
/** Titles that are not followed by a family name. */
const TITLED = /^(?:saint|st\.|pope|king|queen|emperor|empress|prince|princess|tsar|sultan|brother|sister) /i;
const BODY =
  /\b(?:academy|administration|agency|association|board|bureau|college|commission|committee|company|corporation|council|department|editors|foundation|inc|institut\w*|library|ltd|ministry|museum|office|organi[sz]ation|press|publish\w+|society|staff|trust|university|verlag)\b/i;
/** Scripts whose names have no blanks, or the family name first. */
const EASTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const REMARK = / \([^()]*\)$/;

/** Splits a person's name into parts. Undefined for organisations, single names and ambiguous ones. */
export function namePartsOf({ name, kind, personalName, otherNames }: Agent): NameParts | undefined {
  if (kind !== "person") return undefined;
  const bare = name.replace(REMARK, "").trim();
  const [, before = "", after = ""] = /^([^,]+), ([^,]+)$/.exec(bare) ?? [];
  if (SUFFIX.test(after)) return guessParts(`${before} ${after}`);
  if (bare.includes(", ")) return parseSortedName(bare);
  if (EASTERN.test(bare) || TITLED.test(bare) || BODY.test(bare)) return undefined;
  // `García Márquez, Gabriel` settles a case that no rule can decide.
  const statedParts = [personalName ?? "", ...otherNames]
    .map(parseSortedName)
    .find((parts) => parts !== undefined && naturalNameOf(parts) === bare);
  return statedParts ?? guessParts(bare);
}

/** Splits a name in catalog order: `Beauvoir, Simone de`, `King, Martin Luther, Jr.` */
function parseSortedName(name: string): NameParts | undefined {
  const [family = "", given = "", suffix = "", ...more] = name.split(", ").map((part) => part.trim());
  if (family === "" || given === "" || more.length > 0) return undefined;
  return { family, ...splitParticle(given.split(" ")), suffix };
}

function splitParticle(words: readonly string[]): Pick<NameParts, "given" | "particle"> {
  let at = words.length;
  while (at > 1 && PARTICLES.has(words[at - 1] ?? "")) at -= 1;
  return { given: words.slice(0, at).join(" "), particle: words.slice(at).join(" ") };
}

function guessParts(name: string): NameParts | undefined {
  const words = name.split(/\s+/);
  const isSuffixed = SUFFIX.test(words.at(-1) ?? "");
  // A name such as `Elizabeth II`.
  if (isSuffixed && words.length < 3) return undefined;
  const suffix = isSuffixed ? (words.pop() ?? "") : "";
  let family = words.pop() ?? "";
  while (words.length > 1 && CAPITALS.has(words.at(-1) ?? "")) family = `${words.pop()} ${family}`;
  if (words.length === 0) return undefined;
  return { family, ...splitParticle(words), suffix };
}

export function naturalNameOf({ family, given, particle, suffix }: NameParts): string {
  return joinNonEmpty([given, particle, family, suffix], " ");
}

/** Returns the name in sorted form: `Beauvoir, Simone de`; that of an organisation is unchanged. */
export function sortedNameOf(agent: Agent): string {
  const parts = namePartsOf(agent);
  if (parts === undefined) return agent.name;
  return joinNonEmpty([parts.family, joinNonEmpty([parts.given, parts.particle], " "), parts.suffix], ", ");
}

export type AgentRole = "author" | "editor" | "translator" | "illustrator" | "contributor";

export function agentRoleOf({ role }: Pick<Agent, "role">): AgentRole {
  if (role === undefined || /^(?:co-?)?author\b(?! of)|^writer\b(?! of)|^compiler/i.test(role))
    return "author";
  if (/^(?:co-?|general |series )?edit/i.test(role)) return "editor";
  if (/^translat/i.test(role)) return "translator";
  return /^illustrat|^artist/i.test(role) ? "illustrator" : "contributor";
}

/** Returns the makers of a book with a role that export formats distinguish. */
export function agentsInRole({ agents }: { agents: readonly Agent[] }, role: AgentRole): Agent[] {
  return agents.filter((agent) => agentRoleOf(agent) === role);
}

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
  const contributions = nonBlankTextsOf(record["contributions"]).map((text) => {
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
  const trimmedName = trimText(name);
  if (trimmedName === undefined) return undefined;
  return { ...NO_DETAILS, name: trimmedName, role: trimText(role) ?? "Contributor" };
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
  const [key = ""] = authorKeysIn([reference]);
  const record = resolveRecord(related, key);
  if (record === undefined || typeKeyOf(record) !== "/type/author") return undefined;
  const role = isObject(reference) ? trimText(textOf(reference["role"])) : undefined;
  return { ...agentOf(record, baseUrl), role };
}

export function agentOf(record: CatalogRecord, baseUrl: string): Agent {
  const { entity_type: kind, remote_ids: ids } = record;
  const name = trimText(textOf(record["name"])) ?? "Unknown";
  return {
    name,
    kind: kind === "org" || kind === "event" ? kind : "person",
    role: undefined,
    personalName: trimText(textOf(record["personal_name"])),
    otherNames: nonBlankTextsOf(record["alternate_names"]),
    born: trimText(textOf(record["birth_date"])),
    died: trimText(textOf(record["death_date"])),
    lived: trimText(textOf(record["date"])),
    url: baseUrl + (keyOf(record) ?? ""),
    numbers: numbersOf(ids),
  };
}
