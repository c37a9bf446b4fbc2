import { minuteOf } from "../../catalog/datetime.ts";
import { publicationYearOf } from "../../catalog/publication-date.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { requestMostFrequent } from "../../search/facets.ts";
import { equals } from "../../search/query/query.ts";
import { readDerived } from "../http/derived-answers.ts";
import { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { exactEngineOf } from "../search/engine.ts";
import { withSearchErrors } from "../search/guarded.ts";
import { countYears } from "../ui/chart.ts";

export interface CountedYears {
  readonly counts: readonly { readonly year: number; readonly count: number }[];
  /** Time of counts in the index, naive UTC. */
  readonly counted?: string;
}

const YEARS_SECONDS = 3600;
const YEAR = "first_publish_year";

/**
 * Counts the works of an author by year: those of the page if they are all, else in the index, up to an hour old. There are none
 * if the index fails.
 */
export async function readAuthorYears(
  olid: string,
  { works, total }: { works: readonly CatalogRecord[]; total: number },
  context: RequestContext,
): Promise<CountedYears> {
  if (works.length === total) {
    return {
      counts: countYears(works.flatMap((work) => publicationYearOf(work, "first_publish_date") ?? [])),
    };
  }
  const make = async (): Promise<CountedYears> => {
    const search = { query: equals("author_key", olid), filters: [], editionClauses: [] };
    const facets = [requestMostFrequent(YEAR, -1)];
    const { fields, asOf = context.now } = await withSearchErrors(
      async () => (await exactEngineOf(context)).facets({ ...search, facets }),
      "",
    );
    const counts = (fields[YEAR] ?? []).map(({ value, count }) => ({ year: Number(value), count }));
    return { counts, counted: minuteOf(asOf) };
  };
  try {
    return await readDerived(context, { name: `author-years:v1:${olid}`, seconds: YEARS_SECONDS, make });
  } catch (thrown) {
    if (thrown instanceof Failure) return { counts: [] };
    throw thrown;
  }
}
