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
/** Most texts: nothing of them has to be looked at twice. */
const PLAIN = /^[ !#-%'-;=?-~]*$/;
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

/** The same without line feeds and blanks between elements, which some programs take for more than layout. */
export function denseDocument(root: XmlElement): string {
  return XML_DECLARATION + denseText(root);
}

/** An element by itself, without line feeds and blanks between elements. */
export function denseText(root: XmlElement): string {
  return serialized(root, undefined);
}

/** What documents begin with. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

/** An element by itself, to stand in a document that is written piece by piece. */
export function xmlText(root: XmlElement): string {
  return serialized(root, "");
}

/** Undefined as `indent`: no layout. */
function serialized({ name, attributes, content }: XmlElement, indent: string | undefined): string {
  const end = indent === undefined ? "" : "\n";
  let text = `${indent ?? ""}<${name}`;
  for (const [attribute, value] of Object.entries(attributes)) text += ` ${attribute}="${escaped(value)}"`;
  if (content.length === 0) return `${text}/>${end}`;
  if (typeof content === "string") {
    // In text only a carriage return needs a reference: a parser would make it a line feed.
    const shown = PLAIN.test(content)
      ? content
      : content.replace(UNREPRESENTABLE, "").replace(/[&<>\r]/g, escapedCharacter);
    return `${text}>${shown}</${name}>${end}`;
  }
  text += `>${end}`;
  const inner = indent === undefined ? undefined : indent + INDENT;
  for (const child of content) text += serialized(child, inner);
  return `${text}${indent ?? ""}</${name}>${end}`;
}

/** Blanks other than spaces are escaped too, since a parser would make them spaces in an attribute. */
function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNREPRESENTABLE, "").replace(SPECIAL, escapedCharacter);
}

function escapedCharacter(character: string): string {
  return ESCAPES[character] ?? `&#${character.charCodeAt(0)};`;
}
