/** Node of a syntax tree, with the members that are read. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Members of page parts that hold visible texts. */
const READ = new Set(["title", "heading", "label", "hint", "error", "submit", "caption", "columns", "text"]);
/** Functions of the pages, with the index of the argument that holds a visible text. */
const CALLS: ReadonlyMap<string, number> = new Map([
  ["link", 1],
  ["section", 0],
  ["webLink", 1],
  ["factList", 0],
]);
/** Placeholders of a tag, and of a numbered piece of a template. */
const TAG = "⟦⟧";
const piece = (at: number): string => `⟦${at}⟧`;
const ATTRIBUTES = /\s(?:title|alt|aria-label|placeholder)="([^"]*)"/g;
/** A template that stands inside a tag. */
const PARTS_OF_TAGS = /^(?: [\w-]+="[^"]*"| (?:checked|selected|required|hidden|open|data-[a-z-]+)|⟦\d*⟧)*$/;
/** Names of formats and the like are the same in all languages. */
const WORD = /\p{Ll}/u;
/** Code of an error. */
const CODE = /^[a-z_]+$/;
/** The name of an entry of the catalogue, or an address. */
const NAME = /^(?:[a-z_]+\.[a-z\d_]+|\/\S*)$/;

/** Returns the visible texts of a source: in templates, and in arguments of the page functions. */
export function textsOfPages(tree: unknown): string[] {
  const found: string[] = [];
  visit(tree, found);
  return found
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text) => WORD.test(text) && !NAME.test(text));
}

function visit(node: unknown, found: string[]): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const one of node) visit(one, found);
    return;
  }
  // Objects without a type are not nodes.
  const { type, ...rest } = node as Node;
  if (type === "TaggedTemplateExpression" && nameOf(rest["tag"]) === "markup") template(rest["quasi"], found);
  if (type === "Property" && READ.has(nameOf(rest["key"]))) {
    const texts: string[] = [];
    literals(rest["value"], texts);
    found.push(...texts.filter((text) => nameOf(rest["key"]) !== "error" || !CODE.test(text)));
  }
  if (type === "CallExpression") call(nameOf(rest["callee"]), rest["arguments"], found);
  for (const child of Object.values(rest)) visit(child, found);
}

function call(name: string, given: unknown, found: string[]): void {
  const place = CALLS.get(name);
  if (place === undefined || !Array.isArray(given)) return;
  if (name !== "factList") return literals(given[place], found);
  // Terms and their values.
  for (const entry of elementsOf(given[place])) literals(elementsOf(entry)[0], found);
}

function template(quasi: unknown, found: string[]): void {
  const { quasis, expressions } = quasi as {
    quasis: { value: { cooked: string } }[];
    expressions: unknown[];
  };
  const html = quasis
    .map(({ value }, at) => value.cooked + (at < expressions.length ? piece(at) : ""))
    .join("");
  if (PARTS_OF_TAGS.test(html)) return;
  const attributes = [...html.matchAll(ATTRIBUTES)].map(([, value = ""]) => value);
  const texts = html.replace(/<code>[^<>]*<\/code>|<[^<>]*>/g, TAG).replace(/^[^<>]*>|<[^<>]*$/g, TAG);
  const read = [...attributes, texts].join(TAG);
  found.push(...read.replace(/&\w+;/g, " ").split(/⟦\d*⟧/));
  for (const [at, one] of expressions.entries()) if (read.includes(piece(at))) literals(one, found);
}

/** Texts that an expression can be. */
function literals(node: unknown, found: string[]): void {
  if (typeof node !== "object" || node === null) return;
  const { type, value, quasis, operator, left, right, consequent, alternate } = node as Node;
  if (type === "Literal" && typeof value === "string") found.push(value);
  if (type === "TemplateLiteral") {
    for (const { value: text } of quasis as { value: { raw: string } }[]) found.push(text.raw);
  }
  const sides = type === "LogicalExpression" ? [right] : operator === "+" ? [left, right] : [];
  for (const one of [...sides, consequent, alternate, ...elementsOf(node)]) literals(one, found);
}

function elementsOf(node: unknown): unknown[] {
  const { type, elements } = (node ?? {}) as Partial<Node>;
  return type === "ArrayExpression" && Array.isArray(elements) ? elements : [];
}

function nameOf(node: unknown): string {
  const { name, property } = (node ?? {}) as Partial<Node>;
  return typeof name === "string" ? name : property === undefined ? "" : nameOf(property);
}
