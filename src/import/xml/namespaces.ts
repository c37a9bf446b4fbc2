import { XmlError } from "./decode.ts";

const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";
const DECLARATIONS_NAMESPACE = "http://www.w3.org/2000/xmlns/";

/** Attribute. Without a prefix its namespace is "". */
export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

export type RawAttribute = readonly [name: string, value: string];
type Resolved = readonly [namespace: string, name: string];

/** Prefixes in scope at the parser's position. One map with an undo list: a lookup costs the same at any depth. */
export class Namespaces {
  readonly #bound = new Map<string, string>([
    ["", ""],
    ["xml", XML_NAMESPACE],
  ]);
  readonly #undo: (readonly [prefix: string, before: string | undefined])[] = [];

  /** Applies the declarations of an element and returns their number, to be passed to `leave` at its end. */
  enter(attributes: readonly RawAttribute[]): number {
    checkDistinct(attributes.map(([name]) => name));
    let declared = 0;
    for (const [name, value] of attributes) {
      if (!isDeclaration(name)) continue;
      const prefix = name.slice("xmlns:".length);
      checkDeclaration(prefix, name, value);
      this.#undo.push([prefix, this.#bound.get(prefix)]);
      this.#bound.set(prefix, value);
      declared += 1;
    }
    return declared;
  }

  leave(declared: number): void {
    for (let left = declared; left > 0; left -= 1) {
      const last = this.#undo.pop();
      if (last === undefined) return;
      const [prefix, before] = last;
      if (before === undefined) this.#bound.delete(prefix);
      else this.#bound.set(prefix, before);
    }
  }

  element(name: string): Resolved {
    const colon = name.indexOf(":");
    if (colon === -1) return [this.#bound.get("") ?? "", name];
    return this.#resolve(name, colon);
  }

  attributes(raw: readonly RawAttribute[]): XmlAttribute[] {
    const attributes: XmlAttribute[] = [];
    for (const [written, value] of raw) {
      if (isDeclaration(written)) continue;
      const colon = written.indexOf(":");
      // The default namespace does not apply to attributes.
      const [namespace, name] = colon === -1 ? ["", written] : this.#resolve(written, colon);
      attributes.push({ namespace, name, value });
    }
    // Two prefixes may refer to the same namespace.
    if (attributes.some(({ namespace }) => namespace !== "")) {
      checkDistinct(attributes.map(({ namespace, name }) => `${namespace} ${name}`));
    }
    return attributes;
  }

  #resolve(written: string, colon: number): Resolved {
    const prefix = written.slice(0, colon);
    const name = written.slice(colon + 1);
    const namespace = this.#bound.get(prefix);
    if (prefix === "" || name === "" || name.includes(":")) throw new XmlError("xml.name", { name: written });
    if (namespace === undefined) throw new XmlError("xml.prefix", { name: prefix });
    return [namespace, name];
  }
}

function checkDistinct(names: readonly string[]): void {
  if (names.length < 2) return;
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new XmlError("xml.duplicate", { name });
    seen.add(name);
  }
}

function isDeclaration(name: string): boolean {
  return name.startsWith("xmlns") && (name.length === 5 || name.charAt(5) === ":");
}

function checkDeclaration(prefix: string, name: string, value: string): void {
  const isReserved = prefix === "xmlns" || value === DECLARATIONS_NAMESPACE;
  const isUnnamed = name !== "xmlns" && (prefix === "" || value === "" || prefix.includes(":"));
  if (isReserved || isUnnamed || (prefix === "xml") !== (value === XML_NAMESPACE)) {
    throw new XmlError("xml.namespace", { name });
  }
}
