import { ALL } from "../../../search/query/query.ts";
import { SolrRequestError } from "../../../search/solr/parameters.ts";
import { SCHEMA } from "../../../search/solr/schema.ts";
import { checkFacet, parseNamedList, parseWholeNumber } from "../../../search/solr/select-request.ts";
import type { Reply } from "../../http/reply.ts";
import { type EngineCall, responseHeader, writeAnswer } from "./call.ts";
import { countSelectFacets, toNamedList } from "./select.ts";
import { failure } from "../../http/failure.ts";

export const TERMS_PARAMETERS = "terms terms.fl terms.prefix terms.limit terms.mincount terms.sort".split(
  " ",
);
const TERMS_LIMIT = 10;

export async function countTerms(call: EngineCall): Promise<Reply> {
  const { parameters, engine } = call;
  const fields = [...new Set(parameters.getAll("terms.fl"))];
  if (fields.length === 0) throw new SolrRequestError("bad_request.solr_missing", { name: "terms.fl" });
  const number = (name: string) => parseWholeNumber(parameters.get(name) ?? undefined, name);
  const limit = parameters.get("terms.limit") === "-1" ? -1 : (number("terms.limit") ?? TERMS_LIMIT);
  const facets = fields.map((field) => {
    checkFacet("terms.fl", field);
    return {
      field,
      limit,
      sort: parameters.get("terms.sort") === "index" ? ("index" as const) : ("count" as const),
      offset: 0,
      mincount: number("terms.mincount") ?? 1,
      prefix: parameters.get("terms.prefix") ?? "",
    };
  });
  const everything = { query: ALL, filters: [], sort: [], start: 0, rows: 0 };
  const valuesOf = await countSelectFacets(facets, everything, engine);
  const form =
    parameters.get("wt") === "xml" ? "map" : parseNamedList(parameters.get("json.nl") ?? undefined);
  const lists = fields.map((field) => [field, toNamedList(valuesOf(field), form)]);
  return writeAnswer(call, { responseHeader: responseHeader(call), terms: Object.fromEntries(lists) });
}

export async function getSchema(call: EngineCall): Promise<Reply> {
  return writeAnswer(call, { responseHeader: responseHeader(call), schema: SCHEMA });
}

/** `/schema/fields` and its like: one part of the schema. */
export async function getSchemaPart(call: EngineCall): Promise<Reply> {
  const { pathname } = new URL(call.context.request.url);
  const part = /\/schema\/(\w+)/.exec(pathname)?.[1]?.toLowerCase();
  const [name, value] = Object.entries(SCHEMA).find(([member]) => member.toLowerCase() === part) ?? [];
  if (name === undefined) throw failure("not_found.solr_handler", { path: pathname }, { code: "refused" });
  return writeAnswer(call, { responseHeader: responseHeader(call), [name]: value });
}

export async function getCores(call: EngineCall): Promise<Reply> {
  const { parameters, engine } = call;
  const action = parameters.get("action") ?? "STATUS";
  if (action.toUpperCase() !== "STATUS")
    throw new SolrRequestError("bad_request.solr_value", { name: "action", value: action });
  const { documents } = await engine.health();
  const numDocs = Object.values(documents).reduce((sum, count) => sum + count, 0);
  const name = parameters.get("core") ?? "openlibrary";
  const index = { numDocs, maxDoc: numDocs, deletedDocs: 0, current: true };
  return writeAnswer(call, {
    responseHeader: responseHeader(call),
    initFailures: {},
    status: { [name]: { name, isDefaultCore: true, index } },
  });
}
