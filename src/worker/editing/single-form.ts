import * as z from "zod";
import { numberedKey } from "../../catalog/keys.ts";
import { hasRole } from "../../catalog/roles.ts";
import { revisionSchema } from "../history/change-entry.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import { digitsOf, ownSlug } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import type { Markup } from "../ui/markup.ts";
import { type SentAgain, editAddress, shownRecord } from "./edit-page.ts";
import type { FieldSection } from "./member-fields.ts";
import { type FormState, type ShownRecord, recordForm, sentObject } from "./record-form.ts";

interface SinglePage extends SentAgain {
  readonly key: string;
  /** Revision to fill it with. */
  readonly revision?: string | undefined;
}

/** Form of a single record, a work or an author. */
interface SingleForm {
  readonly kind: "author" | "work";
  /** Member with the record's name. */
  readonly name: "name" | "title";
  readonly sections: readonly FieldSection[];
  group(shown: ShownRecord, state: FormState, context: RequestContext): Promise<Markup>;
}

type ShowSingle = (context: RequestContext, shown: SinglePage) => Promise<Reply>;

/** Returns a function that writes the page of such a form. */
export function singlePage({ kind, name, sections, group }: SingleForm): ShowSingle {
  return async (context, { key, form, failures = [], found = new Map(), revision }) => {
    const shown = await shownRecord(context, key, { revision, sent: sentObject(form, kind), failures });
    const state = { failures, found, languages: new Map<string, string>() };
    return recordForm({
      title: String(shown.record[name] ?? key),
      action: `${key}/edit`,
      record: recordPage(key, shown.record),
      groups: [await group({ prefix: kind, ...shown }, state, context)],
      shown: [{ prefix: kind, key, sections }],
      failures,
      form,
      mayDelete: hasRole(await context.actor(), "admin"),
    });
  };
}

/** `GET /<folder>/XX…/edit` of works and authors: the form for people, key and revision for programs. */
export function singleFormOperation(id: string, kind: "author" | "work", page: ShowSingle): AnyOperation {
  return operation({
    id,
    summary: `The form of ${kind === "author" ? "an author" : "a work"}`,
    tag: "forms",
    path: { [`${kind}_id`]: digitsOf(kind), slug: ownSlug },
    query: { v: z.string().optional().describe("Number of a revision to fill the form with") },
    responses: {
      200: { description: "A page for people", schema: revisionSchema, also: ["text/html"] },
      301: { description: "The record's own address" },
      303: { description: "People who are to log in first" },
      404: { description: `No such ${kind}` },
    },
    handle({ path, query: { v: revision } }, context) {
      const key = numberedKey(kind, String(path[`${kind}_id`]), context.settings.RECORD_PREFIX);
      return editAddress(context, { key, type: `/type/${kind}`, slug: path["slug"], revision }, () =>
        page(context, { key, revision }),
      );
    },
  });
}
