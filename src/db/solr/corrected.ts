import { fieldIn, fieldIs, matchQuery, quoted } from "../../search/lucene/lucene-query.ts";
import {
  type NearWords,
  CORRECTION_CANDIDATES_MAX,
  COUNTED_WORKS,
  correctedBy,
} from "../search/corrected.ts";
import { countEach } from "./aggregates.ts";
import { type SolrReader, countOf, find, textIn } from "./reader.ts";

/** `SearchEngine.corrected`. */
export function corrected(
  reader: SolrReader,
  typed: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return correctedBy(
    {
      readWords: (words) => Promise.all(words.map((word) => readWord(reader, word))),
      countWorks: async (matches) => {
        const queries = matches.map((match) => matchQuery(match, "work"));
        return (await countEach(reader, queries)).map(({ count }) => Math.min(count, COUNTED_WORKS));
      },
    },
    typed,
  );
}

async function readWord(reader: SolrReader, { word, stem, skeletons, shortest, longest, letter }: NearWords) {
  const begins = `term:[${quoted(letter)} TO ${quoted(`${letter}\u{10FFFF}`)}}`;
  const [known, used, { docs }] = await Promise.all([
    countOf(reader, "spelling", fieldIs("term", word)),
    countOf(reader, "work", `${fieldIs("work_word", word)} ${fieldIs("work_word", stem)}`),
    find(reader, "spelling", {
      query: `+(${fieldIn("skeleton", skeletons)}) +${begins} +n_length:[${shortest} TO ${longest}]`,
      sort: "id asc",
      fields: ["term"],
      limit: CORRECTION_CANDIDATES_MAX,
    }),
  ]);
  return { occurs: known + used > 0, isSpelt: known > 0, near: docs.map((one) => textIn(one, "term")) };
}
