import type { CatalogRecord } from "../../catalog/record.ts";
import type { Failure } from "../http/failure.ts";
import { encodeSlug, recordSlugOf } from "../../catalog/slug.ts";
import { toReadView } from "../../catalog/document.ts";
import { failureText } from "./failure-text.ts";
import { type Markup, type Piece, markup } from "./markup.ts";
import { reason, t } from "./words.ts";

type Options = readonly (readonly [value: string, text: Piece, lang?: string])[];

/** Field of a form. Its `id` is its name unless stated; screen readers read `error` and `hint` with it. */
export interface InputField {
  readonly name: string;
  readonly id?: string;
  readonly label: Piece;
  readonly type?:
    | "text"
    | "email"
    | "password"
    | "url"
    | "number"
    | "date"
    | "textarea"
    | "checkbox"
    | "hidden";
  readonly value?: string | undefined;
  readonly checked?: boolean;
  /** Values to choose from, with their texts. */
  readonly options?: Options;
  readonly hint?: Piece;
  readonly error?: Piece;
  readonly required?: boolean;
  /** Autofill detail token of HTML, for example `username` or `current-password`. */
  readonly autocomplete?: string;
  readonly maxlength?: number;
}

export function field(spec: InputField): Markup {
  const { name, id = name, label, type = "text", value = "", options, hint, error } = spec;
  if (type === "hidden") return markup`<input type="hidden" name="${name}" value="${value}">`;
  const notes = [
    hint !== undefined && markup`<p class="hint" id="${id}-hint">${hint}</p>`,
    error !== undefined && markup`<p class="error" id="${id}-error">${error}</p>`,
  ];
  const attributes = attributesOf(spec);
  if (type === "checkbox") {
    const ticked = spec.checked === true && markup` checked`;
    return markup`<div class="check"><input type="checkbox" value="${value === "" ? "true" : value}"${attributes}${ticked}>
<label for="${id}">${label}</label>${notes}</div>`;
  }
  const input =
    options !== undefined
      ? markup`<select${attributes}>${optionItems(options, value)}</select>`
      : type === "textarea"
        ? markup`<textarea rows="5"${attributes}>
${value}</textarea>`
        : markup`<input type="${type}" value="${value}"${attributes}>`;
  return markup`<div><label for="${id}">${label}</label>${notes}${input}</div>`;
}

function attributesOf({
  name,
  id = name,
  hint,
  error,
  required,
  autocomplete,
  maxlength,
}: InputField): Markup {
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter((note) => note !== false)
    .join(" ");
  return markup` id="${id}" name="${name}"${[
    described !== "" && markup` aria-describedby="${described}"`,
    error !== undefined && markup` aria-invalid="true"`,
    required === true && markup` required`,
    autocomplete !== undefined && markup` autocomplete="${autocomplete}"`,
    maxlength !== undefined && markup` maxlength="${maxlength}"`,
  ]}`;
}

interface Form {
  action: string;
  method?: "get" | "post";
  fields: readonly InputField[];
  submit: Piece;
  /** Refusal of what was typed: its reasons stand at their fields, or its text above the form. */
  refusal?: Failure | undefined;
  /** True for an action that cannot be undone: changes the colour of the button. */
  isDangerous?: boolean;
  before?: Piece;
  more?: Piece;
}

export function form(spec: Form): Markup {
  const { action, method = "post", submit, refusal, before, more, isDangerous = false } = spec;
  const reasons = new Map(refusal?.reasons.toReversed().map(({ field: name, text }) => [name, reason(text)]));
  const fields = spec.fields.map((input) => ({ ...input, error: reasons.get(input.name) ?? input.error }));
  const failed: { name?: string; message: Piece }[] = fields.flatMap(({ name, error }) =>
    error === undefined ? [] : [{ name, message: error }],
  );
  const names = new Set(spec.fields.map(({ name }) => name));
  const others = [...reasons].filter(([name]) => !names.has(name)).map(([, message]) => ({ message }));
  failed.unshift(...others);
  if (refusal !== undefined && reasons.size === 0) failed.unshift({ message: failureText(refusal) });
  return markup`${errorSummary(failed)}<form method="${method}" action="${action}">
${before}${fields.map(field)}${more}
<p><button type="submit"${isDangerous && markup` class="danger"`}>${submit}</button></p>
</form>`;
}

export function postForm(action: string, here: string, content: Piece): Markup {
  return markup`<form method="post" action="${action}">
<input type="hidden" name="redir_url" value="${here}">${content}</form>`;
}

/** Makes a summary of errors, which screen readers read out at once; undefined if there are none. `name` is the field. */
export function errorSummary(
  errors: readonly { readonly name?: string; readonly message: Piece }[],
): Markup | undefined {
  if (errors.length === 0) return undefined;
  const items = errors.map(({ name, message }) =>
    name === undefined ? markup`<li>${message}</li>` : markup`<li><a href="#${name}">${message}</a></li>`,
  );
  return markup`<div class="summary" role="alert"><h2>${t("form.problem")}</h2><ul>${items}</ul></div>`;
}

export function select(spec: {
  readonly name: string;
  readonly id?: string;
  readonly label: Piece;
  readonly options: Options;
  readonly chosen: string;
}): Markup {
  const { name, id = name, label, options, chosen } = spec;
  return markup`<label for="${id}">${label}</label><select id="${id}" name="${name}">${optionItems(options, chosen)}</select>`;
}

function optionItems(options: Options, chosen: string): Markup[] {
  return options.map(
    ([value, text, lang]) =>
      markup`<option value="${value}"${value === chosen && markup` selected`}${lang !== undefined && markup` lang="${lang}"`}>${text}</option>`,
  );
}

/** Returns the path of the page of a record: `/books/OL1M/Some_Title`, with `rest` after it, such as `/edit`. */
export function recordPagePath(key: string, record: CatalogRecord, rest = ""): string {
  const slug = recordSlugOf(toReadView(record)) ?? "";
  if (slug !== "") return `${key}/${encodeSlug(slug)}${rest}`;
  return rest === "" ? key : `${key}/-${rest}`;
}
