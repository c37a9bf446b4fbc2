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
export function resource(name: string, uri: string): SerializedElement {
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

export const XML_DEPTH_MAX = 100;

const NAME = String.raw`[\p{L}_:][\p{L}\p{N}_:.\-]*`;
const TEXT = String.raw`(?:[^<&]|&(?:${NAME}|#\d+|#x[\da-fA-F]+);)`;
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"(?:[^<&"]|&[^<&;"\s]+;)*"|'(?:[^<&']|&[^<&;'\s]+;)*')`;

const PIECES = {
  text: new RegExp(`${TEXT}+`, "uy"),
  comment: /<!--(?:[^-]|-[^-])*-->/y,
  instruction: new RegExp(String.raw`<\?${NAME}(?:\s(?:[^?]|\?(?!>))*)?\?>`, "uy"),
  cdata: /<!\[CDATA\[(?:[^\]]|\](?!\]>))*\]\]>/y,
  end: new RegExp(String.raw`</(?<name>${NAME})\s*>`, "uy"),
  start: new RegExp(String.raw`<(?<name>${NAME})(?:${ATTRIBUTE})*\s*(?<empty>/?)>`, "uy"),
} as const;
type PieceKind = keyof typeof PIECES;

interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
  readonly name: string;
  readonly isEmpty: boolean;
}

/** Returns the error in an XML document (1.0, without document types). Returns undefined if it is well-formed. */
export function findXmlError(document: string): string | undefined {
  const open: string[] = [];
  let hasRoot = false;
  let place = document.startsWith("\uFEFF") ? 1 : 0;
  while (place < document.length) {
    const piece = matchPiece(document, place);
    if (piece === undefined) return `syntax error at character ${place}`;
    // Comments, instructions and blanks may be outside of the root element.
    const isBlank = piece.kind === "text" && piece.text.trim() === "";
    const isNote = piece.kind === "comment" || piece.kind === "instruction";
    const isOutside = isBlank || isNote || (piece.kind === "start" && !hasRoot);
    if (open.length === 0 && !isOutside) return `junk at character ${place}`;
    if (piece.kind === "end" && open.pop() !== piece.name) return `mismatched tag at character ${place}`;
    if (piece.kind === "start") {
      hasRoot = true;
      if (!piece.isEmpty) open.push(piece.name);
      if (open.length > XML_DEPTH_MAX) return `more than ${XML_DEPTH_MAX} elements inside one another`;
    }
    place += piece.text.length;
  }
  if (open.length > 0) return "an element is not closed";
  return hasRoot ? undefined : "no element found";
}

function matchPiece(document: string, place: number): Piece | undefined {
  for (const [kind, expression] of Object.entries(PIECES)) {
    expression.lastIndex = place;
    const match = expression.exec(document);
    if (match === null) continue;
    const { name = "", empty = "" } = match.groups ?? {};
    // The entries are those of PIECES.
    return { kind: kind as PieceKind, text: match[0], name, isEmpty: empty !== "" };
  }
  return undefined;
}
