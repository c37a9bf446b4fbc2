import type { WriteFailure } from "../../catalog/write/failure.ts";
import { CarrelError } from "../errors.ts";

/** One thing that is wrong with a form, as far as people and pages care. */
export type FormFailure = Pick<WriteFailure, "message" | "at">;

/** Why a form could not be saved: undefined for errors that are about something else. */
export function formFailures(error: unknown): readonly FormFailure[] | undefined {
  if (!(error instanceof CarrelError) || error.body === null || !("error" in error.body)) return undefined;
  const { errors } = error.body;
  // `writeError` makes this body out of failures.
  return (Array.isArray(errors) ? errors : [error.body]) as readonly FormFailure[];
}
