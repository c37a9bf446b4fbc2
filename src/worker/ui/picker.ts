import { type InputField, field } from "./form.ts";
import { type Markup, type Piece, markup } from "./markup.ts";
import { t } from "./words.ts";

export interface Pickable {
  readonly key: string;
  readonly name: string;
  /** Distinction from others of the same name: years of a life, a number of works. */
  readonly note?: Piece;
}

interface Picker {
  /** Name of the field with the key; the typed text is sent as `<name>_text`. */
  name: string;
  label: Piece;
  /** Path of the JSON search that takes `?q=`, such as `/authors/_autocomplete`. */
  source: string;
  picked?: Pickable | undefined;
  /** Typed text, if nothing is picked yet. */
  typed?: string;
  /** Results to pick from without a script, after the button `find` has sent the form. */
  matches?: readonly Pickable[] | undefined;
  /** Value and text of a choice besides the results: a new record of that name. */
  other?: readonly [value: string, text: Piece];
  hint?: Piece;
  error?: Piece;
  without?: readonly string[];
  /** Label of the number of editions or works, which the script shows with the key to distinguish equal names. */
  counted?: Piece;
}

/**
 * Makes a field for a name that becomes a key. With the script it is a combobox; without it a button sends the form with
 * `find=<name>`, and the page shows the results to pick from.
 */
export function picker(spec: Picker): Markup {
  const {
    name,
    label,
    source,
    picked,
    typed = picked?.name ?? "",
    matches,
    hint,
    error,
    without = [],
    counted,
  } = spec;
  const notes = [
    hint !== undefined && markup`<p class="hint" id="${name}-hint">${hint}</p>`,
    error !== undefined && markup`<p class="error" id="${name}-error">${error}</p>`,
  ];
  const described = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`]
    .filter((id) => id !== false)
    .join(" ");
  const state = [
    described !== "" && markup` aria-describedby="${described}"`,
    error !== undefined && markup` aria-invalid="true"`,
  ];
  return markup`<div class="picker" data-picker="${source}"${without.length > 0 && markup` data-without="${without.join(" ")}"`}${counted !== undefined && markup` data-counted="${counted}"`}><label for="${name}">${label}</label>${notes}
<div class="line"><input id="${name}" name="${name}_text" value="${typed}" autocomplete="off"${state}> <button name="find" value="${name}" formnovalidate>${t("picker.find")}<span class="unseen"> ${label}</span></button></div>
${matches === undefined ? markup`<input type="hidden" name="${name}" value="${picked?.key ?? ""}">` : pickerChoices(spec, matches)}
<input type="hidden" name="${name}_found" value="${matches === undefined ? picked?.name : typed}"></div>`;
}

function pickerChoices({ name, label, picked, other }: Picker, results: readonly Pickable[]): Markup {
  const choices = results.map(({ key, name: text, note }): readonly [string, Piece] => [
    key,
    markup`<bdi>${text}</bdi>${note !== undefined && markup` <span class="soft">${note}</span>`}`,
  ]);
  const items = [...choices, ...(other === undefined ? [] : [other])].map(
    ([key, text], at) =>
      markup`<li class="check"><input type="radio" id="${name}-${at}" name="${name}" value="${key}"${key === picked?.key && markup` checked`}>
<label for="${name}-${at}">${text}</label></li>`,
  );
  return markup`${results.length === 0 && markup`<p role="status">${t("picker.nothing")}</p>`}${
    items.length > 0 && markup`<fieldset><legend>${label}</legend><ul>${items}</ul></fieldset>`
  }`;
}

/** Text of several names, to which found ones are added. */
interface Terms {
  /** Text with all names. The typed text is sent as `<name>_text`, picked names as `<name>_more--0` and so on. */
  field: InputField;
  source: string;
  between: string;
  /** Name of the added records, if they are added by key. */
  keysOf?: Piece;
  typed?: string | undefined;
  matches?: readonly Pickable[] | undefined;
}

/** Makes a text of names, with a field below that finds one more: a combobox with the script, else a button. */
export function terms({ field: text, source, between, keysOf, typed = "", matches }: Terms): Markup {
  const { name, label } = text;
  const addLabel = t("edit.add_to", { what: keysOf ?? label });
  return markup`<div class="terms" data-terms="${source}" data-between="${between}"${keysOf !== undefined && markup` data-keys`}>${field({ ...text, type: "textarea" })}
<div class="line"><label class="unseen" for="${name}_text">${addLabel}</label><input id="${name}_text" name="${name}_text" value="${typed}" placeholder="${addLabel}" autocomplete="off"> <button name="find" value="${name}" formnovalidate>${t("picker.find")}<span class="unseen"> ${label}</span></button></div>
${matches !== undefined && termChoices(name, label, matches)}</div>`;
}

function termChoices(name: string, label: Piece, results: readonly Pickable[]): Markup {
  if (results.length === 0) return markup`<p role="status">${t("picker.nothing")}</p>`;
  const items = results.map(({ key, name: text, note = "" }, at) => {
    const id = `${name}_more--${at}`;
    return markup`<li class="check"><input type="checkbox" id="${id}" name="${id}" value="${key}">
<label for="${id}"><bdi>${text}</bdi>${note !== "" && markup` <span class="soft">${note}</span>`}</label></li>`;
  });
  return markup`<fieldset><legend>${label}</legend><ul>${items}</ul></fieldset>`;
}
