export interface SerializedElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly SerializedElement[];
}

type Content = SerializedElement["content"];

const INDENT = "  ";
/** Characters that XML 1.0 cannot hold even escaped: most controls, lone surrogates, non-characters. */
const UNREPRESENTABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const SPECIAL = /[&<>"\t\n\r]/g;
const PLAIN = /^[ !#-%'-;=?-~]*$/;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function element(
  name: string,
  content: Content,
  attributes: SerializedElement["attributes"] = {},
): SerializedElement {
  return { name, attributes, content };
}

/** Returns an element as it was serialised, for documents whose parts are measured. */
export function renderedElement(text: string): SerializedElement {
  return element("", text);
}

/** Returns an empty element that refers to a URI. */
export function resourceLink(name: string, uri: string): SerializedElement {
  return element(name, [], { "rdf:resource": uri });
}

/** Returns an element with the text, or none if the text is absent or empty. */
export function textElement(name: string, text: string | undefined): SerializedElement[] {
  return text === undefined || text === "" ? [] : [element(name, text)];
}

export function textElements(name: string, texts: readonly string[]): SerializedElement[] {
  return texts.flatMap((text) => textElement(name, text));
}

/** Serialises a well-formed document with any texts. */
export function renderXmlDocument(root: SerializedElement): string {
  return XML_DECLARATION + xmlText(root);
}

/** Serialises a document without blanks between elements, which some programs treat as content. */
export function renderDenseDocument(root: SerializedElement): string {
  return XML_DECLARATION + renderDenseElement(root);
}

/** Serialises a single element without line feeds and blanks between elements. */
export function renderDenseElement(root: SerializedElement): string {
  return serialize(root, undefined);
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

/** Serialises a single element, for a document that is written in pieces. */
export function xmlText(root: SerializedElement): string {
  return serialize(root, "");
}

/** Serialises an element, without layout if `indent` is undefined. */
function serialize({ name, attributes, content }: SerializedElement, indent: string | undefined): string {
  if (name === "" && typeof content === "string") return content;
  const end = indent === undefined ? "" : "\n";
  let text = `${indent ?? ""}<${name}`;
  for (const [attribute, value] of Object.entries(attributes))
    text += ` ${attribute}="${escapeAttribute(value)}"`;
  if (content.length === 0) return `${text}/>${end}`;
  if (typeof content === "string") {
    // In text only a carriage return needs a reference: a parser would turn it into a line feed.
    const escapedText = PLAIN.test(content)
      ? content
      : content.replace(UNREPRESENTABLE, "").replace(/[&<>\r]/g, escapeCharacter);
    return `${text}>${escapedText}</${name}>${end}`;
  }
  text += `>${end}`;
  const inner = indent === undefined ? undefined : indent + INDENT;
  for (const child of content) text += serialize(child, inner);
  return `${text}${indent ?? ""}</${name}>${end}`;
}

/** Escapes an attribute. Tabs and line ends are escaped too, because a parser would turn them into spaces. */
function escapeAttribute(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNREPRESENTABLE, "").replace(SPECIAL, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return ESCAPES[character] ?? `&#${character.charCodeAt(0)};`;
}
