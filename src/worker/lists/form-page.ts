import { LIST_DESCRIPTION_LENGTH, LIST_NAME_LENGTH } from "../../catalog/lists/seeds.ts";
import { type ListType, seedsText } from "../../catalog/lists/list-form.ts";
import { type CatalogRecord, type Json, elementsOf, stringsOf, textOf } from "../../catalog/record.ts";
import { NAME_SOURCES } from "../editing/find-by-name.ts";
import type { FormFailure } from "../editing/sent-form.ts";
import type { Reply } from "../http/reply.ts";
import { type Field, errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { terms } from "../ui/terms.ts";
import { say } from "../ui/words.ts";
import type { FoundWorks } from "./picked-works.ts";

/** A form of a list or series, empty or filled. */
export interface ListFormPage {
  readonly type: ListType;
  readonly title: Piece;
  /** The heading, where it has more than the title. */
  readonly heading?: Piece;
  /** Where the form is sent, and what leads back from it. */
  readonly action: string;
  readonly back: { readonly href: string; readonly text: Piece };
  /** Revision that it shows; undefined of what does not exist yet. */
  readonly revision: number | undefined;
  /** What it shows: stored members, or what was sent when it is shown again. */
  readonly shown: CatalogRecord;
  readonly failures: readonly FormFailure[];
  /** Works that are to be picked from. */
  readonly works?: FoundWorks | undefined;
  /** What stands above the form. */
  readonly above?: Piece;
  /** Where a list is deleted, by those who may. */
  readonly deleteAction?: string | undefined;
}

/** The form as a page; 400 when something is wrong with what was sent. */
export function listFormPage(spec: ListFormPage): Reply {
  const { title, action, back, revision, failures, above, heading, deleteAction, works } = spec;
  const fields = fieldsOf(spec);
  const names = new Set(fields.map(({ name }) => name));
  const summary = errorSummary(
    failures.map(({ at, message }) => {
      const name = at?.property ?? "";
      return names.has(name) ? { name, message } : { message };
    }),
  );
  const base =
    revision !== undefined && field({ name: "revision", label: "", type: "hidden", value: String(revision) });
  const body = markup`<p>${link(back.href, back.text)}</p>${summary}${above}
<form method="post" action="${action}">
${base}${fields.map((one) => (one.name === "seeds" ? seedsField(one, works) : field(one)))}
<p><button class="primary">${say("listform.save")}</button></p>
</form>
${deleteAction !== undefined && deleteForm(deleteAction)}`;
  return page({
    title,
    ...(heading !== undefined && { heading }),
    body,
    status: failures.length === 0 ? 200 : 400,
  });
}

function fieldsOf({ type, shown, failures }: ListFormPage): Field[] {
  const isSeries = type === "/type/series";
  const wrong = (name: string) => ({
    name,
    error: failures.find(({ at }) => at?.property === name)?.message,
  });
  const seedTexts = isSeries
    ? { label: say("listform.works"), hint: say("listform.works_hint") }
    : { label: say("listform.seeds"), hint: say("listform.seeds_hint") };
  const tags = {
    label: say("listform.tags"),
    value: stringsOf(shown["tags"]).join(", "),
    hint: say("listform.tags_hint"),
  };
  const name = { label: say("listform.name"), value: textOf(shown["name"]), maxlength: LIST_NAME_LENGTH };
  const description = { label: say("listform.description"), value: textOf(shown["description"]) };
  return [
    { ...wrong("name"), ...name, required: true },
    { ...wrong("description"), ...description, type: "textarea", maxlength: LIST_DESCRIPTION_LENGTH },
    ...(isSeries ? [] : [{ ...wrong("tags"), ...tags }]),
    { ...wrong("seeds"), ...seedTexts, type: "textarea", value: seedsValue(shown["seeds"]) },
    { name: "_comment", label: say("listform.comment"), value: textOf(shown["_comment"]) },
  ];
}

/** Keys of what is in a list; works are added by their titles. */
function seedsField(one: Field, works: FoundWorks | undefined): Markup {
  return terms({
    field: one,
    source: NAME_SOURCES.work,
    between: "\n",
    keysOf: say("listform.works"),
    ...works,
  });
}

/** Seeds that are stored as text; what was sent as it is. */
function seedsValue(seeds: Json | undefined): string {
  return typeof seeds === "string" ? seeds : seedsText(elementsOf(seeds));
}

function deleteForm(action: string): Markup {
  return markup`<form method="post" action="${action}">
<h2>${say("listform.delete_heading")}</h2>
<p>${say("listform.delete_hint")}</p>
<p><button>${say("listform.delete")}</button></p>
</form>`;
}
