import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import { type QueryDictionary, readQueryDictionary } from "../../search/query/work-parameters.ts";
import { type CarrelError, type ValidationFailure, validationFailed } from "../errors.ts";
import { VALUE_ERROR } from "./parameters.ts";

/** Longest JSON text that is read, in characters. */
const QUERY_JSON_LENGTH_MAX = 65_536;
const LOC = ["query", "query"];

/** Reads the JSON of `query=` (search.md 2.2); throws 422 when it is no JSON object. */
export function queryDictionary(json: string): QueryDictionary {
  return readQueryDictionary(objectOf(json));
}

function objectOf(json: string): CatalogRecord {
  if (json.length > QUERY_JSON_LENGTH_MAX) {
    const msg = `String should have at most ${QUERY_JSON_LENGTH_MAX} characters`;
    throw failed({ type: "string_too_long", msg, ctx: { max_length: QUERY_JSON_LENGTH_MAX } }, json.length);
  }
  const value = parsed(json);
  if (isObject(value)) return value;
  throw failed({ type: "dict_type", msg: "Input should be a valid dictionary" }, value);
}

function parsed(json: string): Json {
  try {
    // What JSON.parse makes is JSON.
    return JSON.parse(json) as Json;
  } catch (error) {
    const message = error instanceof Error ? error.message : "not JSON";
    throw failed({ ...VALUE_ERROR, msg: `Value error, Invalid JSON in 'query' parameter: ${message}` }, json);
  }
}

type Failure = Pick<ValidationFailure, "type" | "msg" | "ctx">;

function failed({ type, msg, ctx }: Failure, input: unknown): CarrelError {
  return validationFailed([{ type, loc: LOC, msg, input, ...(ctx === undefined ? {} : { ctx }) }]);
}
