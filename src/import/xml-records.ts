import { BIBO, SHARED_FIELDS, TERMS, RecordBuilder } from "./builder.ts";
import { toCanonicalIsbn } from "../catalog/identifiers/isbn.ts";
import type { ImportRecord } from "./record.ts";
import {
  type XmlElement,
  attributeOf,
  childElements,
  childrenNamed,
  descendants,
  isElement,
  joinLines,
  ownText,
} from "./xml/document.ts";

export const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const ELEMENTS = "http://purl.org/dc/elements/1.1/";
const FOAF = "http://xmlns.com/foaf/0.1/";
const MEMBERSHIP = "http://purl.org/dc/dcam/";

const RDF_FIELDS: ReadonlyMap<string, string> = new Map([
  [`${TERMS}title`, "title"],
  ...SHARED_FIELDS,
  [`${ELEMENTS}subject`, "subject"],
  [`${BIBO}isbn10`, "isbn_10"],
  [`${BIBO}isbn13`, "isbn_13"],
]);

const CLASSIFICATIONS: ReadonlyMap<string, string> = new Map([
  [`${TERMS}DDC`, "dewey_decimal_class"],
  [`${TERMS}LCC`, "lc_classification"],
]);

/** Converts an RDF document to a record, with fields at any depth. Ignores all other elements. */
export function recordOfRdf(root: XmlElement): ImportRecord {
  const builder = new RecordBuilder();
  walkRdf(root, { authors: false, subject: false }, builder);
  return builder.record();
}

/**
 * Walks the elements. `inside` tracks the enclosing elements, because nested lists would repeat every author many
 * times. The parser limits the depth.
 */
function walkRdf(
  element: XmlElement,
  inside: { authors: boolean; subject: boolean },
  builder: RecordBuilder,
): void {
  for (const child of childElements(element)) {
    const isSubject = isElement(child, TERMS, "subject");
    if (isSubject && !inside.subject) addClassification(child, builder);
    else if (inside.authors && (isElement(child, RDF, "value") || isElement(child, FOAF, "name")))
      builder.addKnown("author", lineOf(child));
    const field = RDF_FIELDS.get(child.namespace + child.name);
    if (field !== undefined) builder.addKnown(field, lineOf(child));
    const authors = inside.authors || isElement(child, BIBO, "authorList");
    walkRdf(child, { authors, subject: inside.subject || isSubject }, builder);
  }
}

/** Returns the text of an element on one line. */
function lineOf(element: XmlElement | undefined): string | undefined {
  const text = ownText(element);
  return text === undefined ? undefined : joinLines(text);
}

function addClassification(subject: XmlElement, builder: RecordBuilder): void {
  const scheme = firstInside(subject, MEMBERSHIP, "memberOf");
  const resource = scheme === undefined ? undefined : attributeOf(scheme, RDF, "resource");
  const field = resource === undefined ? undefined : CLASSIFICATIONS.get(resource);
  if (field !== undefined) builder.addKnown(field, lineOf(firstInside(subject, RDF, "value")));
}

function firstInside(element: XmlElement, namespace: string, name: string): XmlElement | undefined {
  for (const inner of descendants(element)) if (isElement(inner, namespace, name)) return inner;
  return undefined;
}

export const ATOM = "http://www.w3.org/2005/Atom";

const OPDS_FIELDS: ReadonlyMap<string, string> = new Map([
  [`${ATOM}title`, "title"],
  [`${ATOM}summary`, "description"],
  ...SHARED_FIELDS,
]);

const ISBN = /^urn:isbn:/i;
const ITEM = "http://www.archive.org/details/";

/** Converts an Atom entry of an OPDS catalog to a record, using its direct children only. */
export function recordOfOpds(entry: XmlElement): ImportRecord {
  const builder = new RecordBuilder();
  for (const child of childElements(entry)) addOpdsElement(child, builder);
  return builder.record();
}

function addOpdsElement(child: XmlElement, builder: RecordBuilder): void {
  const field = OPDS_FIELDS.get(child.namespace + child.name);
  if (field !== undefined) builder.addKnown(field, (field === "description" ? ownText : lineOf)(child));
  else if (isElement(child, ATOM, "author")) {
    builder.addKnown("author", lineOf(childrenNamed(child, ATOM, "name")[0]));
  } else if (isElement(child, ATOM, "category")) {
    builder.addKnown("subject", attributeOf(child, "", "label"));
  } else if (isElement(child, TERMS, "identifier")) addIdentifier(ownText(child)?.trim() ?? "", builder);
}

function addIdentifier(text: string, builder: RecordBuilder): void {
  if (text.startsWith(ITEM)) builder.addKnown("ocaid", text.slice(ITEM.length));
  else if (ISBN.test(text)) {
    const isbn = toCanonicalIsbn(text);
    if (isbn !== undefined) builder.addKnown(`isbn_${isbn.length}`, isbn);
  }
}
