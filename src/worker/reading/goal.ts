import { validationFailed } from "../http/errors.ts";

/** The last year that a goal can be for. */
export const GOAL_YEAR_MAX = 9999;
/** Most books that somebody can want to read in a year. */
export const GOAL_MAX = 10_000;

/** What a form asks for (patrons.md 7). */
export interface GoalForm {
  readonly goal: number;
  readonly year?: number | undefined;
  /** Given with any value, an empty one too: the goal of a year is changed, or removed with 0. */
  readonly is_update?: string | undefined;
}

/** What is to be done: a target of 0 removes the goal. Throws a 422 about the whole form. */
export function wantedGoal(form: GoalForm, now: number): { readonly year: number; readonly target: number } {
  const { goal, year, is_update: update } = form;
  if (update === undefined && goal === 0) throw refused(form, "Reading goal must be a positive integer");
  if (update !== undefined && year === undefined)
    throw refused(form, "Year required to update reading goals");
  return { year: year ?? new Date(now).getUTCFullYear(), target: goal };
}

function refused(form: GoalForm, message: string) {
  const failure = { type: "value_error", loc: ["body"], msg: `Value error, ${message}`, input: form };
  return validationFailed([{ ...failure, ctx: { error: {} } }]);
}
