import { utf8Length } from "../../catalog/bytes.ts";
import { findTag } from "../../db/records/tags.ts";
import {
  type NamedAuthor,
  NOTABLE,
  NOTABLE_SAMPLE,
  NOTABLE_SORTS,
  notableAuthors,
} from "../../search/present/authors.ts";
import { type PageTarget, targetQuery } from "../../search/present/subjects.ts";
import { derived } from "../http/derived-answers.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { askIndex } from "./guarded.ts";

/** How long a subject's notable authors and its tag are kept, in seconds. */
const ABOUT_SECONDS = 43_200;

/** Longest key of a subject that they are looked up for, in bytes: names in KV have 512 at most. */
const ABOUT_KEY_BYTES = 480;

/** What a page says of a subject besides its works. */
export interface AboutSubject {
  readonly authors: readonly NamedAuthor[];
  /** Key of the record that describes the subject. */
  readonly tag: string | null;
}

/**
 * Notable authors of a subject, and its tag, up to half a day old (Q446). Of very long names there is nothing, and nothing
 * is kept of what turns out to be no subject.
 */
export async function aboutSubject(
  target: PageTarget,
  isKept: Promise<boolean>,
  context: RequestContext,
): Promise<AboutSubject> {
  const { field, value } = target;
  if (utf8Length(value) > ABOUT_KEY_BYTES) return { authors: [], tag: null };
  return derived(context, {
    name: `about:v1:${field}:${value}`,
    seconds: ABOUT_SECONDS,
    make: async () => {
      const [authors, tag] = await Promise.all([
        notable(target, context),
        findTag(catalogReader(context), { type: target.type, slug: value }),
      ]);
      return { authors, tag: tag ?? null };
    },
    isKept,
  });
}

async function notable(target: PageTarget, context: RequestContext): Promise<NamedAuthor[]> {
  const samples = await askIndex(context, target.key, (engine) => {
    const search = {
      query: targetQuery(target),
      filters: [NOTABLE],
      editionClauses: [],
      start: 0,
      rows: NOTABLE_SAMPLE,
      withEditions: false,
      fields: ["author_key", "author_name"],
    };
    return Promise.all(
      NOTABLE_SORTS.map((field) => engine.works({ ...search, sort: [{ field, descending: true }] })),
    );
  });
  return notableAuthors(samples.map(({ documents }) => documents));
}
