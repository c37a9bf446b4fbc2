/** Descriptions of the services beside the main site, in the form in which the main site describes itself. */

/**
 * One call: `{name}` in the path takes a segment, `{name*}` whatever follows.
 * @typedef {object} Call
 * @property {string} id
 * @property {"GET" | "POST" | "PUT" | "DELETE"} method
 * @property {string} path
 * @property {Record<string, Schema>} [query]
 * @property {Record<string, Schema>} [form] a body of a form
 * @property {readonly string[]} [bodies] media types of other bodies
 * @property {Schema} answer schema of a 200
 * @property {readonly number[]} errors statuses besides 200
 */
/** @typedef {Record<string, any>} Schema */

const FORM = "application/x-www-form-urlencoded";
/** Statuses that have no body. */
const EMPTY = new Set([412]);
/** What every call answers to what a page makes a browser send, and to a host of another name. */
const NO_SERVICE = [403, 421];

/**
 * An OpenAPI document of calls; all their errors look alike.
 * @param {readonly Call[]} calls
 * @param {Schema} error
 */
export function documentOf(calls, error) {
  /** @type {Record<string, Record<string, unknown>>} */
  const paths = {};
  for (const call of calls) {
    const path = call.path.replaceAll("*}", "}");
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call, error) };
  }
  return { paths };
}

/** @param {Call} call @param {Schema} error */
function operationOf({ id, path, query = {}, form, bodies = [], answer, errors }, error) {
  const names = [...path.matchAll(/\{(\w+)(\*?)\}/g)];
  const inPath = names.map(([, name, star]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    "x-takes-slashes": star === "*",
  }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({
    name,
    in: "query",
    required: schema["required"] === true,
    schema,
  }));
  const fields = form === undefined ? {} : { [FORM]: { schema: formSchema(form) } };
  const others = Object.fromEntries(bodies.map((type) => [type, { schema: { type: "string" } }]));
  return {
    operationId: id,
    parameters: [...inPath, ...inQuery],
    ...(form === undefined && bodies.length === 0
      ? {}
      : { requestBody: { content: { ...fields, ...others } } }),
    responses: Object.fromEntries([
      [200, json(answer)],
      ...[...errors, ...NO_SERVICE].map((status) => [status, EMPTY.has(status) ? {} : json(error)]),
    ]),
  };
}

/** @param {Record<string, Schema>} form */
function formSchema(form) {
  const required = Object.keys(form).filter((name) => form[name]?.["required"] === true);
  return { type: "object", properties: form, required };
}

/** @param {Schema} schema */
function json(schema) {
  return { content: { "application/json": { schema } } };
}
