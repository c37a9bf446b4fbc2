import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { parseDocument } from "../../catalog/document.ts";
import { keysOf } from "../../catalog/record.ts";
import { readAllProgress } from "../../db/indexing/log.ts";
import { putJobs } from "../../db/indexing/jobs.ts";
import { readRecords } from "../../db/records/records.ts";
import { isIndexedKey } from "../../search/indexing/changed-keys.ts";
import { indexingsOf } from "../indexing/indexing.ts";
import { type Failure, failure } from "../http/failure.ts";
import { operation } from "../http/operation.ts";
import { announceChange } from "../http/queue.ts";
import type { Reply } from "../http/reply.ts";
import { adminPage } from "../ui/data-page.ts";
import { form } from "../ui/form.ts";
import { command } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import { ADMIN_FORM, doneSchema } from "./admin-form.ts";

export const adminSolr = operation({
  id: "adminSolr",
  summary: "Show the form to reindex records",
  tag: "administration",
  responses: { 200: { description: "HTML form", contentType: "text/html" } },
  handle: () => solrPage(),
});

const REINDEX_KEYS_MAX = 1000;
const BOOKS = "/books/";

export const adminSolrReindex = command({
  ...ADMIN_FORM,
  id: "adminSolrReindex",
  summary: "Reindex records",
  form: {
    keys: z.array(z.string()).describe("Keys of records, separated by whitespace, or in several fields"),
  },
  responses: {
    200: { description: "Records queued for indexing", schema: doneSchema },
    303: { description: "Redirect to the page, for browsers" },
    400: { description: "Keys missing, too many or without a search document" },
  },
  /** Schedules a rebuild of search documents; for an edition, of its work. */
  async submit({ form: { keys: texts } }, context) {
    const { stores, settings, sources, now } = context;
    const keys = [...new Set(texts.flatMap((text) => text.split(/[\s,]+/)).filter((key) => key !== ""))];
    const field = "keys";
    if (keys.length === 0) throw failure("bad_data.no_keys", {}, { field });
    if (keys.length > REINDEX_KEYS_MAX)
      throw failure("bad_data.too_many", { most: REINDEX_KEYS_MAX }, { field });
    const wrong = keys.find((key) => !isIndexedKey(key));
    if (wrong !== undefined)
      throw failure("bad_data.search_key", { value: wrong }, { members: { value: wrong }, field });
    const { editions = [], others = [] } = Object.groupBy(keys, (key) =>
      key.startsWith(BOOKS) ? "editions" : "others",
    );
    // An edition without a work is shown under its own number.
    const works = (await readRecords(stores.catalog, editions)).flatMap(({ key, document }) =>
      keysOf(parseDocument(document)["works"]).concat(key.replace(BOOKS, "/works/")),
    );
    const { end: change } = await readAllProgress(stores.catalog);
    const due = formatDatetime(now);
    const documents = [...new Set([...others, ...works])];
    const jobs = documents.map((key) => ({ kind: "document", key, position: 0, due, change }));
    for (const { search } of indexingsOf(stores, settings, sources)) await putJobs(search, jobs);
    context.waitUntil(announceChange(stores.indexQueue, change));
  },
  done: { to: "/admin/solr", notice: "admin.solr_done" },
  again: (refusal, { form: { keys } }) => solrPage(keys.join("\n"), refusal),
});

function solrPage(value?: string, refusal?: Failure): Reply {
  const label = t("admin.records");
  const hint = t("admin.solr_hint");
  const fields = [{ name: "keys", label, type: "textarea", hint, required: true, value }] as const;
  return adminPage({
    title: t("admin.solr"),
    parts: [form({ action: "/admin/solr", fields, submit: t("admin.solr_build"), refusal })],
  });
}
