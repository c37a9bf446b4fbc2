/** An attribute; one without a prefix has the namespace "". */
export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

/** An element with its namespace resolved ("" without one). Comments and processing instructions are left out. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  /** Elements and pieces of text in the order of the document. */
  readonly children: readonly (XmlElement | string)[];
}

export function isElement(element: XmlElement, namespace: string, name: string): boolean {
  return element.name === name && element.namespace === namespace;
}

/** The elements directly inside, in order. */
export function childElements(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => typeof child !== "string");
}

/** Those of one namespace and name among them. */
export function childrenNamed(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return childElements(element).filter((child) => isElement(child, namespace, name));
}

/** All elements inside, however deep, in document order; not the element itself. */
export function* descendants(element: XmlElement): Generator<XmlElement> {
  // A stack of its own: nested generators would cost a step for every level.
  const open = childElements(element).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    for (const child of childElements(next).toReversed()) open.push(child);
  }
}

/** The text inside, that of elements inside included, as it stands. The parser bounds their depth. */
export function textOf({ children }: XmlElement): string {
  return children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

export function attributeOf(element: XmlElement, namespace: string, name: string): string | undefined {
  return element.attributes.find((one) => one.name === name && one.namespace === namespace)?.value;
}

/** The text of an element up to the first element inside it, as it stands; undefined when there is none. */
export function ownText(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  const end = element.children.findIndex((child) => typeof child !== "string");
  const text = (end === -1 ? element.children : element.children.slice(0, end)).join("");
  return text === "" ? undefined : text;
}
