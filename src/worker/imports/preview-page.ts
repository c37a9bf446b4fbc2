import * as z from "zod";
import { compareMembers } from "../../catalog/compare.ts";
import { type CatalogRecord, textOf } from "../../catalog/record.ts";
import { recordsByKey } from "../../db/records/records.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { type Reply, seeOther } from "../http/reply.ts";
import { changeTable } from "../ui/change-table.ts";
import { factList } from "../ui/facts.ts";
import { errorSummary } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { notify } from "../ui/notice.ts";
import { link } from "../ui/parts.ts";
import { t, reason } from "../ui/words.ts";
import { STATUS_WORDS, warningList } from "./import-tables.ts";
import {
  type PreviewAnswer,
  type PreviewRequest,
  PREVIEW_PROVIDERS,
  previewFromProvider,
  previewBody,
} from "./preview.ts";

const PATH = "/import/preview";
const PROVIDER_WORDS = {
  amazon: "preview.provider_amazon",
  ia: "preview.provider_ia",
  marc: "preview.provider_marc",
} as const;

type RecordsByKey = Readonly<Record<string, CatalogRecord>>;

function previewPage(request: PreviewRequest, answer?: PreviewAnswer, stored: RecordsByKey = {}): Reply {
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

const parameters = {
  source: z.string().optional(),
  provider: z.string().default("amazon"),
  identifier: z.string().default(""),
};
const responses = { 200: { description: "HTML page", contentType: "text/html" } };

export const importPreviewPage = operation({
  id: "importPreviewPage",
  summary: "Show the form to preview an import",
  tag: "import",
  query: parameters,
  responses,
  handle({ query }, context) {
    const request = { ...query, save: false };
    const isFirst = request.source === undefined && request.identifier === "";
    return isFirst ? previewPage(request) : replyWithPreview(context, request);
  },
});

export const importPreviewForm = operation({
  id: "importPreviewForm",
  summary: "Import a record by a form, or preview the import",
  tag: "import",
  form: { ...parameters, save: boolean().default(false) },
  responses: { ...responses, 303: { description: "Redirect to the imported book" } },
  handle: ({ form }, context) => replyWithPreview(context, form),
});

async function replyWithPreview(context: RequestContext, request: PreviewRequest): Promise<Reply> {
  const answer = await previewFromProvider(context, request);
  if (request.save && answer.success) {
    notify(context, "preview.saved");
    return seeOther(addressOf(answer.edition.key));
  }
  const keys = answer.success
    ? (answer.edits ?? []).flatMap(({ key }) => (typeof key === "string" ? key : []))
    : [];
  const reader = context.stores.catalog.withSession("first-unconstrained");
  return previewPage(request, answer, await recordsByKey(reader, keys));
}
