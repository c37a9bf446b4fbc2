import { type XmlElement, childElements, parseXml } from "../../../src/import/xml/document.ts";
import type { TestService } from "./service.ts";

const OAI = "http://www.openarchives.org/OAI/2.0/";

/** A record as a harvester keeps it. */
export interface Harvested {
  readonly datestamp: string;
  readonly isDeleted: boolean;
  readonly sets: readonly string[];
  /** Its text, without blanks between elements. */
  readonly metadata: string;
}

/** A part of a list: what it names by identifier, in its order, and the token, if there is one. */
export interface ListPart {
  readonly records: readonly (readonly [string, Harvested])[];
  readonly token: string | undefined;
  readonly responseDate: string;
}

/** Asks for an answer of the protocol; its element. */
export async function ask(service: TestService, query: string, init?: RequestInit): Promise<XmlElement> {
  const response = await service.fetch(`/oai${query === "" ? "" : `?${query}`}`, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${query}: ${response.status} ${text}`);
  const root = parseXml(text);
  if (root.namespace !== OAI || root.name !== "OAI-PMH") throw new Error(text.slice(0, 200));
  return root;
}

/** The code of an error; undefined where there is none. */
export async function errorOf(
  service: TestService,
  query: string,
  init?: RequestInit,
): Promise<string | undefined> {
  return named(await ask(service, query, init), "error")[0]?.attributes.find(({ name }) => name === "code")
    ?.value;
}

export function named(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).filter((child) => child.name === name);
}

export function textIn(element: XmlElement | undefined): string {
  return (element?.children ?? [])
    .map((child) => (typeof child === "string" ? child : textIn(child)))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** A part of a list of records or of identifiers. */
export async function listPart(service: TestService, query: string): Promise<ListPart> {
  const root = await ask(service, query);
  const [list] = childElements(root).slice(2);
  if (list === undefined || list.name === "error") throw new Error(`${query}: ${textIn(list)}`);
  const entries = childElements(list).filter(({ name }) => name !== "resumptionToken");
  const token = textIn(named(list, "resumptionToken")[0]);
  return {
    records: entries.map(recordOf),
    token: token === "" ? undefined : token,
    responseDate: textIn(named(root, "responseDate")[0]),
  };
}

function recordOf(entry: XmlElement): readonly [string, Harvested] {
  const header = entry.name === "header" ? entry : named(entry, "header")[0];
  if (header === undefined) throw new Error("a record without a header");
  const record = {
    datestamp: textIn(named(header, "datestamp")[0]),
    isDeleted: header.attributes.some(({ name, value }) => name === "status" && value === "deleted"),
    sets: named(header, "setSpec").map(textIn),
    metadata: textIn(named(entry, "metadata")[0]),
  };
  return [textIn(named(header, "identifier")[0]), record];
}

/** A whole list, part by part; `between` happens after each. The first answer's date is what the next harvest begins with. */
export async function harvest(
  service: TestService,
  query: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
) {
  const verb = new URLSearchParams(query).get("verb") ?? "";
  const records: (readonly [string, Harvested])[] = [];
  let part = await listPart(service, query);
  const { responseDate } = part;
  for (;;) {
    records.push(...part.records);
    await between();
    if (part.token === undefined) return { records, responseDate };
    part = await listPart(service, `verb=${verb}&resumptionToken=${part.token}`);
  }
}
