import { parseDocument } from "../../catalog/document.ts";
import { keysOf, textOf } from "../../catalog/record.ts";
import { type SerializedElement, element } from "../../catalog/xml.ts";
import { type HarvestedRow, readListNames } from "../../db/history/harvest.ts";
import { nameText } from "../../db/records/titles.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { languageCounts } from "../records/languages.ts";
import { readSubjectIndex } from "../search/subject-index.ts";
import { toBadArgument } from "./oai-request.ts";

const LISTS_PAGE = 500;

/**
 * Writes the setSpec for the address of a page such as `/languages/eng`, with `~` for `/`, and `!` and two hexadecimal
 * digits for each byte of other characters that a setSpec cannot contain.
 */
export function setSpecOf(key: string): string {
  return key
    .slice(1)
    .split("/")
    .map((part) =>
      encodeURIComponent(part.toWellFormed())
        .replace(/[!~]/g, (sign) => (sign === "!" ? "%21" : "%7E"))
        .replaceAll("%", "!"),
    )
    .join("~");
}

/** Returns the address of the page of a set. Throws badArgument. */
export function setKeyOf(spec: string): string {
  const parts = spec.split("~").map((part) => part.replaceAll("!", "%"));
  let key = "";
  try {
    key = `/${parts.map(decodeURIComponent).join("/")}`;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  if (setSpecOf(key) !== spec) throw toBadArgument("oai.set");
  return key;
}

/** Q593: setSpecs of a record: its kind, its languages unless it is deleted, and the set that is harvested. */
export function setsOf({ key, languages }: HarvestedRow, isDeleted: boolean, harvested?: string): string[] {
  const kind = key.slice(1, key.indexOf("/", 1));
  const specs =
    isDeleted || languages === null
      ? []
      : keysOf(JSON.parse(languages))
          .filter((language) => language.startsWith("/languages/"))
          .map(setSpecOf);
  return [...new Set([kind, ...specs, ...(harvested === undefined ? [] : [harvested])])];
}

/**
 * Lists books and works, languages, the most frequent subjects, then all lists and series. `after` and `next` are the id
 * of the last list of a part; `next` is undefined at the end.
 */
export async function makeSets(
  after: number | undefined,
  context: RequestContext,
): Promise<{ sets: readonly SerializedElement[]; next: number | undefined }> {
  const isFirst = after === undefined;
  const [languages, subjects, rows] = await Promise.all([
    isFirst ? languageCounts(context) : undefined,
    isFirst ? readSubjectIndex(context) : undefined,
    readListNames(catalogReader(context), after ?? 0, LISTS_PAGE + 1),
  ]);
  const page = rows.slice(0, LISTS_PAGE);
  const lists = page.map(({ key, name }) => setElement(key, nameText(name) ?? ""));
  const counts = languages?.counts ?? [];
  const first = [
    ...(isFirst ? [setElement("/books", "Editions"), setElement("/works", "Works")] : []),
    ...counts.map(({ code, document }) => {
      const name = textOf(document === null ? code : parseDocument(document)["name"]);
      return setElement(`/languages/${code}`, name ?? code);
    }),
    ...Object.values(subjects?.lists ?? {})
      .flat()
      .map(({ key, name }) => setElement(key, name)),
  ];
  return { sets: [...first, ...lists], next: rows.length > LISTS_PAGE ? page.at(-1)?.id : undefined };
}

function setElement(key: string, name: string): SerializedElement {
  return element("set", [element("setSpec", setSpecOf(key)), element("setName", name === "" ? key : name)]);
}
