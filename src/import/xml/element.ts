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

/** Whether it is the element of this namespace and name. */
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

/** The text inside, that of elements inside included, as it stands. */
export function textOf(element: XmlElement): string {
  const pieces: string[] = [];
  collectText(element, pieces);
  return pieces.join("");
}

/** The depth is bounded by the parser. */
function collectText(element: XmlElement, pieces: string[]): void {
  for (const child of element.children) {
    if (typeof child === "string") pieces.push(child);
    else collectText(child, pieces);
  }
}

/** The value of an attribute; those without a prefix have the namespace "". */
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
