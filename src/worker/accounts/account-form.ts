import * as z from "zod";
import { EMAIL_LENGTH_MAX } from "../../catalog/accounts.ts";
import type { Text, TextKey } from "../../catalog/texts.ts";
import { validationFailed } from "../http/errors.ts";
import type { Failure, FailureKey } from "../http/failure.ts";
import { invalid } from "../http/input-failures.ts";
import type { Reply } from "../http/reply.ts";
import { type InputField, form } from "../ui/form.ts";
import { type Piece, markup } from "../ui/markup.ts";
import { paragraph } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import { accountPage } from "../ui/action-answer.ts";
import { PASSWORD_LENGTH } from "./password-hash.ts";

export const ACCOUNT_BODY_BYTES = 16_384;

export const PAGE = { 200: { description: "Page", contentType: "text/html" } };

/** Answer of an action about an account that returns no data. */
export const STATUS_OK = z.object({ status: z.literal("ok") });

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

/** Throws a 422 with all problems, if there are any. */
export function refuseProblems(problems: readonly (Problem | undefined)[]): void {
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw toValidationError(found);
}

interface FormPage {
  title: Piece;
  action: string;
  submit: Piece;
  fields: readonly InputField[];
  /** Refusal of what was typed: its reasons stand at their fields, or its text above the form. */
  refusal?: Failure | undefined;
  /** Paragraphs before and after the form. */
  before?: readonly Piece[];
  after?: readonly Piece[];
}

export function formPage({ title, before = [], after = [], ...parts }: FormPage): Reply {
  const body = markup`${before.map(paragraph)}${form(parts)}${after.map(paragraph)}`;
  return accountPage({ title, body });
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
