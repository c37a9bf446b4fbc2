/** XML element with either text or child elements. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly XmlElement[];
}

type Content = XmlElement["content"];

const INDENT = "  ";
/**
 * Pattern of characters that XML 1.0 cannot hold even escaped: most control characters, lone surrogates,
 * non-characters.
 */
const UNREPRESENTABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const SPECIAL = /[&<>"\t\n\r]/g;
/** Pattern of texts without special characters, which applies to most of them. */
const PLAIN = /^[ !#-%'-;=?-~]*$/;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Returns an element with text or child elements. */
export function element(
  name: string,
  content: Content,
  attributes: XmlElement["attributes"] = {},
): XmlElement {
  return { name, attributes, content };
}

/** Returns an empty element that refers to a URI. */
export function resource(name: string, uri: string): XmlElement {
  return element(name, [], { "rdf:resource": uri });
}

/** Returns an element with the text, or none if the text is absent or empty. */
export function textElement(name: string, text: string | undefined): XmlElement[] {
  return text === undefined || text === "" ? [] : [element(name, text)];
}

/** Returns an element for each non-empty text. */
export function textElements(name: string, texts: readonly string[]): XmlElement[] {
  return texts.flatMap((text) => textElement(name, text));
}

/** Serialises a well-formed document with any texts. */
export function xmlDocument(root: XmlElement): string {
  return XML_DECLARATION + xmlText(root);
}

/**
 * Serialises a document without line feeds and blanks between elements, because some programs treat these as content.
 */
export function denseDocument(root: XmlElement): string {
  return XML_DECLARATION + denseText(root);
}

/** Serialises a single element without line feeds and blanks between elements. */
export function denseText(root: XmlElement): string {
  return serialized(root, undefined);
}

/** Start of every document. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

/** Serialises a single element, for a document that is written in pieces. */
export function xmlText(root: XmlElement): string {
  return serialized(root, "");
}

/** Serialises an element, without layout if `indent` is undefined. */
function serialized({ name, attributes, content }: XmlElement, indent: string | undefined): string {
  const end = indent === undefined ? "" : "\n";
  let text = `${indent ?? ""}<${name}`;
  for (const [attribute, value] of Object.entries(attributes)) text += ` ${attribute}="${escaped(value)}"`;
  if (content.length === 0) return `${text}/>${end}`;
  if (typeof content === "string") {
    // In text only a carriage return needs a reference: a parser would turn it into a line feed.
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

/** Escapes an attribute. Tabs and line ends are escaped too, because a parser would turn them into spaces. */
function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNREPRESENTABLE, "").replace(SPECIAL, escapedCharacter);
}

function escapedCharacter(character: string): string {
  return ESCAPES[character] ?? `&#${character.charCodeAt(0)};`;
}
