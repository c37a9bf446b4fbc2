import { compareMembers } from "../../catalog/compare.ts";
import { type CatalogRecord, textOf } from "../../catalog/record.ts";
import type { Text } from "../../catalog/texts.ts";
import type { Reply } from "../http/reply.ts";
import { changeTable } from "../ui/change-table.ts";
import { factList } from "../ui/facts.ts";
import { errorSummary } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { link } from "../ui/parts.ts";
import { t, reason } from "../ui/words.ts";
import type { ImportOutcome } from "./import-record.ts";
import type { ImportFailureResponse } from "./import-responses.ts";
import { STATUS_WORDS, warningList } from "./items-page.ts";

const PATH = "/import/preview";
const PROVIDER_WORDS = {
  amazon: "preview.provider_amazon",
  ia: "preview.provider_ia",
  marc: "preview.provider_marc",
} as const;

export const PREVIEW_PROVIDERS = ["amazon", "ia", "marc"] as const;

export interface PreviewRequest {
  readonly source: string | undefined;
  readonly provider: string | undefined;
  readonly identifier: string;
  readonly save: boolean;
}

/** Outcome of a preview. `text` is the reason of a refusal for people, `body` the response for programs. */
export type PreviewAnswer =
  | ImportOutcome
  | { readonly success: false; readonly text: Text; readonly body: ImportFailureResponse };

/** Returns the members of an answer as clients see them. */
export function previewBody(answer: PreviewAnswer): ImportOutcome | ImportFailureResponse {
  return answer.success ? answer : answer.body;
}

type RecordsByKey = Readonly<Record<string, CatalogRecord>>;

export function providerPreviewPage(
  request: PreviewRequest,
  answer?: PreviewAnswer,
  stored: RecordsByKey = {},
): Reply {
  const failure = answer?.success === false ? errorSummary([{ message: reason(answer.text) }]) : undefined;
  const body = markup`${failure}${sourceForm(request)}
${
  answer !== undefined &&
  markup`${answer.success && outcomeMarkup(answer, stored)}${saveForm(request, answer)}
<section aria-labelledby="json"><h2 id="json">${t("preview.as_json")}</h2><pre>${JSON.stringify(previewBody(answer), null, 2)}</pre></section>`
}`;
  return page({ title: t("preview.title"), body });
}

function sourceForm({ source, provider = "amazon", identifier }: PreviewRequest): Markup {
  const [, before = "", rest = ""] = /^([^:]*):(.*)$/s.exec(source ?? "") ?? [];
  const chosen = source === undefined ? provider : before;
  const options = PREVIEW_PROVIDERS.map(
    (option) =>
      markup`<option value="${option}"${option === chosen && markup` selected`}>${t(PROVIDER_WORDS[option])}</option>`,
  );
  return markup`<form method="get" action="${PATH}">
<label for="provider">${t("preview.provider")}</label><select id="provider" name="provider">${options}</select>
<label for="identifier">${t("preview.identifier")}</label>
<p class="hint" id="identifier-hint">${t("preview.identifier_hint")}</p>
<input type="text" id="identifier" name="identifier" required aria-describedby="identifier-hint" value="${source === undefined ? identifier : rest}">
<p><button type="submit">${t("preview.submit")}</button></p>
</form>`;
}

function saveForm({ source, provider, identifier, save }: PreviewRequest, answer: PreviewAnswer) {
  if (save || !answer.success || (answer.edits ?? []).length === 0) return undefined;
  const hidden = Object.entries({ source, provider, identifier }).map(
    ([name, value]) => value !== undefined && markup`<input type="hidden" name="${name}" value="${value}">`,
  );
  return markup`<form method="post" action="${PATH}">${hidden}<input type="hidden" name="save" value="true">
<p><button type="submit">${t("preview.save")}</button></p></form>`;
}

function outcomeMarkup(
  { edition, work, authors = [], edits = [], warnings = [] }: PreviewAnswer & { readonly success: true },
  stored: RecordsByKey,
): Markup {
  return markup`${factList([
    [t("imports.edition"), outcome(recordLink(edition.key), edition.status)],
    [t("preview.work"), outcome(recordLink(work.key), work.status)],
    [
      t("preview.authors"),
      authors.length > 0 &&
        markup`<ul>${authors.map(({ name, status }) => markup`<li>${outcome(name, status)}</li>`)}</ul>`,
    ],
    [t("imports.warnings"), warnings.length > 0 && warningList(warnings)],
  ])}
${edits.length === 0 && markup`<p>${t("preview.nothing")}</p>`}${edits.map((edit, index) => editBlock(edit, index, stored))}`;
}

function outcome(name: Piece, status: "created" | "modified" | "matched"): Markup {
  return t("list.pair", { name, value: t(STATUS_WORDS[status]) });
}

function recordLink(key: string): Markup {
  return key.includes("/__new__") ? t("preview.new_record") : link(addressOf(key), key);
}

function editBlock(edit: CatalogRecord, index: number, stored: RecordsByKey): Markup {
  const key = textOf(edit["key"]) ?? "";
  const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
  const id = `edit-${index}`;
  const changes = compareMembers(before ?? {}, edit);
  const content =
    before === undefined
      ? markup`<pre>${JSON.stringify(edit, null, 2)}</pre>`
      : changeTable(
          changes,
          t("diff.revision", { revision: String(before["revision"] ?? "") }),
          t("preview.import"),
        );
  return markup`<section aria-labelledby="${id}"><h2 id="${id}">${
    before === undefined
      ? t("preview.new", { record: nameOf(edit) })
      : t("preview.changed", { record: recordLink(key) })
  }</h2>${content}</section>`;
}
