import { type CarrelError, type ValidationFailure, validationFailed } from "../http/errors.ts";
import type { Reply } from "../http/reply.ts";
import { type Field, form } from "../ui/form.ts";
import { accountPage } from "./account-page.ts";
import { PASSWORD_LENGTH } from "./password-hash.ts";

/** What is wrong with a field of a form. */
export interface Problem {
  readonly field: string;
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
}

/** 422 with all problems. What was sent is not repeated: it may be a password. */
export function problemsFound(problems: readonly Problem[]): CarrelError {
  return validationFailed(problems.map(failureOf));
}

function failureOf({ field, code, message }: Problem): ValidationFailure {
  if (code === "missing_fields") return { type: "missing", loc: ["body", field], msg: "Field required" };
  return {
    type: "value_error",
    loc: ["body", field],
    msg: `Value error, ${message}`,
    ctx: { error: code },
  };
}

/** The message of a field's first problem, for the form to show. */
export function messageFor(problems: readonly Problem[], field: string): string | undefined {
  return problems.find((problem) => problem.field === field)?.message;
}

export const HINT = `At least ${PASSWORD_LENGTH.min} characters.`;

export function formPage(
  title: string,
  what: {
    readonly action: string;
    readonly submit: string;
    readonly fields: readonly Field[];
    readonly problems: readonly Problem[];
  },
): Reply {
  const { action, submit, problems } = what;
  const fields = what.fields.map((field) => ({ ...field, error: messageFor(problems, field.name) }));
  return accountPage({
    title,
    body: form({ action, submit, fields }),
    status: problems.length === 0 ? 200 : 422,
  });
}

/** Largest form or JSON body of the account routes, in bytes. */
export const ACCOUNT_BODY_BYTES = 16_384;
