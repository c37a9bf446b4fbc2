import { languageCounts } from "../records/language-counts.ts";
import { subjectIndex } from "../search/subject-index.ts";
import { parseDocument } from "../../catalog/document.ts";
import { keysOf, textOf } from "../../catalog/record.ts";
import { type XmlElement, element } from "../../catalog/xml.ts";
import { type HarvestedRow, readListNames } from "../../db/history/harvest.ts";
import { nameText } from "../../db/records/titles.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { badArgument } from "./errors.ts";

/** Lists and series of one answer. */
const LISTS_PAGE = 500;

/**
 * A set is named as its page is addressed, `/languages/eng`, with what a name of a set cannot hold written differently: `~`
 * for `/`, and `!` and two hexadecimal digits for each byte of other signs.
 */
export function setSpec(key: string): string {
  return key
    .slice(1)
    .split("/")
    .map((part) => encodeURIComponent(part.toWellFormed()).replace(/[!~]/g, escaped).replaceAll("%", "!"))
    .join("~");
}

function escaped(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** The address of a set's page. */
export function setKey(spec: string): string {
  const key = decoded(spec);
  if (key === undefined || setSpec(key) !== spec) throw badArgument("set is not the name of a set.");
  return key;
}

function decoded(spec: string): string | undefined {
  try {
    return `/${spec
      .split("~")
      .map((part) => decodeURIComponent(part.replaceAll("!", "%")))
      .join("/")}`;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Q593: the sets of a record that it says itself, and the one that is harvested; of a deleted one its kind. */
export function setsOf({ key, languages }: HarvestedRow, isDeleted: boolean, asked?: string): string[] {
  const kind = key.slice(1, key.indexOf("/", 1));
  const own = isDeleted || languages === null ? [] : keysOf(JSON.parse(languages)).filter(isLanguage);
  return [...new Set([kind, ...own.map(setSpec), ...(asked === undefined ? [] : [asked])])];
}

function isLanguage(key: string): boolean {
  return key.startsWith("/languages/");
}

/** Part of the list of sets, and the number of the list after which it goes on. */
interface SetsPart {
  readonly sets: readonly XmlElement[];
  readonly next: number | undefined;
}

/** Books and works, languages, the most frequent subjects, then all lists and series. */
export async function listedSets(after: number | undefined, context: RequestContext): Promise<SetsPart> {
  const [first, found] = await Promise.all([
    after === undefined ? firstSets(context) : [],
    readListNames(catalogReader(context), after ?? 0, LISTS_PAGE + 1),
  ]);
  const page = found.slice(0, LISTS_PAGE);
  const lists = page.map(({ key, name }) => setElement(key, nameText(name) ?? ""));
  return { sets: [...first, ...lists], next: found.length > LISTS_PAGE ? page.at(-1)?.id : undefined };
}

async function firstSets(context: RequestContext): Promise<XmlElement[]> {
  const [languages, { lists: subjects }] = await Promise.all([
    languageCounts(context),
    subjectIndex(context),
  ]);
  return [
    setElement("/books", "Editions"),
    setElement("/works", "Works"),
    ...languages.counts.map(({ code, document }) =>
      setElement(
        `/languages/${code}`,
        textOf(document === null ? code : parseDocument(document)["name"]) ?? code,
      ),
    ),
    ...Object.values(subjects)
      .flat()
      .map(({ key, name }) => setElement(key, name)),
  ];
}

function setElement(key: string, name: string): XmlElement {
  return element("set", [element("setSpec", setSpec(key)), element("setName", name === "" ? key : name)]);
}
