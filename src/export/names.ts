import type { OtherNumber } from "./numbers.ts";

/** Who made something, as forms name him. */
export interface Agent {
  readonly name: string;
  readonly kind: "person" | "org" | "event";
  /** What he did, as the catalog says it: `Editor`; undefined for authors. */
  readonly role: string | undefined;
  /** The heading of the name, without what is added to it, where a catalog told them apart. */
  readonly personalName: string | undefined;
  /** Other spellings of the name, that in the order of a catalog among them. */
  readonly otherNames: readonly string[];
  readonly born: string | undefined;
  readonly died: string | undefined;
  /** When he lived, where that is one text. */
  readonly lived: string | undefined;
  /** Address of the author's record; undefined for names without one. */
  readonly url: string | undefined;
  /** In other catalogs. */
  readonly numbers: readonly OtherNumber[];
}

/** A name taken apart. */
export interface NameParts {
  readonly family: string;
  readonly given: string;
  /** `von`, `de la`: between given and family name, and not sorted by. */
  readonly particle: string;
  /** `Jr.` */
  readonly suffix: string;
}

const PARTICLES = new Set(
  "af al av bin da dal das de degli dei del della den der des di do dos du el ibn la las le los ten ter till van vom von y zu zum zur".split(
    " ",
  ),
);
/** With a capital they are a part of the family name: `Van Buren`. */
const CAPITALS = new Set("Da De Del Della Des Di Dos Du El La Le St. Van Von".split(" "));
const SUFFIX = /^(?:jr|sr|ii|iii|iv|esq|ph\.?d|m\.?d)\.?$/i;
/** What titles begin with that no family name follows. */
const TITLED = /^(?:saint|st\.|pope|king|queen|emperor|empress|prince|princess|tsar|sultan|brother|sister) /i;
const BODY =
  /\b(?:academy|administration|agency|association|board|bureau|college|commission|committee|company|corporation|council|department|editors|foundation|inc|institut\w*|library|ltd|ministry|museum|office|organi[sz]ation|press|publish\w+|society|staff|trust|university|verlag)\b/i;
/** Scripts whose names have no blanks, or the family name first. */
const EASTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const REMARK = / \([^()]*\)$/;

/** Family and given names of a person; undefined for bodies, for single names and for those that cannot be told apart. */
export function nameParts({ name, kind, personalName, otherNames }: Agent): NameParts | undefined {
  if (kind !== "person") return undefined;
  const bare = name.replace(REMARK, "").trim();
  const [, before = "", after = ""] = /^([^,]+), ([^,]+)$/.exec(bare) ?? [];
  if (SUFFIX.test(after)) return guessed(`${before} ${after}`);
  if (bare.includes(", ")) return turned(bare);
  if (EASTERN.test(bare) || TITLED.test(bare) || BODY.test(bare)) return undefined;
  // `García Márquez, Gabriel` says what no rule can know.
  const told = [personalName ?? "", ...otherNames]
    .map(turned)
    .find((parts) => parts !== undefined && spoken(parts) === bare);
  return told ?? guessed(bare);
}

/** A name in the order of a catalog: `Beauvoir, Simone de`, `King, Martin Luther, Jr.` */
function turned(name: string): NameParts | undefined {
  const [family = "", given = "", suffix = "", ...more] = name.split(", ").map((part) => part.trim());
  if (family === "" || given === "" || more.length > 0) return undefined;
  const words = given.split(" ");
  let at = words.length;
  while (at > 1 && PARTICLES.has(words[at - 1] ?? "")) at -= 1;
  return { family, given: words.slice(0, at).join(" "), particle: words.slice(at).join(" "), suffix };
}

function guessed(name: string): NameParts | undefined {
  const words = name.split(/\s+/);
  const isSuffixed = SUFFIX.test(words.at(-1) ?? "");
  // `Elizabeth II`
  if (isSuffixed && words.length < 3) return undefined;
  const suffix = isSuffixed ? (words.pop() ?? "") : "";
  let family = words.pop() ?? "";
  while (words.length > 1 && CAPITALS.has(words.at(-1) ?? "")) family = `${words.pop()} ${family}`;
  if (words.length === 0) return undefined;
  let at = words.length;
  while (at > 1 && PARTICLES.has(words[at - 1] ?? "")) at -= 1;
  return {
    family,
    given: words.slice(0, at).join(" "),
    particle: words.slice(at).join(" "),
    suffix,
  };
}

/** The name in the order in which it is spoken. */
function spoken({ family, given, particle, suffix }: NameParts): string {
  return [given, particle, family, suffix].filter((part) => part !== "").join(" ");
}

/** The name as it is sorted: `Beauvoir, Simone de`; that of a body as it is. */
export function sortedName(agent: Agent): string {
  const parts = nameParts(agent);
  if (parts === undefined) return agent.name;
  const given = [parts.given, parts.particle].filter((part) => part !== "").join(" ");
  return [parts.family, given, parts.suffix].filter((part) => part !== "").join(", ");
}

/** What forms tell apart of those who made a book. */
export type Part = "author" | "editor" | "translator" | "illustrator" | "contributor";

/** Which part somebody had, by the role that the catalog states. */
export function partOf({ role }: Pick<Agent, "role">): Part {
  if (role === undefined || /^(?:co-?)?author\b(?! of)|^writer\b(?! of)|^compiler/i.test(role))
    return "author";
  if (/^(?:co-?|general |series )?edit/i.test(role)) return "editor";
  if (/^translat/i.test(role)) return "translator";
  return /^illustrat|^artist/i.test(role) ? "illustrator" : "contributor";
}
