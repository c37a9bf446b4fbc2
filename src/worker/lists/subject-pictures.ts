import type { ListSeed } from "../../catalog/lists/seed-entry.ts";
import { readSubjectCovers } from "../../db/search/subject-covers.ts";
import type { RequestContext } from "../context.ts";
import { indexReaderOf } from "../search/engine-of.ts";
import { guarded } from "../search/guarded.ts";
import { subjectToken } from "./subject-token.ts";

/** Subjects of one answer that get a picture; those beyond have none. */
export const SUBJECT_PICTURES_MAX = 100;

/** Covers of subjects in a list, by seed: one question to the index, none for lists without subjects. */
export async function subjectPictures(
  seeds: readonly ListSeed[],
  context: RequestContext,
): Promise<ReadonlyMap<string, number>> {
  const tokens = new Map<string, string>();
  for (const { key } of seeds) {
    const token = tokens.size < SUBJECT_PICTURES_MAX ? subjectToken(key) : undefined;
    if (token !== undefined) tokens.set(key, token);
  }
  if (tokens.size === 0) return new Map();
  return guarded(async () => readSubjectCovers(await indexReaderOf(context), tokens), "");
}
