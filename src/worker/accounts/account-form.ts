import { EMAIL_LENGTH_MAX, USERNAME_LENGTH } from "../../catalog/accounts.ts";
import { wantsHtml } from "../http/accept.ts";
import { type CarrelError, validationFailed } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { failureWords, translatedFailure } from "../ui/failure-words.ts";
import { type Field, form } from "../ui/form.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { type Message, accountPage, messagePage } from "./account-page.ts";
import { PASSWORD_LENGTH } from "./password-hash.ts";

/** Largest form or JSON body of the account routes, in bytes. */
export const ACCOUNT_BODY_BYTES = 16_384;

/** Problem with one field of a form. */
export interface Problem {
  readonly field: string;
  /** Stable code for programs. */
  readonly code: string;
  /** English message for people. */
  readonly message: string;
}

const LENGTHS = { password: PASSWORD_LENGTH, username: USERNAME_LENGTH };
/** Translated text of each problem code. */
const PROBLEM_WORDS: Readonly<Record<string, Markup>> = {
  missing_fields: say("accounts.missing"),
  account_bad_password: say("accounts.wrong_password"),
  bad_email: say("accounts.bad_email"),
  invalid_email: say("accounts.bad_email"),
  email_registered: say("accounts.email_taken"),
  bad_password: say("accounts.bad_password", LENGTHS.password),
  bad_username: say("accounts.bad_username", LENGTHS.username),
  bad_screenname: say("accounts.bad_username", LENGTHS.username),
  username_registered: say("accounts.username_taken"),
  unconfirmed: say("removal.unconfirmed"),
};

/** Returns the translated text of a problem: of its message, else of its code; else the English message. */
export function problemText({ code, message }: Problem): Markup {
  return translatedFailure(message) ?? PROBLEM_WORDS[code] ?? failureWords(message);
}

/** Builds a 422 with all problems. It does not repeat the values that were sent: one may be a password. */
export function problemsFound(problems: readonly Problem[]): CarrelError {
  const failures = problems.map(({ field, code, message }) => {
    const loc = ["body", field];
    if (code === "missing_fields") return { type: "missing", loc, msg: "Field required" };
    return { type: "value_error", loc, msg: `Value error, ${message}`, ctx: { error: code } };
  });
  return validationFailed(failures);
}

interface FormOutcome {
  readonly problems: readonly Problem[];
  /** Renders the form again for people, with the problems. */
  readonly again: () => Reply;
  /** Success, as JSON for programs and as a message for people. */
  readonly json: unknown;
  readonly message: Message;
}

/**
 * Builds the response to a form: a page for people, JSON for programs. Throws 422 for a program's form with problems.
 */
export function formAnswer(
  context: RequestContext,
  { problems, again, json, message }: FormOutcome,
  isPerson = wantsHtml(context.request),
): Reply {
  if (problems.length === 0) return isPerson ? messagePage(message) : privateJson(json);
  if (isPerson) return again();
  throw problemsFound(problems);
}

interface FormPage {
  readonly title: Piece;
  readonly action: string;
  readonly submit: Piece;
  readonly fields: readonly Field[];
  readonly problems?: readonly Problem[];
  /** HTTP status of a form with problems; 422 by default. */
  readonly refused?: number;
  /** Content above and below the form. */
  readonly before?: Piece;
  readonly after?: Piece;
}

/** Renders a form page, with the first problem of each field beside it. */
export function formPage({ title, action, submit, problems = [], refused = 422, ...what }: FormPage): Reply {
  const errors = new Map(problems.toReversed().map((problem) => [problem.field, problemText(problem)]));
  const fields = what.fields.map((field) => ({ ...field, error: errors.get(field.name) }));
  return accountPage({
    title,
    body: markup`${what.before}${form({ action, submit, fields })}${what.after}`,
    status: problems.length === 0 ? 200 : refused,
  });
}

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

export function passwordField(label: Piece = say("accounts.password")): Field {
  return { name: "password", label, type: "password", required: true, autocomplete: "current-password" };
}

export function newPasswordField({
  name = "password",
  label = say("accounts.new_password"),
  hint,
}: {
  readonly name?: string;
  readonly label?: Piece;
  readonly hint?: Piece;
}): Field {
  const length = markup`${say("accounts.password_hint", { min: PASSWORD_LENGTH.min })} ${hint}`;
  return { name, label, type: "password", hint: length, required: true, autocomplete: "new-password" };
}
