import { LIST_DESCRIPTION_LENGTH, LIST_NAME_LENGTH } from "../../catalog/lists/seeds.ts";
import { type ListType, formatSeeds } from "../../catalog/lists/list-form.ts";
import type { HoldingList } from "../../db/lists/read-lists.ts";
import { type CatalogRecord, elementsOf, stringsOf, textOf } from "../../catalog/record.ts";
import { NAME_SOURCES } from "../editing/find-by-name.ts";
import { formFailureText } from "../editing/record-form-page.ts";
import type { FormFailure } from "../editing/submitted-form.ts";
import type { Reply } from "../http/reply.ts";
import { type InputField, errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Piece, addressOf, markup, shortText } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { type Pickable, terms } from "../ui/picker.ts";
import { t } from "../ui/words.ts";

export interface ListFormPage {
  readonly type: ListType;
  readonly title: Piece;
  /** Heading, if it differs from the title. */
  readonly heading?: Piece;
  readonly action: string;
  readonly back: { readonly href: string; readonly text: Piece };
  /** Base revision; undefined for a new record. */
  readonly revision: number | undefined;
  /** Values of the fields: stored members, or submitted fields if the form is shown again. */
  readonly values: CatalogRecord;
  readonly failures: readonly FormFailure[];
  readonly works?: WorkMatches | undefined;
  readonly above?: Piece;
  /** Address that deletes the list; undefined if the user may not. */
  readonly deleteAction?: string | undefined;
}

export function listFormPage(form: ListFormPage): Reply {
  const { title, action, back, revision, failures, above, heading, deleteAction, works } = form;
  const fields = fieldsOf(form);
  const names = new Set(fields.map(({ name }) => name));
  const summary = errorSummary(
    failures.map((failure) => {
      const name = failure.at?.property ?? "";
      const message = formFailureText(failure);
      return names.has(name) ? { name, message } : { message };
    }),
  );
  const base =
    revision !== undefined && field({ name: "revision", label: "", type: "hidden", value: String(revision) });
  const body = markup`<p>${link(back.href, back.text)}</p>${summary}${above}
<form method="post" action="${action}">
${base}${fields.map((spec) =>
    spec.name === "seeds"
      ? terms({
          field: spec,
          source: NAME_SOURCES.work,
          between: "\n",
          keysOf: t("listform.works"),
          ...works,
        })
      : field(spec),
  )}
<p><button class="primary">${t("listform.save")}</button></p>
</form>
${
  deleteAction !== undefined &&
  markup`<form method="post" action="${deleteAction}">
<h2>${t("listform.delete_heading")}</h2>
<p>${t("listform.delete_hint")}</p>
<p><button>${t("listform.delete")}</button></p>
</form>`
}`;
  return page({
    title,
    ...(heading !== undefined && { heading }),
    body,
    status: failures.length === 0 ? 200 : 400,
  });
}

function fieldsOf({ type, values, failures, revision }: ListFormPage): InputField[] {
  const isSeries = type === "/type/series";
  const { seeds } = values;
  const nameAndError = (name: string) => {
    const failure = failures.find(({ at }) => at?.property === name);
    return { name, error: failure && formFailureText(failure) };
  };
  const seedTexts = isSeries
    ? { label: t("listform.works"), hint: t("listform.works_hint") }
    : { label: t("listform.seeds"), hint: t("listform.seeds_hint") };
  const tags = {
    label: t("listform.tags"),
    value: stringsOf(values["tags"]).join(", "),
    hint: t("listform.tags_hint"),
  };
  const name = { label: t("listform.name"), value: textOf(values["name"]), maxlength: LIST_NAME_LENGTH };
  const description = { label: t("listform.description"), value: textOf(values["description"]) };
  return [
    { ...nameAndError("name"), ...name, required: true },
    { ...nameAndError("description"), ...description, type: "textarea", maxlength: LIST_DESCRIPTION_LENGTH },
    ...(isSeries ? [] : [{ ...nameAndError("tags"), ...tags }]),
    {
      ...nameAndError("seeds"),
      ...seedTexts,
      type: "textarea",
      value: typeof seeds === "string" ? seeds : formatSeeds(elementsOf(seeds)),
    },
    ...(revision === undefined
      ? []
      : [{ name: "_comment", label: t("listform.comment"), value: textOf(values["_comment"]) }]),
  ];
}

export interface WorkMatches {
  typed: string;
  matches: readonly Pickable[];
}

/** Renders the lists of a patron, with a button that adds a seed to each, or removes it. */
export function listsWithSeed(lists: readonly HoldingList[], seed: string, title: Piece) {
  const buttons = lists.map(({ key, name, members }) => {
    const isThere = members.includes(seed);
    const list = name === "" ? t("list.list_without_name") : markup`<b dir="auto">${shortText(name)}</b>`;
    const action = `${addressOf(key)}/seeds?${String(new URLSearchParams({ redir_url: addressOf(seed) }))}`;
    return markup`<li><form method="post" action="${action}"><input type="hidden" name="${isThere ? "remove" : "add"}" value="${seed}">
<button${!isThere && markup` class="primary"`}>${t(isThere ? "addto.take" : "addto.add", { list })}</button></form></li>`;
  });
  return {
    title: t("addto.title", { title }),
    heading: t("addto.title", { title: markup`<bdi>${title}</bdi>` }),
    above: markup`${buttons.length > 0 && markup`<h2>${t("addto.own")}</h2><ul class="plain">${buttons}</ul>`}<h2>${t("addto.new")}</h2>`,
  };
}
