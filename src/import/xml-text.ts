import type { XmlElement } from "./xml/element.ts";

/** The text of an element up to the first element inside it, as it stands; undefined when there is none. */
export function ownText(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  const end = element.children.findIndex((child) => typeof child !== "string");
  const text = (end === -1 ? element.children : element.children.slice(0, end)).join("");
  return text === "" ? undefined : text;
}
