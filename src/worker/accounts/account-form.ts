import { EMAIL_LENGTH_MAX } from "../../catalog/accounts.ts";
import type { Text, TextKey } from "../../catalog/texts.ts";
import { wantsHtml } from "../http/accept.ts";
import { validationFailed } from "../http/errors.ts";
import type { Failure, FailureKey } from "../http/failure.ts";
import { invalid } from "../http/input-failures.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { type InputField, form } from "../ui/form.ts";
import { type Piece, markup } from "../ui/markup.ts";
import { reason, t } from "../ui/words.ts";
import { type Message, accountPage, messagePage } from "../ui/action-answer.ts";
import { PASSWORD_LENGTH } from "./password-hash.ts";

export const ACCOUNT_BODY_BYTES = 16_384;

/** Code of the problem of an empty field. */
const MISSING = "missing_fields";

export interface Problem<Key extends TextKey = TextKey> {
  readonly field: string;
  readonly code: string;
  readonly text: Text<Key>;
}

export const TO_ACCOUNT = { href: "/account", text: t("accounts.yours") };

export const BAD_LINK = { title: t("accounts.bad_link"), text: t("accounts.bad_link_why"), status: 404 };

export function missingField(field: string): Problem<FailureKey> {
  return { field, code: MISSING, text: { key: "bad_data.missing_field" } };
}

/** Builds a 422 with all problems. It does not repeat the values that were sent: one may be a password. */
export function toValidationError(problems: readonly Problem[]): Failure {
  return validationFailed(
    problems.map(({ field, code, text }) =>
      code === MISSING
        ? invalid(["body", field], { key: "validation.missing" }, { type: "missing" })
        : invalid(["body", field], text, { ctx: { error: code } }),
    ),
  );
}

interface FormOutcome {
  problems: readonly Problem[];
  again: () => Reply;
  json: unknown;
  message: Message;
}

/** Answers a form with a page for people, JSON for programs. Throws 422 for a program's form with problems. */
export function answerForm(
  context: RequestContext,
  { problems, again, json, message }: FormOutcome,
  isPerson = wantsHtml(context.request),
): Reply {
  if (problems.length === 0) return isPerson ? messagePage(message) : privateJson(json);
  if (isPerson) return again();
  throw toValidationError(problems);
}

interface FormPage {
  title: Piece;
  action: string;
  submit: Piece;
  fields: readonly InputField[];
  problems?: readonly Problem[];
  /** HTTP status of a form with problems; 422 by default. */
  refused?: number;
  before?: Piece;
  after?: Piece;
}

export function formPage({ title, problems = [], refused = 422, before, after, ...parts }: FormPage): Reply {
  const errors = new Map(problems.toReversed().map((problem) => [problem.field, reason(problem.text)]));
  const fields = parts.fields.map((field) => ({ ...field, error: errors.get(field.name) }));
  return accountPage({
    title,
    body: markup`${before}${form({ ...parts, fields })}${after}`,
    status: problems.length === 0 ? 200 : refused,
  });
}

export function emailField(options: Pick<InputField, "label" | "value" | "hint">): InputField {
  return {
    ...options,
    name: "email",
    type: "email",
    required: true,
    autocomplete: "email",
    maxlength: EMAIL_LENGTH_MAX,
  };
}

export function passwordField(label: Piece = t("accounts.password")): InputField {
  return { name: "password", label, type: "password", required: true, autocomplete: "current-password" };
}

export function newPasswordField(options: { name?: string; label?: Piece; hint?: Piece } = {}): InputField {
  const { name = "password", label = t("accounts.new_password"), hint } = options;
  const length = markup`${t("accounts.password_hint", { min: PASSWORD_LENGTH.min })} ${hint}`;
  return { name, label, type: "password", hint: length, required: true, autocomplete: "new-password" };
}
