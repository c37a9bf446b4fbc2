import type { XmlAttribute } from "./namespaces.ts";
import { XmlPull } from "./pull.ts";

/** Element with its namespace resolved ("" without one). Comments and processing instructions are dropped. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  /** Child elements and pieces of text in document order. */
  readonly children: readonly (XmlElement | string)[];
}

export function isElement(element: XmlElement, namespace: string, name: string): boolean {
  return element.name === name && element.namespace === namespace;
}

export function childElements(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => typeof child !== "string");
}

export function childrenNamed(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return childElements(element).filter((child) => isElement(child, namespace, name));
}

/** Yields all descendant elements in document order, without the element itself. */
export function* descendants(element: XmlElement): Generator<XmlElement> {
  // Uses an explicit stack, because nested generators would cost one step per level.
  const open = childElements(element).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    for (const child of childElements(next).toReversed()) open.push(child);
  }
}

/** Returns the text of an element and its descendants, unchanged. The parser limits their depth. */
export function elementText({ children }: XmlElement): string {
  return children.map((child) => (typeof child === "string" ? child : elementText(child))).join("");
}

/** Returns a text whose lines, with their indentation, are joined by spaces: programs lay out XML for people. */
export function joinLines(text: string): string {
  if (!text.includes("\n")) return text;
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}

export function attributeOf(element: XmlElement, namespace: string, name: string): string | undefined {
  return element.attributes.find((attribute) => attribute.name === name && attribute.namespace === namespace)
    ?.value;
}

/** Returns the text of an element before its first child element, unchanged. Returns undefined if there is none. */
export function ownText(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  const end = element.children.findIndex((child) => typeof child !== "string");
  const text = (end === -1 ? element.children : element.children.slice(0, end)).join("");
  return text === "" ? undefined : text;
}

interface Building extends XmlElement {
  readonly children: (XmlElement | string)[];
}

/** Parses a document and returns its root element. Throws XmlError if it is not well-formed or exceeds the limits. */
export function parseXml(text: string): XmlElement {
  const pull = new XmlPull(text);
  const open: Building[] = [];
  let root: XmlElement | undefined;
  for (let event = pull.next(); event !== undefined; event = pull.next()) {
    if (event.kind === "end") open.pop();
    else if (event.kind === "text") open.at(-1)?.children.push(event.text);
    else {
      const { namespace, name, attributes } = event;
      const element: Building = { namespace, name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      root ??= element;
      open.push(element);
    }
  }
  // The parser rejects a document without an element.
  return root ?? { namespace: "", name: "", attributes: [], children: [] };
}
