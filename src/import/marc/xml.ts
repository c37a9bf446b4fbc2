import {
  type XmlElement,
  attributeOf,
  childElements,
  isElement,
  joinLines,
  parseXml,
  textOf,
} from "../xml/document.ts";
import {
  type DataField,
  type MarcField,
  type MarcRecord,
  type Subfield,
  MarcError,
  makeBrokenDataField,
  withOneFixedField,
} from "./record.ts";
import { toNormalForm } from "../../catalog/matching/match-keys.ts";

export const MARCXML_NAMESPACE = "http://www.loc.gov/MARC21/slim";
const FORMAT_TAG = "FMT";
const DIGITS = /^[0-9]+$/;

/**
 * Reads a MARCXML record: the root, or the first child of a collection. Throws MarcError, and XmlError if the text is
 * not XML. A field with invalid subfields throws MarcError when they are accessed.
 */
export function readMarcXml(text: string): MarcRecord {
  const root = parseXml(text);
  const record = isMarc(root, "collection") ? childElements(root)[0] : root;
  if (record === undefined || !isMarc(record, "record")) {
    throw new MarcError("bad-marc", "no record of MARC");
  }
  const [leader, ...fields] = childElements(record);
  if (leader === undefined || !isMarc(leader, "leader")) {
    throw new MarcError("bad-marc", "a record begins with its leader");
  }
  return { leader: leaderOf(contentOf(leader)), fields: withOneFixedField(fieldsOf(fields)) };
}

// Q527: pymarc writes records without a namespace.
function isMarc(element: XmlElement, name: string): boolean {
  return isElement(element, MARCXML_NAMESPACE, name) || isElement(element, "", name);
}

function fieldsOf(elements: readonly XmlElement[]): MarcField[] {
  const fields: MarcField[] = [];
  let hasLetters = false;
  for (const element of elements) {
    const isControl = isMarc(element, "controlfield");
    if (!isControl && !isMarc(element, "datafield")) continue;
    const tag = attributeOf(element, "", "tag") ?? "";
    if (tag === "") throw new MarcError("blank-tag", "a field without a tag");
    if (tag === FORMAT_TAG) continue;
    if (!DIGITS.test(tag)) hasLetters = true;
    else if (hasLetters && !tag.startsWith("9")) {
      throw new MarcError("bad-subfield", `field ${tag} after one whose tag is no number`);
    }
    fields.push(isControl ? { tag, value: contentOf(element) } : toDataField(tag, element));
  }
  return fields;
}

function toDataField(tag: string, element: XmlElement): DataField {
  const subfields: Subfield[] = [];
  for (const child of childElements(element)) {
    const code = attributeOf(child, "", "code") ?? "";
    if (!isMarc(child, "subfield") || code === "") {
      return makeBrokenDataField(tag, new MarcError("bad-subfield", "a subfield without a code"));
    }
    subfields.push([code, contentOf(child)]);
  }
  const ind1 = attributeOf(element, "", "ind1") ?? " ";
  const ind2 = attributeOf(element, "", "ind2") ?? " ";
  return { tag, ind1, ind2, subfields };
}

function contentOf(element: XmlElement): string {
  return toNormalForm(joinLines(textOf(element).replaceAll("\u00A0", " ")), "NFC");
}

const LEADER_SIZE = 24;

/** Returns the leader with the blanks for its length, which were trimmed as indentation, so that its positions are right. */
function leaderOf(text: string): string {
  return text.length < LEADER_SIZE && text.endsWith("4500") ? text.padStart(LEADER_SIZE) : text;
}
