import { popularity, popularityLevels } from "../documents/popularity.ts";
import { accessLevel } from "../documents/scans.ts";
import { SUBJECT_TYPES, subjectKey } from "../documents/subject-key.ts";
import type { WorkDocument } from "../documents/types.ts";
import { codeOf } from "../fields.ts";
import { RecentMap } from "../text/recent-map.ts";
import { addBookTokens, adding, addingRecurrent } from "./book-tokens.ts";
import {
  exactTitleToken,
  filterToken,
  languageAccessToken,
  popularityToken,
  yearTokens,
} from "./filter-token.ts";

/** Titles of one work by which it is found as a whole. */
const EXACT_TITLES_MAX = 200;

const SUBTITLE = ": ";

/** Subjects of one kind that are kept in memory with their tokens: at least so many, at most twice. */
const REMEMBERED_SUBJECTS = 5000;
/** Longer ones are not kept, in UTF-16 units. */
const REMEMBERED_LENGTH = 100;

interface SubjectTokens {
  readonly facet: string;
  /** Undefined when the name leaves nothing for a key. */
  readonly key: string | undefined;
}

const SUBJECTS = SUBJECT_TYPES.map((field) => ({
  field,
  facetCode: codeOf(`${field}_facet`),
  keyCode: codeOf(`${field}_key`),
  known: new RecentMap<string, SubjectTokens>(REMEMBERED_SUBJECTS),
}));
const addEditionKeys = adding("edition_key");
const addAuthorKeys = addingRecurrent("author_key");
const addAuthorFacets = addingRecurrent("author_facet");
const addSeriesKeys = adding("series_key");
const addSeriesPositions = adding("series_position");
const addLcc = adding("lcc");
const addDdc = adding("ddc");

/** Exact values of a work, as tokens. */
export function workTokens(document: WorkDocument): string[] {
  const tokens = [filterToken("k", document.key)];
  addBookTokens(tokens, document);
  addEditionKeys(tokens, document.edition_key);
  addAuthorTokens(tokens, document);
  addSubjectTokens(tokens, document);
  addSeriesKeys(tokens, document.series_key);
  addSeriesPositions(
    tokens,
    document.series_position?.filter((position) => position !== ""),
  );
  addLcc(tokens, document.lcc);
  addDdc(tokens, document.ddc);
  if (document.first_publish_year !== undefined)
    tokens.push(...yearTokens("fy", document.first_publish_year));
  addLanguageAccessTokens(tokens, document);
  addPopularityTokens(tokens, document);
  addTitleTokens(tokens, document);
  return tokens;
}

function addAuthorTokens(
  tokens: string[],
  { author_key: keys, author_name: names = [] }: WorkDocument,
): void {
  if (keys === undefined) return;
  addAuthorKeys(tokens, keys);
  addAuthorFacets(
    tokens,
    keys.map((key, index) => `${key} ${names[index] ?? ""}`),
  );
}

function addSubjectTokens(tokens: string[], document: WorkDocument): void {
  const keys: string[] = [];
  for (const kind of SUBJECTS) {
    for (const name of document[kind.field] ?? []) {
      const { facet, key } = subjectTokens(kind, name);
      tokens.push(facet);
      if (key !== undefined) keys.push(key);
    }
  }
  for (const key of keys) tokens.push(key);
}

function subjectTokens(
  { facetCode, keyCode, known }: (typeof SUBJECTS)[number],
  name: string,
): SubjectTokens {
  const remembered = known.get(name);
  if (remembered !== undefined) return remembered;
  const slug = subjectKey(name);
  const made = {
    facet: filterToken(facetCode, name),
    key: slug === "" ? undefined : filterToken(keyCode, slug),
  };
  if (name.length <= REMEMBERED_LENGTH) known.set(name, made);
  return made;
}

/** Language and openness of one and the same edition. */
function addLanguageAccessTokens(tokens: string[], { editions }: WorkDocument): void {
  const highest = new Map<string, number>();
  for (const { language = [], ebook_access: access } of editions) {
    const level = accessLevel(access);
    for (const code of language) highest.set(code, Math.max(level, highest.get(code) ?? 0));
  }
  for (const [language, highestLevel] of highest) {
    for (let level = 0; level <= highestLevel; level += 1) tokens.push(languageAccessToken(language, level));
  }
}

function addPopularityTokens(tokens: string[], document: WorkDocument): void {
  const levels = popularityLevels(popularity(document));
  for (let level = 0; level < levels; level += 1) tokens.push(popularityToken(level));
}

function addTitleTokens(
  tokens: string[],
  { title, subtitle, alternative_title: others = [] }: WorkDocument,
): void {
  const titles = new Set([title]);
  if (subtitle !== undefined) titles.add(title + SUBTITLE + subtitle);
  for (const other of others.slice(0, EXACT_TITLES_MAX)) {
    titles.add(other);
    const at = other.indexOf(SUBTITLE);
    if (at > 0) titles.add(other.slice(0, at));
  }
  for (const text of [...titles].slice(0, EXACT_TITLES_MAX)) {
    const token = exactTitleToken(text);
    if (token !== undefined) tokens.push(token);
  }
}
