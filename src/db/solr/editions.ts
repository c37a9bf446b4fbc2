import { expandEdition } from "../../search/present/expand.ts";
import { type Hits, type PlainSearch, WINDOW_PLAIN_MAX } from "../../search/engine.ts";
import { matchQuery } from "../../search/lucene/lucene-query.ts";
import { storedEdition } from "../search/read-works.ts";
import { storedWork } from "../search/stored-work.ts";
import { editionMatch } from "../../search/plan/selection.ts";
import { afterQuery, sortText } from "./order.ts";
import { type SolrReader, bytesIn, find, numberIn } from "./reader.ts";
import { readWorks, workRow } from "./read-works.ts";
import { readVocabulary } from "./selection.ts";

const NOTHING: Hits = { numFound: 0, numFoundExact: true, documents: [] };

/** `SearchEngine.editions`: in the order of their works, the most open ones of a work first, or in the reverse one. */
export async function searchEditions(reader: SolrReader, search: PlainSearch): Promise<Hits> {
  const match = await editionMatch(search, (requests) => readVocabulary(reader, requests));
  if (match === undefined) return NOTHING;
  const { after, start, rows, sort } = search;
  const descending = sort.some((one) => one.field === "key" && one.descending);
  const terms = [{ value: "n_row", descending }];
  const isPage = rows > 0 && (after !== undefined || start + rows <= WINDOW_PLAIN_MAX);
  const { numFound, docs } = await find(reader, "edition", {
    query: `+${matchQuery(match, "edition")}${after?.length ? ` +${afterQuery(terms, after)}` : ""}`,
    sort: sortText(terms),
    fields: ["n_row", "work", "shown"],
    offset: after === undefined && isPage ? start : 0,
    limit: isPage ? rows : 0,
  });
  const ids = [...new Set(docs.flatMap((one) => numberIn(one, "work") ?? []))];
  const works = (await readWorks(reader, ids, ["no", "document"])).map(workRow);
  const stored = await Promise.all(works.map(async (row) => [row.id, await storedWork(row)] as const));
  const byId = new Map(stored);
  const documents = docs.flatMap((one) => {
    const work = byId.get(numberIn(one, "work") ?? 0);
    return work === undefined
      ? []
      : [expandEdition(storedEdition({ document: bytesIn(one, "shown") }, work))];
  });
  const last = docs.at(-1);
  return {
    numFound: after?.length ? 0 : numFound,
    numFoundExact: true,
    documents,
    mark: after && last && [numberIn(last, "n_row") ?? 0],
  };
}
