import { EMAIL_LENGTH_MAX } from "../../catalog/accounts.ts";
import { wantsHtml } from "../http/accept.ts";
import { type CarrelError, validationFailed } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { type Field, form } from "../ui/form.ts";
import { type Piece, markup } from "../ui/markup.ts";
import { type Message, accountPage, messagePage } from "./account-page.ts";
import { PASSWORD_LENGTH } from "./password-hash.ts";

/** Largest form or JSON body of the account routes, in bytes. */
export const ACCOUNT_BODY_BYTES = 16_384;

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
  const failures = problems.map(({ field, code, message }) => {
    const loc = ["body", field];
    if (code === "missing_fields") return { type: "missing", loc, msg: "Field required" };
    return { type: "value_error", loc, msg: `Value error, ${message}`, ctx: { error: code } };
  });
  return validationFailed(failures);
}

/** What came of a form. */
interface FormOutcome {
  readonly problems: readonly Problem[];
  /** The form again, for people, with the problems. */
  readonly again: () => Reply;
  /** That it was done: for programs, and for people. */
  readonly json: unknown;
  readonly message: Message;
}

/** The answer to a form: a page for people, JSON or a 422 for programs. */
export function formAnswer(
  context: RequestContext,
  { problems, again, json, message }: FormOutcome,
  isPerson = wantsHtml(context.request),
): Reply {
  if (problems.length === 0) return isPerson ? messagePage(message) : privateJson(json);
  if (isPerson) return again();
  throw problemsFound(problems);
}

/** A page with a form. */
interface FormPage {
  readonly title: string;
  readonly action: string;
  readonly submit: string;
  readonly fields: readonly Field[];
  readonly problems?: readonly Problem[];
  /** Status of a form with problems. */
  readonly refused?: number;
  /** What stands above the form and below it. */
  readonly before?: Piece;
  readonly after?: Piece;
}

/** A form, with the first problem of each field beside it. */
export function formPage({ title, action, submit, problems = [], refused = 422, ...what }: FormPage): Reply {
  const errors = new Map(problems.toReversed().map(({ field, message }) => [field, message]));
  const fields = what.fields.map((field) => ({ ...field, error: errors.get(field.name) }));
  return accountPage({
    title,
    body: markup`${what.before}${form({ action, submit, fields })}${what.after}`,
    status: problems.length === 0 ? 200 : refused,
  });
}

/** The field of an e-mail address. */
export function emailField(more: Pick<Field, "label" | "value" | "hint">): Field {
  return {
    ...more,
    name: "email",
    type: "email",
    required: true,
    autocomplete: "email",
    maxlength: EMAIL_LENGTH_MAX,
  };
}

/** The field of the password that somebody has. */
export function passwordField(label = "Password"): Field {
  return { name: "password", label, type: "password", required: true, autocomplete: "current-password" };
}

/** The field of a password that somebody thinks of. */
export function newPasswordField({ name = "password", label = "New password", hint = "" }): Field {
  const length = `At least ${PASSWORD_LENGTH.min} characters.${hint}`;
  return { name, label, type: "password", hint: length, required: true, autocomplete: "new-password" };
}
