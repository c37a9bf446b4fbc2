/**
 * Says where a value differs from a JSON schema of dialect 2020-12: the part of it that OpenAPI documents of this service
 * use. A word that is not known here is an error and no agreement.
 */

/** Words that say nothing of the value. */
const NOTES = new Set([
  "$schema",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "format",
  "$comment",
]);
const DIFFERENCES_MAX = 5;

/** @typedef {{ [word: string]: unknown } | boolean} Schema */
/** @typedef {{ root: unknown, found: string[] }} Check */
/** @typedef {(stated: any, value: any, at: Place) => void} Rule */
/** @typedef {{ path: string, schema: { [word: string]: any }, check: Check }} Place */

/**
 * Differences of a value from a schema, each with its place in the value; none when it fits.
 * @param {Schema} schema
 * @param {unknown} value
 * @param {unknown} [root] document that `$ref` points into
 * @returns {string[]}
 */
export function differences(schema, value, root = schema) {
  /** @type {Check} */
  const check = { root, found: [] };
  compare(schema, value, { path: "", schema: {}, check });
  return check.found.slice(0, DIFFERENCES_MAX);
}

/** @param {Schema} schema @param {unknown} value @param {Place} at */
function compare(schema, value, { path, check }) {
  if (schema === true) return;
  if (schema === false) {
    check.found.push(`${path || "/"}: nothing is allowed here`);
    return;
  }
  for (const [word, stated] of Object.entries(schema)) {
    const rule = RULES[word];
    if (rule !== undefined) rule(stated, value, { path, schema, check });
    else if (!NOTES.has(word)) throw new Error(`the word ${word} of JSON schemas is not known to this check`);
  }
}

/** @param {Place} at @param {string} what */
function differs({ path, check }, what) {
  check.found.push(`${path || "/"}: ${what}`);
}

/** @param {Schema} schema @param {unknown} value @param {Place} at */
function fits(schema, value, { check }) {
  return differences(schema, value, check.root).length === 0;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {string} type @param {unknown} value */
function hasType(type, value) {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/**
 * @param {(stated: any, value: any) => boolean} holds @param {(value: unknown) => boolean} applies @param {string}
 * what @returns {Rule}
 */
function ruleOf(holds, applies, what) {
  return (stated, value, at) => {
    if (applies(value) && !holds(stated, value)) differs(at, `${what} ${JSON.stringify(stated)}`);
  };
}

/** @param {unknown} value */
const isNumber = (value) => typeof value === "number";
/** @param {unknown} value */
const isText = (value) => typeof value === "string";
const isAny = () => true;

/** @param {string} text */
const length = (text) => [...text].length;

/** @type {Record<string, Rule>} */
const RULES = {
  type(stated, value, at) {
    const types = [stated].flat();
    if (!types.some((type) => hasType(type, value))) differs(at, `not of the type ${types.join(" or ")}`);
  },
  const: ruleOf(
    (stated, value) => JSON.stringify(stated) === JSON.stringify(value),
    isAny,
    "not the constant",
  ),
  enum: ruleOf(
    (stated, value) =>
      stated.some((/** @type {unknown} */ one) => JSON.stringify(one) === JSON.stringify(value)),
    isAny,
    "none of",
  ),
  minimum: ruleOf((stated, value) => value >= stated, isNumber, "less than"),
  maximum: ruleOf((stated, value) => value <= stated, isNumber, "more than"),
  exclusiveMinimum: ruleOf((stated, value) => value > stated, isNumber, "not more than"),
  exclusiveMaximum: ruleOf((stated, value) => value < stated, isNumber, "not less than"),
  multipleOf: ruleOf((stated, value) => Number.isInteger(value / stated), isNumber, "no multiple of"),
  minLength: ruleOf((stated, value) => length(value) >= stated, isText, "shorter than"),
  maxLength: ruleOf((stated, value) => length(value) <= stated, isText, "longer than"),
  pattern: ruleOf((stated, value) => new RegExp(stated, "u").test(value), isText, "does not match"),
  minItems: ruleOf((stated, value) => value.length >= stated, Array.isArray, "fewer items than"),
  maxItems: ruleOf((stated, value) => value.length <= stated, Array.isArray, "more items than"),
  required(stated, value, at) {
    if (!isObject(value)) return;
    for (const name of stated) if (!Object.hasOwn(value, name)) differs(at, `without ${name}`);
  },
  properties(stated, value, at) {
    if (!isObject(value)) return;
    for (const [name, schema] of Object.entries(stated)) {
      if (Object.hasOwn(value, name)) compare(schema, value[name], { ...at, path: `${at.path}/${name}` });
    }
  },
  additionalProperties(stated, value, at) {
    if (!isObject(value)) return;
    const known = at.schema["properties"] ?? {};
    for (const [name, member] of Object.entries(value)) {
      if (!Object.hasOwn(known, name)) compare(stated, member, { ...at, path: `${at.path}/${name}` });
    }
  },
  propertyNames(stated, value, at) {
    if (!isObject(value)) return;
    for (const name of Object.keys(value))
      compare(stated, name, { ...at, path: `${at.path}/${name} (its name)` });
  },
  prefixItems(stated, value, at) {
    if (!Array.isArray(value)) return;
    for (const [index, schema] of stated.slice(0, value.length).entries()) {
      compare(schema, value[index], { ...at, path: `${at.path}/${index}` });
    }
  },
  items(stated, value, at) {
    if (!Array.isArray(value)) return;
    const first = at.schema["prefixItems"]?.length ?? 0;
    for (const [index, item] of value.entries()) {
      if (index >= first) compare(stated, item, { ...at, path: `${at.path}/${index}` });
    }
  },
  anyOf(stated, value, at) {
    const isFitting = stated.some((/** @type {Schema} */ one) => fits(one, value, at));
    if (!isFitting) differs(at, `none of ${stated.length} schemas: ${nearest(stated, value, at)}`);
  },
  oneOf(stated, value, at) {
    const fitting = stated.filter((/** @type {Schema} */ one) => fits(one, value, at));
    if (fitting.length !== 1) differs(at, `${fitting.length} of ${stated.length} schemas, not one`);
  },
  allOf(stated, value, at) {
    for (const schema of stated) compare(schema, value, at);
  },
  not(stated, value, at) {
    if (fits(stated, value, at)) differs(at, "what it must not be");
  },
  $ref(stated, value, at) {
    compare(pointedAt(at.check.root, stated), value, at);
  },
};

/**
 * What the schemas say that has the fewest differences. @param {Schema[]} schemas @param {unknown} value @param
 * {Place} at
 */
function nearest(schemas, value, { check }) {
  const all = schemas.map((schema) => differences(schema, value, check.root));
  return all.toSorted((a, b) => a.length - b.length)[0]?.join("; ");
}

/** The place that a `#/...` reference points at. @param {unknown} root @param {string} reference @returns {any} */
export function pointedAt(root, reference) {
  const names = reference.replace(/^#\//, "").split("/");
  /** @type {unknown} */
  let value = root;
  for (const name of names) {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(value) || !Object.hasOwn(value, key)) throw new Error(`${reference} points at nothing`);
    value = value[key];
  }
  return value;
}
