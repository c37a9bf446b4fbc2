import { lastSegmentOf } from "../../catalog/keys.ts";
import { readDerived } from "../http/derived-answers.ts";
import { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { JSON_TYPE } from "../http/reply.ts";
import { findFirstWorks } from "../site/home-shelves.ts";
import { ALL } from "../../search/query/query.ts";
import { type Call, FIRST_CALLS, SIGN_IN_CALLS } from "./first-calls.ts";

const EXAMPLE_SECONDS = 3600;
/** Lines of an answer that are shown. */
const ANSWER_LINES_MAX = 40;

export interface Examples {
  /** Values that exist in this catalog, by the name of a placeholder or parameter. */
  readonly values: Readonly<Record<string, string>>;
  /** Answers of the first calls, by operation. */
  readonly answers: Readonly<Record<string, string>>;
}

/** Reads examples from the work with most editions, and the answers of the calls about it. Kept for an hour. */
export async function readExamples(context: RequestContext): Promise<Examples> {
  try {
    return await readDerived(context, {
      name: "examples:v2",
      seconds: EXAMPLE_SECONDS,
      make: () => makeExamples(context),
    });
  } catch (error) {
    // The reference works without examples.
    if (error instanceof Failure) return { values: {}, answers: {} };
    throw error;
  }
}

async function makeExamples(context: RequestContext): Promise<Examples> {
  const fields = ["key", "title", "edition_key", "author_key", "isbn", "subject_key"];
  const [work] = await findFirstWorks(context, {
    query: ALL,
    filters: [],
    sort: "editions",
    rows: 1,
    fields,
  });
  const values = work === undefined ? {} : valuesOfWork(work);
  const answers = await Promise.all(
    [...SIGN_IN_CALLS, ...FIRST_CALLS].map(
      async (call) => [call.operation, await answerOf(call, values, context)] as const,
    ),
  );
  return { values, answers: Object.fromEntries(answers.filter(([, answer]) => answer !== "")) };
}

function digitsOfKey(key: string): string {
  return /\d+/.exec(key)?.[0] ?? "";
}

function valuesOfWork(work: Readonly<Record<string, unknown>>): Record<string, string> {
  const first = (name: string): string => String([work[name]].flat()[0] ?? "");
  const [edition, author, isbn] = [first("edition_key"), first("author_key"), first("isbn")];
  const all = {
    work: first("key"),
    edition: edition && `/books/${edition}`,
    edition_olid: edition,
    author: author && `/authors/${author}`,
    subject: first("subject_key"),
    work_id: digitsOfKey(first("key")),
    edition_id: digitsOfKey(edition),
    author_id: digitsOfKey(author),
    q: first("title"),
    isbn,
    bibkeys: edition && `OLID:${edition}`,
    olid: edition,
    list_id: lastSegmentOf(first("key")),
    slug: "-",
    brief_or_full: "brief",
    idtype: "isbn",
    idval: isbn,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

/** Fills the placeholders of a call; those without a value stay. */
export function fillCall<Part extends string | Call["body"]>(part: Part, values: Examples["values"]): Part {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (all, name: string) =>
      name === "q" || name === "subject"
        ? encodeURIComponent(values[name] ?? all).replaceAll("'", "%27")
        : (values[name] ?? all),
    );
  return JSON.parse(fill(JSON.stringify(part)));
}

/** Returns the answer of a call as it is shown; empty if this catalog has none. */
async function answerOf(call: Call, values: Examples["values"], context: RequestContext): Promise<string> {
  const path = fillCall(call.path, values);
  if (call.answer !== undefined)
    return cut(JSON.stringify(fillCall({ answer: call.answer }, values).answer, null, 2));
  if (/[{}]/.test(path) || call.file !== undefined) return "";
  const headers = { Accept: JSON_TYPE };
  const { origin } = context.url;
  let response = await context.answer(new Request(origin + path, { headers }));
  const location = response.headers.get("Location");
  if (location !== null) {
    response = await context.answer(new Request(new URL(location, origin), { headers }));
  }
  if (!response.ok) return "";
  return cut(JSON.stringify(await response.json(), null, 2));
}

function cut(text: string): string {
  const lines = text.split("\n");
  return lines.length <= ANSWER_LINES_MAX ? text : [...lines.slice(0, ANSWER_LINES_MAX), "…"].join("\n");
}
