import { BIBO, RecordBuilder, SHARED_FIELDS, TERMS } from "./builder.ts";
import type { ImportRecord } from "./record.ts";
import {
  type XmlElement,
  attributeOf,
  childElements,
  descendants,
  isElement,
  ownText,
} from "./xml/element.ts";

export const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const ELEMENTS = "http://purl.org/dc/elements/1.1/";
const MEMBERSHIP = "http://purl.org/dc/dcam/";

/** Elements whose text is a field, by namespace and name. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  [`${TERMS}title`, "title"],
  ...SHARED_FIELDS,
  [`${ELEMENTS}subject`, "subject"],
]);

/** Record fields for subjects of a classification. */
const CLASSIFICATIONS: ReadonlyMap<string, string> = new Map([
  [`${TERMS}DDC`, "dewey_decimal_class"],
  [`${TERMS}LCC`, "lc_classification"],
]);

/** Converts an RDF document to a record, with fields at any depth. Ignores all other elements. */
export function recordOfRdf(root: XmlElement): ImportRecord {
  const builder = new RecordBuilder();
  walk(root, { authors: false, subject: false }, builder);
  return builder.record();
}

/**
 * Walks the elements. `inside` tracks the enclosing elements, because nested lists would repeat every author many
 * times. The parser limits the depth.
 */
function walk(
  element: XmlElement,
  inside: { readonly authors: boolean; readonly subject: boolean },
  builder: RecordBuilder,
): void {
  for (const child of childElements(element)) {
    const isSubject = isElement(child, TERMS, "subject");
    if (isSubject && !inside.subject) addClassification(child, builder);
    else if (inside.authors && isElement(child, RDF, "value")) builder.addKnown("author", ownText(child));
    const field = FIELDS.get(child.namespace + child.name);
    if (field !== undefined) builder.addKnown(field, ownText(child));
    const authors = inside.authors || isElement(child, BIBO, "authorList");
    walk(child, { authors, subject: inside.subject || isSubject }, builder);
  }
}

function addClassification(subject: XmlElement, builder: RecordBuilder): void {
  const scheme = firstInside(subject, MEMBERSHIP, "memberOf");
  const resource = scheme === undefined ? undefined : attributeOf(scheme, RDF, "resource");
  const field = resource === undefined ? undefined : CLASSIFICATIONS.get(resource);
  if (field !== undefined) builder.addKnown(field, ownText(firstInside(subject, RDF, "value")));
}

function firstInside(element: XmlElement, namespace: string, name: string): XmlElement | undefined {
  for (const inner of descendants(element)) if (isElement(inner, namespace, name)) return inner;
  return undefined;
}
