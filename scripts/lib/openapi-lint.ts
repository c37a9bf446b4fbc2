// Rules of OpenAPI 3.1 and JSON Schema that Spectral and Redocly check, without their hundreds of packages.

// oxlint-disable-next-line typescript/no-explicit-any -- parsed JSON of any shape
type Json = any;
type Node = Readonly<Record<string, Json>>;
interface Described {
  name: string;
  path: string;
  operation: Node;
}

const entriesOf = (node: Node): [string, Node][] => Object.entries(node);

/** Words of JSON Schema 2020-12 that schemas may be made of. */
const SCHEMA_WORDS = new Set(
  (
    "$ref type enum const properties required additionalProperties propertyNames patternProperties items prefixItems " +
    "minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum " +
    "multipleOf anyOf oneOf allOf not default description title examples contentEncoding contentMediaType"
  ).split(" "),
);
const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const METHODS = new Set(["get", "post", "put", "delete"]);
const MEDIA_TYPE = /^(?:\*|[a-z]+)\/[a-z0-9.+*-]+$/;
const ERROR_TYPES = ["application/json", "text/html"];

/** Lists the problems of a description. */
export function openApiProblems(document: Node): string[] {
  return [
    ...referenceProblems(document),
    ...pathProblems(document),
    ...schemasOf(document).flatMap(schemaProblems),
    ...operationsOf(document).flatMap((one) =>
      wordProblems(one, document).concat(parameterProblems(one), answerProblems(one, document)),
    ),
    ...repeated(operationsOf(document).map(({ operation }) => `operation id ${operation.operationId}`)),
  ];
}

function operationsOf({ paths }: Node): Described[] {
  return entriesOf(paths).flatMap(([path, item]) =>
    entriesOf(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
  );
}

/** Resolves a reference; undefined if it is dangling. */
function pointedAt(document: Node, reference: string) {
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .reduce<Json>((value, name) => value?.[name], document);
}

function referenceProblems(document: Node) {
  const references = new Set(
    [...below(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : [])),
  );
  const components = entriesOf(document.components).flatMap(([kind, named]) =>
    kind === "securitySchemes" ? [] : Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  );
  return [
    ...[...references]
      .filter((one) => pointedAt(document, one) === undefined)
      .map((one) => `${one} is not there`),
    ...components.filter((one) => !references.has(one)).map((one) => `${one} is not used`),
  ];
}

function pathProblems({ paths }: Node) {
  const templates = Object.keys(paths);
  const methods = templates.flatMap((path) => Object.keys(paths[path]).map((method) => ({ path, method })));
  return [
    ...templates.filter((path) => !path.startsWith("/")).map((path) => `${path} does not begin with a slash`),
    ...repeated(templates.map((path) => path.replace(/\{\w+\}/g, "{}"))),
    ...methods
      .filter(({ method }) => !METHODS.has(method))
      .map(({ path, method }) => `${path} has ${method}`),
  ];
}

/** Checks tags, descriptions and security of an operation. */
function wordProblems({ name, operation }: Described, { tags, components }: Node) {
  const { operationId, summary, description, security } = operation;
  const declared = new Set(tags.map((tag: Node) => tag.name));
  const problems = [];
  if (!/^\w+$/.test(operationId)) problems.push(`${name} has no id`);
  if (!summary || !description) problems.push(`${name} is not described`);
  if (!operation.tags?.length || operation.tags.some((tag: string) => !declared.has(tag))) {
    problems.push(`${name} has a tag that is not declared`);
  }
  if (!Array.isArray(security)) problems.push(`${name} does not say who may call it`);
  const schemes = (security ?? []).flatMap((one: Node) => Object.keys(one));
  const unknown = schemes.filter((one: string) => !(one in components.securitySchemes));
  return [...problems, ...unknown.map((one: string) => `${name} names the unknown scheme ${one}`)];
}

function parameterProblems({ name, path, operation: { parameters = [] } }: Described) {
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
  const inPath = parameters.filter((one: Node) => one.in === "path");
  const named = inPath.map((one: Node) => one.name);
  const fits = named.toSorted().join() === places.toSorted().join();
  const isOptional = inPath.some((one: Node) => one.required !== true);
  return [
    ...(fits && !isOptional ? [] : [`${name} does not name the parameters of its path`]),
    ...repeated(parameters.map((one: Node) => `${name}: ${one.in} ${one.name}`)),
  ];
}

function answerProblems({ name, operation }: Described, document: Node) {
  const answers = entriesOf(operation.responses);
  const problems = answers.some(([status]) => /^[23]/.test(status)) ? [] : [`${name} never succeeds`];
  for (const [status, stated] of answers) {
    const {
      description,
      content = {},
      headers = {},
    }: Node = stated.$ref ? pointedAt(document, stated.$ref) : stated;
    const types = Object.keys(content);
    const isWrong =
      !/^[1-5]\d\d$/.test(status) ||
      !description ||
      types.some((type) => !MEDIA_TYPE.test(type)) ||
      (Number(status) >= 400 && types.length > 0 && ERROR_TYPES.some((type) => !types.includes(type))) ||
      (/^30[12378]$/.test(status) && !("Location" in headers));
    if (isWrong) problems.push(`${name}: ${status} is not wholly described`);
  }
  return problems;
}

function schemaProblems(schema: Node) {
  const { type, items, prefixItems, properties = {}, required = [], enum: values, pattern } = schema;
  const types = [type ?? []].flat();
  const unknown = Object.keys(schema).filter((word) => !SCHEMA_WORDS.has(word));
  const absent = required.filter((name: string) => properties[name] === undefined);
  const problems = [
    ...unknown.map((word) => `the word ${word}`),
    ...types.filter((one) => !TYPES.has(one)).map((one) => `the type ${one}`),
    ...(properties === schema.properties ? absent : []).map((name: string) => `${name} without a property`),
  ];
  if (types.includes("array") && typeof items !== "object") problems.push("an array without items");
  if (prefixItems !== undefined && schema.maxItems !== prefixItems.length)
    problems.push("a tuple without an end");
  if (values !== undefined && "default" in schema && !values.includes(schema.default)) {
    problems.push("a default that is none of the values");
  }
  if (schema.anyOf?.some((one: Node) => Object.keys(one).length === 0)) {
    problems.push("a choice that everything fits");
  }
  if (pattern !== undefined && !isExpression(pattern)) problems.push(`the pattern ${pattern}`);
  return problems.map((problem) => `schema with ${problem}: ${JSON.stringify(schema).slice(0, 120)}`);
}

function isExpression(pattern: string) {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function schemasOf(document: Node): Node[] {
  const inPlaces = [...below(document)].filter((node) => "schema" in node).map(({ schema }) => schema);
  return [...Object.values(document.components.schemas), ...inPlaces].flatMap((schema) =>
    Array.from(schemasIn(schema)),
  );
}

/** Yields a schema and its nested schemas. */
function* schemasIn(schema: Json): Generator<Node> {
  if (typeof schema !== "object" || schema === null) return;
  yield schema;
  const {
    properties = {},
    patternProperties = {},
    anyOf = [],
    oneOf = [],
    allOf = [],
    prefixItems = [],
  } = schema;
  const { items, additionalProperties, propertyNames, not } = schema;
  const inner = [properties, patternProperties, anyOf, oneOf, allOf, prefixItems].flatMap((one) =>
    Object.values(one),
  );
  for (const one of [...inner, items, additionalProperties, propertyNames, not]) yield* schemasIn(one);
}

/** Yields all objects and arrays in a value. */
function* below(value: Json): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  yield value;
  for (const inner of Object.values(value)) yield* below(inner);
}

function repeated(names: string[]) {
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} stands twice`);
}
