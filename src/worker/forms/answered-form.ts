import type { RequestContext } from "../context.ts";
import { CarrelError } from "../errors.ts";
import type { Reply } from "../reply.ts";
import { wantsHtml } from "../wants-html.ts";
import { type FormFailure, formFailures } from "./refused-form.ts";

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
