import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { stem } from "../../../../src/search/text/stem.ts";

const STARTS = [
  "",
  "b",
  "st",
  "y",
  "ca",
  "run",
  "relat",
  "oper",
  "gener",
  "hop",
  "fil",
  "univers",
  "ay",
  "controll",
];
const MIDDLES = [
  "",
  "y",
  "e",
  "at",
  "ion",
  "al",
  "iz",
  "iv",
  "ful",
  "ous",
  "ess",
  "abl",
  "ic",
  "ee",
  "ll",
  "bl",
];
const ENDS = [
  "",
  "s",
  "es",
  "ies",
  "ed",
  "eed",
  "ing",
  "ational",
  "ization",
  "iveness",
  "logi",
  "bli",
  "eli",
  "ement",
];
const MORE = [
  "ion",
  "ness",
  "ful",
  "icate",
  "alize",
  "iciti",
  "e",
  "y",
  "ance",
  "ence",
  "er",
  "ism",
  "iti",
  "ou",
  "ate",
];

it("stem equals the stemmer of FTS5", async () => {
  const words = STARTS.flatMap((start) =>
    MIDDLES.flatMap((middle) => [...ENDS, ...MORE].map((end) => start + middle + end)),
  ).filter((word) => word.length > 2 && !["eed", "ies"].includes(word));
  await env.SEARCH.exec("CREATE VIRTUAL TABLE porter_words USING fts5 (word, tokenize = 'porter ascii')");
  await env.SEARCH.exec("CREATE VIRTUAL TABLE porter_terms USING fts5vocab (porter_words, 'instance')");
  await env.SEARCH.prepare("INSERT INTO porter_words (rowid, word) SELECT key, value FROM json_each(?1)")
    .bind(JSON.stringify(words))
    .run();
  const { results } = await env.SEARCH.prepare("SELECT doc, term FROM porter_terms").all<{
    doc: number;
    term: string;
  }>();
  expect(results.length).toBe(words.length);
  const wrong = results
    .map(({ doc, term }) => [words[doc], term, stem(words[doc] ?? "")])
    .filter(([, theirs, ours]) => theirs !== ours);
  expect(wrong).toEqual([]);
});
