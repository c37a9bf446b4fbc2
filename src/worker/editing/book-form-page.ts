import { fingerprint } from "../../catalog/editing/same-values.ts";
import { type CatalogRecord, type Json, isObject, keyOf, textOf } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { languageOf } from "../http/accept.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { readKnownLanguages } from "../search/known-languages.ts";
import { field, recordPagePath } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { memberName } from "../ui/names.ts";
import { type Pickable, picker } from "../ui/picker.ts";
import { t } from "../ui/words.ts";
import type { BookKeys } from "./edit-records.ts";
import { type ResubmittedForm, readFormRecordView } from "./form-operations.ts";
import { NAME_SOURCES, readPickedRecords } from "./find-by-name.ts";
import { EDITION_SECTIONS, WORK_SECTIONS } from "./member-fields.ts";
import type { NameMatches } from "./picks.ts";
import {
  type FormState,
  type FormRecordView,
  conflictNote,
  recordForm,
  recordSections,
  objectUnder,
} from "./record-form-page.ts";
import type { FormFailure } from "./submitted-form.ts";

export async function bookFormPage(
  context: RequestContext,
  spec: BookKeys & ResubmittedForm & { revision?: string | undefined },
): Promise<Reply> {
  const { form, failures = [], nameMatches = new Map(), revision } = spec;
  const read = async (prefix: string, key: string): Promise<FormRecordView> => ({
    ...(await readFormRecordView(context, key, {
      revision: prefix === "edition" ? revision : undefined,
      submitted: objectUnder(form, prefix),
      failures,
    })),
    prefix,
  });
  const [edition, work, languages] = await Promise.all([
    read("edition", spec.edition),
    spec.work === undefined ? undefined : read("work", spec.work),
    readLanguageChoices(context),
  ]);
  const state = { failures, nameMatches, languages };
  const more = await workField(edition, { work, nameMatches });
  const groups = [recordSections(EDITION_SECTIONS, edition, { ...state, more })];
  if (work !== undefined) groups.push(await workGroup(work, state, context));
  return recordForm({
    title: String(edition.record["title"] ?? spec.edition),
    action: `${spec.edition}/edit`,
    record: recordPagePath(spec.edition, edition.record),
    groups,
    records: [
      { prefix: "edition", key: spec.edition, sections: EDITION_SECTIONS },
      { prefix: "work", key: spec.work ?? "", sections: WORK_SECTIONS },
    ],
    failures,
    form,
    mayDelete: hasRole(await context.actor(), "admin"),
  });
}

/** Reads names of languages by code. Leaves out names that several languages have. */
export async function readLanguageChoices(context: RequestContext): Promise<ReadonlyMap<string, string>> {
  const known = await readKnownLanguages(catalogReader(context), languageOf(context));
  const names = Map.groupBy(known, ({ names: { shown } }) => shown.toLowerCase());
  return new Map(
    known
      .filter(({ names: { shown } }) => names.get(shown.toLowerCase())?.length === 1)
      .map(({ names: { code, shown } }) => [code, shown]),
  );
}

const WORK_KEY = "edition--works--0--key";

async function workField(
  edition: FormRecordView,
  { work, nameMatches }: { work: FormRecordView | undefined; nameMatches: NameMatches },
): Promise<Markup> {
  const works = edition.submitted?.["works"];
  const [submitted] = Array.isArray(works) ? works : [];
  const title = textOf(work?.record["title"]) ?? "";
  const current = work === undefined ? undefined : { key: work.key, name: title };
  return markup`${picker({
    name: WORK_KEY,
    label: memberName("works"),
    source: NAME_SOURCES.work,
    ...pickerState(submitted, current),
    ...nameMatches.get(WORK_KEY),
  })}
${field({ name: WORK_KEY, id: "own-work", label: t("edit.own_work"), type: "checkbox", value: "__new__" })}`;
}

/** Returns the state of a picker: of a submitted reference, `{key, key_text}`, or else of the current one. */
function pickerState(
  submitted: Json | undefined,
  current: Pickable | undefined,
): { picked?: Pickable; typed?: string } {
  if (!isObject(submitted)) return current === undefined ? {} : { picked: current };
  const key = keyOf(submitted) ?? "";
  const typed = textOf(submitted["key_text"]);
  if (typed === undefined) return { picked: key === current?.key ? current : { key, name: key } };
  return key === "" ? { typed } : { picked: { key, name: typed } };
}

export async function workGroup(
  work: FormRecordView,
  state: FormState,
  context: RequestContext,
): Promise<Markup> {
  const rows = { author: rowsFor("authors", work), series: rowsFor("series", work) };
  const keys = [...rows.author.map(({ author }) => author), ...rows.series.map(({ series }) => series)];
  const names = await readPickedRecords(
    keys.flatMap((reference) => keyOf(reference) ?? []),
    context,
  );
  const filled = { work, nameMatches: state.nameMatches, names, failures: state.failures };
  return recordSections(WORK_SECTIONS, work, {
    ...state,
    more: [
      rowFields(rows.author, { ...filled, member: "author" }),
      rowFields(rows.series, { ...filled, member: "series" }),
    ],
  });
}

/** Returns the submitted rows of a work, or the current ones if nothing was submitted or the keys are unchanged. */
function rowsFor(
  member: "authors" | "series",
  { submitted, record, before }: FormRecordView,
): CatalogRecord[] {
  const current = rowsOf(record[member]);
  if (submitted?.[member] === undefined) return current;
  const typed = rowsOf(submitted[member]);
  const keys = (rows: readonly CatalogRecord[]): string =>
    fingerprint(rows.flatMap((row) => keyOf(row[member === "authors" ? "author" : "series"]) || []));
  return before !== undefined && keys(typed) === keys(rowsOf(before[member])) ? current : typed;
}

function rowsOf(value: Json | undefined): CatalogRecord[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

interface Rows {
  member: "author" | "series";
  work: FormRecordView;
  nameMatches: NameMatches;
  failures: readonly FormFailure[];
  names: ReadonlyMap<string, Pickable>;
}

function rowFields(
  rows: readonly CatalogRecord[],
  { member, work, nameMatches, failures, names }: Rows,
): Markup {
  const all = member === "author" ? "authors" : "series";
  const filled = rows.filter((row) => keyOf(row[member]) !== "" || isTyped(row[member]) || isTyped(row));
  const failure = failures.find(({ at }) => at?.key === work.key && at.property === all);
  return markup`${failure?.error === "conflict" && conflictNote(all, work)}${[...filled, {}].map(
    (row: CatalogRecord, index) => {
      const name = `work--${all}--${index}--${member}--key`;
      const key = keyOf(row[member]) ?? "";
      const isSubmitted = isObject(row[member]) && row[member]["key_text"] !== undefined;
      const matches = nameMatches.get(name);
      const current = names.get(key) ?? (key === "" || key === "__new__" ? undefined : { key, name: key });
      const newName = textOf(row["name"]);
      return markup`${picker({
        name,
        label: t(member === "author" ? "edit.author" : "edit.series", { number: index + 1 }),
        source: NAME_SOURCES[member],
        ...(newName !== undefined && !isSubmitted
          ? { typed: newName }
          : pickerState(isSubmitted ? row[member] : undefined, current)),
        ...matches,
        ...(matches !== undefined && {
          other: ["__new__", t("edit.new", { name: matches.typed })] as const,
          error: t("edit.pick_one"),
        }),
      })}${
        member === "series" &&
        field({
          name: `work--series--${index}--position`,
          label: t("edit.position"),
          value: textOf(row["position"]) ?? "",
        })
      }`;
    },
  )}`;
}

function isTyped(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    [value["key_text"], value["name"]].some((text) => typeof text === "string" && text !== "")
  );
}
