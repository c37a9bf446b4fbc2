/** Attribute. Without a prefix its namespace is "". */
export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

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

/** Returns the child elements in order. */
export function childElements(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => typeof child !== "string");
}

/** Returns the child elements with a namespace and name. */
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
export function textOf({ children }: XmlElement): string {
  return children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

export function attributeOf(element: XmlElement, namespace: string, name: string): string | undefined {
  return element.attributes.find((one) => one.name === name && one.namespace === namespace)?.value;
}

/** Returns the text of an element before its first child element, unchanged. Returns undefined if there is none. */
export function ownText(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  const end = element.children.findIndex((child) => typeof child !== "string");
  const text = (end === -1 ? element.children : element.children.slice(0, end)).join("");
  return text === "" ? undefined : text;
}
