import * as z from "zod";
import { latestRecord, readView } from "../../catalog/document.ts";
import { type MergeKind, CHOSEN_MEMBERS, MERGE_RULES } from "../../catalog/editing/merge-rules.ts";
import { lastSegment } from "../../catalog/keys.ts";
import { type CatalogRecord, typeKey } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { readRecords } from "../../db/records/records.ts";
import { CarrelError } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { findByName } from "./find-by-name.ts";
import { splitCommas } from "./merge-note.ts";
import { MERGE_COMMENT_LENGTH } from "./merge-records.ts";
import { submitMerge } from "./merge-requests.ts";
import { type MergeTable, mergeForm } from "./merge-table.ts";
import { isKeyOrOlid } from "./picks.ts";

const MERGE_FORM_RECORDS_MAX = 100;

const mrid = z
  .string()
  .regex(/^\d{0,15}$/)
  .default("");

export const mergeAuthorsPage = pageOperation("mergeAuthorsPage", "author");
export const mergeWorksPage = pageOperation("mergeWorksPage", "work");
/** `POST /authors/merge`: merges for super-librarians, proposes the merge for librarians. */
export const mergeAuthorsForm = formOperation("mergeAuthorsForm", "author");
export const mergeWorksForm = formOperation("mergeWorksForm", "work");

function pageOperation(id: string, kind: MergeKind): AnyOperation {
  return operation({
    id,
    summary: `A page to merge ${kind}s on`,
    tag: "editing",
    query: {
      records: z.string().max(4000).default("").describe(`Numbers of ${kind}s, separated by commas`),
      other: z.string().max(40).default("").describe("One more, which was picked by its name"),
      other_text: z.string().max(1000).default("").describe("What was typed to find it"),
      other_found: z.string().max(1000).default("").describe("For what it was picked"),
      primary: z.string().max(40).default(""),
      mrid,
    },
    responses: { 200: { description: "The form", contentType: "text/html" } },
    async handle({ query }, context) {
      const { records, primary, mrid: request, other, other_found: before } = query;
      const typed = query.other_text.trim();
      // The picked key counts only if the name was not changed after it.
      const pickedBefore = typed === before.trim() ? other : "";
      const picked = isKeyOrOlid(typed) ? typed.toUpperCase() : pickedBefore;
      const isOpen = typed !== "" && picked === "";
      const olids = [...new Set([...splitCommas(records), ...(picked === "" ? [] : [lastSegment(picked)])])];
      const matches = isOpen ? await findByName(kind, typed, context) : [];
      const others = matches.filter(({ key }) => !olids.includes(lastSegment(key)));
      const search = isOpen ? { typed, matches: others } : undefined;
      return mergePage({ kind, olids, master: primary, mrid: request, search }, context);
    },
  });
}

function formOperation(id: string, kind: MergeKind): AnyOperation {
  const choice = z.string().max(40).default("").describe("Number of the record that has it right");
  return operation({
    id,
    summary: `Merge ${kind}s, or propose it, as the page asks`,
    tag: "editing",
    form: {
      master: z.string().max(40).default(""),
      records: z.array(z.string().max(40)).max(MERGE_FORM_RECORDS_MAX).default([]),
      comment: z.string().max(MERGE_COMMENT_LENGTH).default(""),
      mrid,
      ...Object.fromEntries(CHOSEN_MEMBERS[kind].map((member) => [`choose_${member}`, choice])),
    },
    responses: {
      303: { description: `The merged ${kind}, or the queue of requests` },
      400: { description: "The form again, with what is wrong", contentType: "text/html" },
    },
    async handle({ form }, context) {
      const { master, records, comment, mrid: request } = form;
      const chosen = CHOSEN_MEMBERS[kind].flatMap((member) => {
        const olid = String(Object.entries(form).find(([name]) => name === `choose_${member}`)?.[1] ?? "");
        return olid === "" ? [] : [[member, olid] as const];
      });
      try {
        return await submitMerge({ kind, master, records, comment, mrid: request, chosen }, context);
      } catch (error) {
        if (!(error instanceof CarrelError) || error.status >= 500) throw error;
        const olids = [...new Set([...records, ...(master === "" ? [] : [master])])];
        return mergePage({ kind, olids, master, mrid: request, problem: error.message }, context);
      }
    },
  });
}

async function mergePage(
  { olids, kind, ...rest }: Omit<MergeTable, "records" | "names" | "mayMerge"> & { olids: readonly string[] },
  context: RequestContext,
): Promise<Reply> {
  const { folder, type } = MERGE_RULES[kind];
  const keys = olids.slice(0, MERGE_FORM_RECORDS_MAX).map((olid) => folder + olid);
  const latest = await readLatestByKey(context, keys);
  const records = keys.flatMap((key) => {
    const record = latest.get(key);
    return record !== undefined && typeKey(record) === type ? [readView(record)] : [];
  });
  const mayMerge = hasRole(await context.actor(), "super-librarian");
  const names =
    kind === "work" ? await readLatestByKey(context, authorsOf(records)) : new Map<string, CatalogRecord>();
  return mergeForm({ ...rest, kind, records, names, mayMerge });
}

function authorsOf(works: readonly CatalogRecord[]): string[] {
  const keys = JSON.stringify(works.map(({ authors = null }) => authors)).match(/\/authors\/\w+/g) ?? [];
  return [...new Set(keys)].slice(0, MERGE_FORM_RECORDS_MAX);
}

async function readLatestByKey(
  { stores }: RequestContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, CatalogRecord>> {
  const rows = await readRecords(stores.catalog, keys);
  return new Map(rows.map((row) => [row.key, latestRecord(row)]));
}
