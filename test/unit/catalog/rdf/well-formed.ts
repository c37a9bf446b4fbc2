/** An element of a parsed document: text is decoded, and empty when there are child elements. */
export interface ParsedElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly ParsedElement[];
  readonly text: string;
}

const DECLARATION = /^<\?xml version="1\.0" encoding="utf-8"\?>\n/;
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const NAME = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;
const TAG = /^<(\/?)([^\s/>"]+)((?:\s+[^\s=]+="[^"<]*")*)\s*(\/?)>/;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Parses an XML document strictly, and throws where a conforming parser would: wrong nesting, characters that
 * XML cannot hold, bare `&` and `<`, repeated attributes, undeclared namespace prefixes, text beside elements.
 * Knows no comments, sections, doctypes or single quotes, since the writer must not produce any.
 */
export function parseXml(text: string): ParsedElement {
  if (FORBIDDEN.test(text)) throw new Error("a character that XML cannot hold");
  if (!DECLARATION.test(text)) throw new Error("no XML declaration");
  const reader = { rest: text.replace(DECLARATION, ""), prefixes: new Set<string>(["xmlns"]) };
  const root = readElement(reader);
  if (reader.rest.trim() !== "") throw new Error(`after the root: ${reader.rest.slice(0, 80)}`);
  return root;
}

interface Reader {
  rest: string;
  readonly prefixes: Set<string>;
}

function readElement(reader: Reader): ParsedElement {
  const [tag, slash, name = "", pairs = "", empty] = TAG.exec(reader.rest) ?? [];
  if (tag === undefined || slash !== "") throw new Error(`not a start tag: ${reader.rest.slice(0, 80)}`);
  const attributes = readAttributes(pairs, reader);
  checkName(name, reader);
  reader.rest = reader.rest.slice(tag.length);
  if (empty === "/") return { name, attributes, children: [], text: "" };
  return { name, attributes, ...readContent(name, reader) };
}

function readAttributes(pairs: string, reader: Reader): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", value = ""] of pairs.matchAll(/\s+([^\s=]+)="([^"]*)"/g)) {
    if (attributes.has(name)) throw new Error(`attribute twice: ${name}`);
    // A parser makes bare blanks in attributes spaces.
    attributes.set(name, decoded(value.replace(/[\t\n\r]/g, " ")));
    if (name.startsWith("xmlns:")) reader.prefixes.add(name.slice("xmlns:".length));
  }
  for (const name of attributes.keys()) checkName(name, reader);
  return attributes;
}

function readContent(name: string, reader: Reader): { children: ParsedElement[]; text: string } {
  const children: ParsedElement[] = [];
  let text = "";
  for (;;) {
    const end = reader.rest.indexOf("<");
    if (end < 0) throw new Error(`never closed: ${name}`);
    text += reader.rest.slice(0, end);
    reader.rest = reader.rest.slice(end);
    if (reader.rest.startsWith("</")) break;
    children.push(readElement(reader));
  }
  const close = `</${name}>`;
  if (!reader.rest.startsWith(close)) throw new Error(`expected ${close}: ${reader.rest.slice(0, 80)}`);
  reader.rest = reader.rest.slice(close.length);
  if (children.length > 0 && text.trim() !== "") throw new Error(`text beside elements in ${name}`);
  // A parser makes bare line ends line feeds.
  return { children, text: children.length > 0 ? "" : decoded(text.replace(/\r\n?/g, "\n")) };
}

function checkName(name: string, { prefixes }: Reader): void {
  if (!NAME.test(name)) throw new Error(`not a name: ${name}`);
  const [prefix = "", local] = name.split(":");
  if (local === undefined || !prefixes.has(prefix)) throw new Error(`undeclared prefix: ${name}`);
}

function decoded(text: string): string {
  if (text.includes("<") || text.includes("]]>")) throw new Error(`bare markup: ${text.slice(0, 80)}`);
  return text.replace(/&([^;]{0,9}(?:;|$))?/g, (whole, body = "") => {
    const name = String(body).slice(0, -1);
    const number = /^#(\d+)$/.exec(name)?.[1];
    const character = number === undefined ? ENTITIES[name] : String.fromCodePoint(Number(number));
    if (character === undefined || !String(body).endsWith(";")) throw new Error(`bare ampersand: ${whole}`);
    return character;
  });
}

/** All elements of that name, in document order. */
export function elementsNamed(root: ParsedElement, name: string): ParsedElement[] {
  const below = root.children.flatMap((child) => elementsNamed(child, name));
  return root.name === name ? [root, ...below] : below;
}
