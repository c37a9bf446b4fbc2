import {
  type XmlElement,
  attributeOf,
  childElements,
  isElement,
  joinLines,
  parseXml,
  elementText,
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
import { type ImportWarning, addWarning } from "../warning.ts";
import { decodeXml } from "../xml/decode.ts";
import { toNormalForm } from "../../catalog/matching/match-keys.ts";

export const MARCXML_NAMESPACE = "http://www.loc.gov/MARC21/slim";
/** Namespaces of MARC 21 and MarcXchange. Q527: pymarc writes records without a namespace. */
export const MARC_NAMESPACES: readonly string[] = [
  MARCXML_NAMESPACE,
  "info:lc/xmlns/marcxchange-v1",
  "info:lc/xmlns/marcxchange-v2",
  "http://www.bs.dk/standards/MarcXchange",
  "",
];
/** Leader of a printed book, for records without one. */
const USUAL_LEADER = "     nam a22     uu 4500";
const FORMAT_TAG = "FMT";
const DIGITS = /^[0-9]+$/;

/**
 * Reads the first MARCXML record of a document, in any envelope (Q778). A record without leader is taken for a book, with
 * a warning, as there is one of further records. Throws MarcError, and XmlError if the text is not XML. A field with
 * invalid subfields throws MarcError when they are accessed.
 */
export function readMarcXml(text: string): MarcRecord {
  const [record, ...others] = recordsIn(parseXml(text));
  if (record === undefined) throw new MarcError("bad-marc", "marc.no_record");
  const elements = childElements(record);
  const leader = elements.find((element) => isMarc(element, "leader"));
  const warnings: ImportWarning[] = [];
  if (leader === undefined) addWarning(warnings, "damaged-record", ["leader", ""]);
  if (others.length > 0) addWarning(warnings, "other-records", ["collection", String(others.length)]);
  return {
    leader: leader === undefined ? USUAL_LEADER : leaderOf(contentOf(leader)),
    fields: withOneFixedField(fieldsOf(elements)),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Returns the elements that have fields of MARC. The parser limits the depth. */
function recordsIn(element: XmlElement): XmlElement[] {
  const children = childElements(element);
  const isRecord = children.some((child) => FIELDS.some((name) => isMarc(child, name)));
  return isRecord && isMarc(element, "record") ? [element] : children.flatMap(recordsIn);
}

const FIELDS = ["leader", "controlfield", "datafield"];

/** Reads a MARCXML record from its bytes. Throws MarcError and XmlError. */
export function decodeMarcXml(bytes: Uint8Array): MarcRecord {
  const warnings: ImportWarning[] = [];
  const record = readMarcXml(decodeXml(bytes, warnings));
  return { ...record, warnings: [...warnings, ...(record.warnings ?? [])] };
}

function isMarc(element: XmlElement, name: string): boolean {
  return MARC_NAMESPACES.some((namespace) => isElement(element, namespace, name));
}

function fieldsOf(elements: readonly XmlElement[]): MarcField[] {
  const fields: MarcField[] = [];
  let hasLetters = false;
  for (const element of elements) {
    const isControl = isMarc(element, "controlfield");
    if (!isControl && !isMarc(element, "datafield")) continue;
    const tag = attributeOf(element, "", "tag") ?? "";
    if (tag === "") throw new MarcError("blank-tag", "marc.no_tag");
    if (tag === FORMAT_TAG) continue;
    if (!DIGITS.test(tag)) hasLetters = true;
    else if (hasLetters && !tag.startsWith("9")) {
      throw new MarcError("bad-subfield", "marc.tag_order", { tag });
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
      return makeBrokenDataField(tag, new MarcError("bad-subfield", "marc.no_code"));
    }
    subfields.push([code, contentOf(child)]);
  }
  const ind1 = attributeOf(element, "", "ind1") ?? " ";
  const ind2 = attributeOf(element, "", "ind2") ?? " ";
  return { tag, ind1, ind2, subfields };
}

function contentOf(element: XmlElement): string {
  return toNormalForm(joinLines(elementText(element).replaceAll("\u00A0", " ")), "NFC");
}

const LEADER_SIZE = 24;

/** Returns the leader with the blanks for its length, which were trimmed as indentation, so that its positions are right. */
function leaderOf(text: string): string {
  return text.length < LEADER_SIZE && text.endsWith("4500") ? text.padStart(LEADER_SIZE) : text;
}
