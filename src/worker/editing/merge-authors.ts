import * as z from "zod";
import { latestRecord } from "../../catalog/document.ts";
import { MERGE_RULES } from "../../catalog/editing/merge-rules.ts";
import { type CatalogRecord, keyOf, textOf, typeKey } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/read.ts";
import { hasRole } from "../../catalog/roles.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { sendMerge } from "./merge-requests.ts";
import { listOf } from "./merge-note.ts";
import { MERGE_COMMENT_LENGTH } from "./merge-records.ts";

/** Authors on one page of the form. */
const MERGE_FORM_RECORDS_MAX = 100;

const { folder } = MERGE_RULES.author;

/** `GET /authors/merge?records=OL1A,OL2A[&mrid=]`: the form for merging authors. */
export const mergeAuthorsPage = operation({
  id: "mergeAuthorsPage",
  summary: "A page to merge authors on",
  tag: "editing",
  query: {
    records: z.string().max(4000).default("").describe("Numbers of authors, separated by commas"),
    primary: z.string().max(40).default(""),
    mrid: z
      .string()
      .regex(/^\d{0,15}$/)
      .default(""),
  },
  responses: { 200: { description: "The form", contentType: "text/html" } },
  handle({ query: { records, primary, mrid } }, context) {
    return mergePage({ olids: listOf(records), master: primary, mrid }, context);
  },
});

/** `POST /authors/merge`: what the form sends. Super-librarians merge; librarians propose it. */
export const mergeAuthorsForm = operation({
  id: "mergeAuthorsForm",
  summary: "Merge authors, or propose it, as the page asks",
  tag: "editing",
  form: {
    master: z.string().max(40).default(""),
    records: z.array(z.string().max(40)).max(MERGE_FORM_RECORDS_MAX).default([]),
    comment: z.string().max(MERGE_COMMENT_LENGTH).default(""),
    mrid: z
      .string()
      .regex(/^\d{0,15}$/)
      .default(""),
  },
  responses: {
    303: { description: "The merged author, or the queue of requests" },
    400: { description: "The form again, with what is wrong", contentType: "text/html" },
  },
  async handle({ form }, context) {
    const { master, records, mrid } = form;
    try {
      return await sendMerge({ kind: "author", ...form }, context);
    } catch (error) {
      if (!(error instanceof CarrelError) || error.status >= 500) throw error;
      const olids = [...new Set([...records, ...(master === "" ? [] : [master])])];
      return mergePage({ olids, master, mrid, problem: error.message }, context);
    }
  },
});

/** What the form is filled with. */
interface FilledForm {
  readonly olids: readonly string[];
  readonly master: string;
  readonly mrid: string;
  readonly problem?: string;
}

async function mergePage(
  { olids, master, mrid, problem }: FilledForm,
  context: RequestContext,
): Promise<Reply> {
  const keys = olids.slice(0, MERGE_FORM_RECORDS_MAX).map((olid) => folder + olid);
  const rows = await readRecords(context.stores.catalog, keys);
  const byKey = new Map(rows.map((row) => [row.key, latestRecord(row)]));
  const authors = keys.flatMap((key) => {
    const record = byKey.get(key);
    return record !== undefined && typeKey(record) === MERGE_RULES.author.type ? [record] : [];
  });
  const title = "Merge authors";
  const errors = errorSummary(problem === undefined ? [] : [{ message: problem }]);
  const status = problem === undefined ? 200 : 400;
  if (authors.length < 2) {
    const hint = "Name two authors or more, such as /authors/merge?records=OL1A,OL2A.";
    return page({ title, status, body: markup`${errors}<p>${hint}</p>` });
  }
  const mayMerge = hasRole(await context.actor(), "super-librarian");
  return page({ title, status, body: markup`${errors}${mergeForm(authors, { master, mrid, mayMerge })}` });
}

interface FormState {
  readonly master: string;
  readonly mrid: string;
  readonly mayMerge: boolean;
}

function mergeForm(authors: readonly CatalogRecord[], { master, mrid, mayMerge }: FormState): Markup {
  const [first] = authors.map(olidOf);
  const chosen = authors.map(olidOf).includes(master) ? master : first;
  return markup`<form method="post" action="/authors/merge">
<fieldset><legend>The author that stays</legend>${authors.map((author) =>
    choice({ type: "radio", name: "master", author, isChosen: olidOf(author) === chosen }),
  )}</fieldset>
<fieldset><legend>Authors that become it</legend>${authors.map((author) =>
    choice({ type: "checkbox", name: "records", author, isChosen: true }),
  )}</fieldset>
${field({ name: "mrid", label: "", type: "hidden", value: mrid })}
${field({ name: "comment", label: "Comment", maxlength: MERGE_COMMENT_LENGTH })}
<p><button type="submit">${mayMerge ? "Merge" : "Propose this merge"}</button></p>
</form>`;
}

interface Choice {
  readonly type: "radio" | "checkbox";
  readonly name: string;
  readonly author: CatalogRecord;
  readonly isChosen: boolean;
}

function choice({ type, name, author, isChosen }: Choice): Markup {
  const olid = olidOf(author);
  const dates = [author["birth_date"], author["death_date"]].map(textOf).filter((text) => text !== undefined);
  const id = `${name}-${olid}`;
  return markup`<div class="check"><input type="${type}" id="${id}" name="${name}" value="${olid}"${isChosen && markup` checked`}>
<label for="${id}">${textOf(author["name"]) ?? olid} (${[olid, ...dates].join(", ")})</label></div>`;
}

function olidOf(author: CatalogRecord): string {
  return (keyOf(author) ?? "").slice(folder.length);
}
