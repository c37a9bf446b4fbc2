/**
 * Values that break services: query texts, numbers, sort orders, field names, and JSON. The same random
 * numbers give the same values.
 */
import { generateQuery } from "./query-generator.ts";

/** Returns numbers in [0, 1). */
export type Random = () => number;

const FIELDS = (
  "title subtitle alternative_title alternative_subtitle chapter by_statement publish_date publish_place publisher " +
  "first_sentence series_name format subject time oclc title_suggest lccn contributor place person author_name " +
  "author_alternative_name key redirects edition_key author_key author_facet publisher_facet ia ia_collection isbn " +
  "language ebook_provider series_key series_position subject_key person_key place_key time_key lcc ddc lcc_sort " +
  "ddc_sort ebook_access has_fulltext cover_i edition_count publish_year first_publish_year number_of_pages_median " +
  "lexile ratings_count readinglog_count want_to_read_count osp_count trending_score_hourly_sum trending_z_score " +
  "id_goodreads id_x by trending name alternate_names birth_date death_date date top_subjects work_count " +
  "subject_type list_type seed last_modified seed_count type text subject_facet person_facet place_facet time_facet " +
  "public_scan_b ia_box_id ratings_sortable ebook_count_i unknown work.title edition.title edition.isbn edition.key " +
  "edition.publish_year _root_ * random title_sort"
).split(" ");
const WORDS = (
  "harry potter love the of a e s history rowling 1984 hobbit fiction war king stephen night 9780439554930 OL1W " +
  "/works/OL1W /authors/OL50000002A eng borrowable true 2003 PZ73 813.54 science_fiction récits 日本語 한국어 ß"
).split(" ");
const STRANGE = [
  ..."\u0000 \u0001 \u001f \u007f \u0085 \u200b \u2028 \ufeff \ufffe \ud800 \udfff \ud83d 😀 % %% \\ ' \" ` ;".split(
    " ",
  ),
  "\n",
  "\r\n",
  "\t",
  "a\u0301".repeat(50),
  "' OR 1=1 --",
  "{!join}",
  "{!terms f=key}a,b",
  "${jndi:x}",
  "<script>",
  "../../etc",
  "null",
  "NaN",
];
const SORTS = (
  "editions,old,new,trending_score_hourly_sum,trending,trending asc,rating,rating asc,readinglog,want_to_read," +
  "currently_reading,already_read,stopped_reading,title,scans,lcc_sort,lcc_sort desc,ddc_sort,ddc_sort desc," +
  "ebook_access,ebook_access asc,osp_count,osp_count asc,key,key desc,random,random desc,random.hourly,random.daily," +
  "random_x,random_x desc,name,name asc,work_count desc,birth_date asc,birth_date desc,last_modified,last_modified asc," +
  "seed_count,seed_count asc,score desc,score asc,edition_count desc,title_sort asc,random_1 asc"
).split(",");
const NUMBERS =
  "0 0 1 2 7 20 100 1000 1001 9999 10000 10001 100000 2147483648 9007199254740991 9007199254740992 1e3 -1 -0 1.5 0x10 x".split(
    " ",
  );
const LONG_LENGTH = 16_384;
const CONDITIONS_MAX = 300;
const DEPTH_MAX = 40;
const REPEATS_MAX = 1000;

export function anyOf<Value>(random: Random, values: readonly Value[]): Value {
  return values[below(random, values.length)] as Value;
}

export function below(random: Random, limit: number) {
  return Math.floor(random() * limit);
}

/** Creates a query text of a reader or an attacker. */
export function hostileText(random: Random): string {
  const kind = random();
  if (kind < 0.3) return words(random);
  if (kind < 0.5) return generateQuery(random);
  if (kind < 0.75) return conditions(random);
  if (kind < 0.9) return anyOf(random, SHAPES)(random);
  return `${words(random)}${anyOf(random, STRANGE)}${random() < 0.5 ? words(random) : ""}`;
}

function words(random: Random) {
  return Array.from({ length: 1 + below(random, 4) }, () => anyOf(random, WORDS)).join(" ");
}

function conditions(random: Random) {
  const parts = Array.from({ length: 1 + below(random, 4) }, () => condition(random));
  return parts.join(anyOf(random, [" ", " AND ", " OR ", " NOT ", " -"]));
}

function condition(random: Random): string {
  const [one, other] = [anyOf(random, WORDS), anyOf(random, WORDS)];
  const cut = one.slice(0, 1 + below(random, 4));
  const values = [
    one,
    `"${one} ${other}"`,
    `(${one} OR ${other})`,
    `[${one} TO ${other}]`,
    `{* TO ${other}]`,
    `[${one} TO *}`,
    "[* TO *]",
    "*",
    `${cut}*`,
    `*${cut}*`,
    `*${cut}`,
    `${cut}*${other.slice(-2)}`,
    `${cut}?${other}`,
    `${one}~2`,
    `${one}^5`,
    "-1",
    "[-5 TO 5]",
    "[1900 TO 2000]",
    "99999999999999999999",
    "1.5e300",
    '""',
    "()",
    anyOf(random, STRANGE),
  ];
  return `${anyOf(random, FIELDS)}:${anyOf(random, values)}`;
}

/** Large or deep texts. */
const SHAPES: ((random: Random) => string)[] = [
  (random) => repeatParts(random, " OR ", () => anyOf(random, WORDS)),
  (random) => repeatParts(random, " ", (index) => `w${index}`),
  (random) => repeatParts(random, " OR ", (index) => `w${index % 9}*`),
  (random) => repeatParts(random, " OR ", (index) => `${String.fromCodePoint(97 + (index % 26))}*`),
  (random) => repeatParts(random, " AND ", (index) => `*${anyOf(random, WORDS).slice(0, 3)}${index % 7}*`),
  (random) => repeatParts(random, " OR ", () => condition(random)),
  (random) => repeatParts(random, " OR ", (index) => `edition_count:[${index} TO ${index + 1}]`),
  (random) => repeatParts(random, " OR ", (index) => `first_publish_year:[${1000 + index} TO *]`),
  (random) => repeatParts(random, " NOT ", () => condition(random)),
  (random) => repeatParts(random, " ", () => `-${condition(random)}`),
  (random) => repeatParts(random, " OR ", (index) => `key:/works/OL${50_000_000 + index}W`),
  (random) => repeatParts(random, " OR ", (index) => `edition.isbn:97800000${10_000 + index}`),
  (random) => nest(random, words(random), ["(", ")"]),
  (random) => nest(random, "c", ["(a OR (b AND ", "))"]),
  (random) => nest(random, words(random), ["NOT (", ")"]),
  (random) => nest(random, words(random), ["title:(", ")"]),
  (random) => `"${repeatParts(random, " ", () => anyOf(random, WORDS))}"`,
  (random) => `*${anyOf(random, ["a", "e", "ar", "the", "*", "?", "日", "="])}*`,
  (random) => `${anyOf(random, FIELDS)}:*${anyOf(random, ["a", "e", "1", "ar"])}*`,
  (random) =>
    anyOf(random, ["a", "日", "é", "( ", "* ", '"', "a-", "1 ", "\\", "ab* "]).repeat(
      below(random, LONG_LENGTH),
    ),
  (random) => "x".repeat(LONG_LENGTH + below(random, 2)),
  (random) => `${anyOf(random, WORDS)} `.repeat(2000).slice(0, LONG_LENGTH),
];

function repeatParts(random: Random, between: string, part: (index: number) => string) {
  const count = anyOf(random, [2, 5, 16, 17, 32, 33, 100, 255, 256, 257, CONDITIONS_MAX]);
  return Array.from({ length: count }, (_, index) => part(index)).join(between);
}

function nest(random: Random, inner: string, [open, close]: readonly [open: string, close: string]) {
  const depth = anyOf(random, [1, 3, 7, 14, 15, 16, 17, DEPTH_MAX, 101, 500]);
  return open.repeat(depth) + inner + close.repeat(depth);
}

export function hostileNumber(random: Random) {
  return random() < 0.9
    ? anyOf(random, NUMBERS)
    : anyOf(random, ["", " 5 ", "٣", "9".repeat(400), "1_0", "\u0000", "+5"]);
}

export function hostileSort(random: Random) {
  const count = random() < 0.02 ? 200 : 1 + below(random, 3);
  const names = Array.from({ length: count }, () => anyOf(random, SORTS));
  return [...names, ...(random() < 0.1 ? [anyOf(random, STRANGE)] : [])].join(",");
}

export function hostileFields(random: Random) {
  const names = [
    ...FIELDS,
    ..."* id_* *_facet editions editions.title editions.* availability description".split(" "),
  ];
  names.push(..."providers work.description editions.description trending_* ********a ?? score".split(" "));
  const count = random() < 0.02 ? 1000 : 1 + below(random, 6);
  return Array.from({ length: count }, () => anyOf(random, names)).join(anyOf(random, [",", ", ", ",,"]));
}

export function hostileFlag(random: Random) {
  return anyOf(random, ["true", "false", "true", "false", "TRUE", "1", "", "null"]);
}

export function hostileValue(random: Random) {
  return anyOf(random, [
    hostileText,
    hostileNumber,
    (one) => anyOf(one, WORDS),
    (one) => anyOf(one, STRANGE),
  ])(random);
}

/** Creates the JSON of a query, valid or not. */
export function hostileJson(random: Random) {
  const wrong = [
    "",
    "null",
    "[]",
    "1",
    '"a"',
    "{",
    '{"q":null}',
    '{"q":{}}',
    '{"q":[[]]}',
    "[".repeat(5000),
    "nul\u0000",
  ];
  if (random() < 0.3) return anyOf(random, wrong);
  const members: [string, unknown][] = Array.from({ length: 1 + below(random, 4) }, () => [
    anyOf(random, [...PARAMETERS, "q", "q", "editions.sort", "wt", "__proto__", "constructor", "unknown"]),
    anyOf(random, [jsonText, jsonText, jsonOther])(random),
  ]);
  return JSON.stringify(Object.fromEntries(members));
}

function jsonText(random: Random): unknown {
  return random() < 0.1 ? hostileSort(random) : hostileValue(random);
}

function jsonOther(random: Random): unknown {
  const list = Array.from({ length: below(random, 5) }, () => hostileValue(random));
  return anyOf(random, [
    true,
    false,
    null,
    0,
    -1.5,
    1e300,
    {},
    { a: 1 },
    [],
    list,
    [list],
    Array(REPEATS_MAX).fill("a"),
  ]);
}

/** Search parameters that filter works. */
const PARAMETERS = (
  "title publisher oclc lccn contributor subject place person time author isbn has_fulltext public_scan " +
  "print_disabled author_key author_facet subject_facet person_facet place_facet time_facet publisher_facet " +
  "first_publish_year language public_scan_b"
).split(" ");
