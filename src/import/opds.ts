import { RecordBuilder, SHARED_FIELDS, TERMS } from "./builder.ts";
import type { ImportRecord } from "./record.ts";
import {
  type XmlElement,
  attributeOf,
  childElements,
  childrenNamed,
  isElement,
  ownText,
} from "./xml/element.ts";

export const ATOM = "http://www.w3.org/2005/Atom";

/** Elements whose text is a field, by namespace and name. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  [`${ATOM}title`, "title"],
  [`${ATOM}summary`, "description"],
  ...SHARED_FIELDS,
]);

const ISBN = "urn:ISBN:";
const ITEM = "http://www.archive.org/details/";

/** Converts an Atom entry of an OPDS catalog to a record, using its direct children only. */
export function recordOfOpds(entry: XmlElement): ImportRecord {
  const builder = new RecordBuilder();
  for (const child of childElements(entry)) addElement(child, builder);
  return builder.record();
}

function addElement(child: XmlElement, builder: RecordBuilder): void {
  const field = FIELDS.get(child.namespace + child.name);
  if (field !== undefined) builder.addKnown(field, ownText(child));
  else if (isElement(child, ATOM, "author")) {
    builder.addKnown("author", ownText(childrenNamed(child, ATOM, "name")[0]));
  } else if (isElement(child, ATOM, "category")) {
    builder.addKnown("subject", attributeOf(child, "", "label"));
  } else if (isElement(child, TERMS, "identifier")) addIdentifier(ownText(child)?.trim() ?? "", builder);
}

function addIdentifier(text: string, builder: RecordBuilder): void {
  if (text.startsWith(ITEM)) builder.addKnown("ocaid", text.slice(ITEM.length));
  else if (text.startsWith(ISBN)) {
    const isbn = text.slice(ISBN.length);
    if (isbn.length === 10 || isbn.length === 13) builder.addKnown(`isbn_${isbn.length}`, isbn);
  }
}
