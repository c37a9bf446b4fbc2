import { type Markup, type Piece, markup } from "./markup.ts";
import { say } from "./words.ts";

/** Something that can be picked: its key, and what it is called. */
export interface Pickable {
  readonly key: string;
  readonly name: string;
  /** What tells it from others of the name: years of a life, a number of works. */
  readonly note?: Piece;
}

/** A field whose value is a record, which is looked for by its name. */
interface Picker {
  /** Of the field that holds the key; what is typed is sent as `<name>_text`. */
  readonly name: string;
  readonly label: Piece;
  /** What finds by `?q=`, as JSON: `/authors/_autocomplete`. */
  readonly source: string;
  readonly picked?: Pickable | undefined;
  /** What was typed when nothing was picked yet. */
  readonly typed?: string;
  /** What was found for it, to pick from without a script: the form was sent by the button `find`. */
  readonly found?: readonly Pickable[] | undefined;
  /** Value and text of a choice besides what was found: something new by the name. */
  readonly other?: readonly [value: string, text: Piece];
  readonly hint?: Piece;
  readonly error?: Piece;
  /** Keys that are not offered. */
  readonly without?: readonly string[];
  /** Label of the number of editions or works: the script shows it and the key, to tell twins apart. */
  readonly counted?: Piece;
}

/**
 * A field for a name that becomes a key. With the script it is a combobox; without it the button beside it sends the
 * form with `find=<name>`, and what was found stands below to pick from.
 */
export function picker(what: Picker): Markup {
  const {
    name,
    label,
    source,
    picked,
    typed = picked?.name ?? "",
    found,
    hint,
    error,
    without = [],
    counted,
  } = what;
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
<div class="line"><input id="${name}" name="${name}_text" value="${typed}" autocomplete="off"${state}> <button name="find" value="${name}" formnovalidate>${say("picker.find")}<span class="unseen"> ${label}</span></button></div>
${found === undefined ? markup`<input type="hidden" name="${name}" value="${picked?.key ?? ""}">` : choices(what, found)}
<input type="hidden" name="${name}_found" value="${found === undefined ? picked?.name : typed}"></div>`;
}

function choices({ name, label, picked, other }: Picker, found: readonly Pickable[]): Markup {
  const all = found.map(({ key, name: text, note }): readonly [string, Piece] => [
    key,
    markup`<bdi>${text}</bdi>${note !== undefined && markup` <span class="soft">${note}</span>`}`,
  ]);
  const items = [...all, ...(other === undefined ? [] : [other])].map(
    ([key, text], at) =>
      markup`<li class="check"><input type="radio" id="${name}-${at}" name="${name}" value="${key}"${key === picked?.key && markup` checked`}>
<label for="${name}-${at}">${text}</label></li>`,
  );
  return markup`${found.length === 0 && markup`<p role="status">${say("picker.nothing")}</p>`}${
    items.length > 0 && markup`<fieldset><legend>${label}</legend><ul>${items}</ul></fieldset>`
  }`;
}
