import type { XmlElement } from "./element.ts";
import { XmlPull } from "./pull.ts";

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
