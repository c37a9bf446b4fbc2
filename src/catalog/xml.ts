/** An XML element: text, or elements, never both. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly XmlElement[];
}

type Content = XmlElement["content"];

const INDENT = "  ";
/** What XML 1.0 cannot hold even escaped: most control characters, halves of surrogate pairs, non-characters. */
const UNREPRESENTABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const SPECIAL = /[&<>"\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** An element with text or child elements. */
export function element(
  name: string,
  content: Content,
  attributes: XmlElement["attributes"] = {},
): XmlElement {
  return { name, attributes, content };
}

/** An empty element that names something by its URI. */
export function resource(name: string, uri: string): XmlElement {
  return element(name, [], { "rdf:resource": uri });
}

/** An element with the text; none when the text is absent or empty. */
export function textElement(name: string, text: string | undefined): XmlElement[] {
  return text === undefined || text === "" ? [] : [element(name, text)];
}

/** An element for each text that is not empty. */
export function textElements(name: string, texts: readonly string[]): XmlElement[] {
  return texts.flatMap((text) => textElement(name, text));
}

/** A well-formed document with that root, whatever the texts hold. */
export function xmlDocument(root: XmlElement): string {
  return XML_DECLARATION + xmlText(root);
}

/** What documents begin with. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

/** An element by itself, to stand in a document that is written piece by piece. */
export function xmlText(root: XmlElement): string {
  return serialized(root, "");
}

function serialized({ name, attributes, content }: XmlElement, indent: string): string {
  const pairs = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`);
  const open = `${indent}<${name}${pairs.join("")}`;
  if (content.length === 0) return `${open}/>\n`;
  if (typeof content === "string") {
    // In text only a carriage return needs a reference: a parser would make it a line feed.
    const text = content.replace(UNREPRESENTABLE, "").replace(/[&<>\r]/g, escapedCharacter);
    return `${open}>${text}</${name}>\n`;
  }
  const children = content.map((child) => serialized(child, indent + INDENT));
  return `${open}>\n${children.join("")}${indent}</${name}>\n`;
}

/** Blanks other than spaces are escaped too, since a parser would make them spaces in an attribute. */
function escaped(text: string): string {
  return text.replace(UNREPRESENTABLE, "").replace(SPECIAL, escapedCharacter);
}

function escapedCharacter(character: string): string {
  return ESCAPES[character] ?? `&#${character.charCodeAt(0)};`;
}
