import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { wantsHtml } from "../http/accept.ts";
import { CarrelError } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";

/** One thing that is wrong with a form, as far as people and pages care. */
export type FormFailure = Pick<WriteFailure, "message" | "at">;

/** Why a form could not be saved: undefined for errors that are about something else. */
function formFailures(error: unknown): readonly FormFailure[] | undefined {
  if (!(error instanceof CarrelError) || error.body === null || !("error" in error.body)) return undefined;
  const { errors } = error.body;
  // `writeError` makes this body out of failures.
  return (Array.isArray(errors) ? errors : [error.body]) as readonly FormFailure[];
}

interface FormAnswers {
  save(): Promise<Reply>;
  /** The form again, with what is wrong with it. */
  page(failures: readonly FormFailure[]): Promise<Reply>;
}

/** Saves a form; people whose form is refused get it again with all failures, programs get those as JSON. */
export async function answeredForm(context: RequestContext, { save, page }: FormAnswers): Promise<Reply> {
  try {
    return await save();
  } catch (error) {
    const failures = wantsHtml(context.request) ? formFailures(error) : undefined;
    if (failures === undefined || !(error instanceof CarrelError)) throw error;
    return { ...(await page(failures)), status: error.status === 404 ? 400 : error.status };
  }
}
