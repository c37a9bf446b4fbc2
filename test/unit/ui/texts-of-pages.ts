/** A node of a syntax tree, as far as it is looked at. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Members of what makes a part of a page whose texts people read. */
const READ = new Set(["title", "heading", "label", "hint", "error", "submit", "caption", "columns", "text"]);
/** Functions of the pages, and which of their arguments people read. */
const CALLS: ReadonlyMap<string, number> = new Map([
  ["link", 1],
  ["section", 0],
  ["webLink", 1],
  ["factList", 0],
]);
/** What stands in place of a tag, and of a piece of a template by its number. */
const TAG = "⟦⟧";
const piece = (at: number): string => `⟦${at}⟧`;
const ATTRIBUTES = /\s(?:title|alt|aria-label|placeholder)="([^"]*)"/g;
/** A template that stands inside a tag. */
const PARTS_OF_TAGS = /^(?: [\w-]+="[^"]*"| (?:checked|selected|required|hidden|open|data-[a-z-]+)|⟦\d*⟧)*$/;
/** Names of formats and the like are the same in all languages. */
const WORD = /\p{Ll}/u;
/** What programs know an error by. */
const CODE = /^[a-z_]+$/;
/** The name of an entry of the catalogue, or an address. */
const NAME = /^(?:[a-z_]+\.[a-z\d_]+|\/\S*)$/;

/** Texts that people read in a source: those of its templates, and of what is given to the functions of the pages. */
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
  // What is no node has no type, and is passed over.
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
  // Terms and what is said of them.
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
