import { type CarrelError, validationFailed } from "../errors.ts";
import { VALUE_ERROR } from "./parameters.ts";

/** Characters of a refused query that the answer repeats. */
const INPUT_LENGTH = 200;

/** 422 of a query that is too complex, or that would look at too much (search.md 2.8). */
export function queryRefused(text: string, message: string): CarrelError {
  const failure = { ...VALUE_ERROR, loc: ["query", "q"], msg: `Value error, ${message}` };
  return validationFailed([{ ...failure, input: text.slice(0, INPUT_LENGTH) }]);
}
