import { type Field, field } from "./form.ts";
import { type Markup, type Piece, markup } from "./markup.ts";
import type { Pickable } from "./picker.ts";
import { say } from "./words.ts";

/** Names in one text, to which others are added by looking for them. */
interface Terms {
  /** The text with all names. What is looked for is sent as `<name>_text`, what is picked as `<name>_more--0` and so on. */
  readonly field: Field;
  /** What finds by `?q=`, as JSON. */
  readonly source: string;
  /** What stands between two names. */
  readonly between: string;
  /** What is added, where that is not what the field is called: by its key. */
  readonly keysOf?: Piece;
  readonly typed?: string | undefined;
  /** What was found for it, to pick from without a script. */
  readonly found?: readonly Pickable[] | undefined;
}

/** A text of names, and below it a field that finds one more: with the script a combobox, without it by its button. */
export function terms({ field: all, source, between, keysOf, typed = "", found }: Terms): Markup {
  const { name, label } = all;
  const adds = say("edit.add_to", { what: keysOf ?? label });
  return markup`<div class="terms" data-terms="${source}" data-between="${between}"${keysOf !== undefined && markup` data-keys`}>${field({ ...all, type: "textarea" })}
<div class="line"><label class="unseen" for="${name}_text">${adds}</label><input id="${name}_text" name="${name}_text" value="${typed}" placeholder="${adds}" autocomplete="off"> <button name="find" value="${name}" formnovalidate>${say("picker.find")}<span class="unseen"> ${label}</span></button></div>
${found !== undefined && choices(name, label, found)}</div>`;
}

function choices(name: string, label: Piece, found: readonly Pickable[]): Markup {
  if (found.length === 0) return markup`<p role="status">${say("picker.nothing")}</p>`;
  const items = found.map(({ key, name: text, note = "" }, at) => {
    const id = `${name}_more--${at}`;
    return markup`<li class="check"><input type="checkbox" id="${id}" name="${id}" value="${key}">
<label for="${id}"><bdi>${text}</bdi>${note !== "" && markup` <span class="soft">${note}</span>`}</label></li>`;
  });
  return markup`<fieldset><legend>${label}</legend><ul>${items}</ul></fieldset>`;
}
