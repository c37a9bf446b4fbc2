import { type EditionRow, type Starter, type WorkRow, readStarter } from "../../../scripts/lib/starter.ts";

function duplicates(what: string, ids: (string | number)[]) {
  const again = ids.filter((id, index) => ids.indexOf(id) !== index);
  return again.map((id) => `${what} ${id} occurs twice`);
}

const weightedSum = (isbn: string, weight: (index: number) => number) =>
  [...isbn].reduce((sum, digit, index) => sum + weight(index) * (digit === "X" ? 10 : Number(digit)), 0);

function isIsbn(isbn: string) {
  if (/^\d{9}[\dX]$/.test(isbn)) return weightedSum(isbn, (index) => 10 - index) % 11 === 0;
  return /^97[89]\d{10}$/.test(isbn) && weightedSum(isbn, (index) => (index % 2 ? 3 : 1)) % 10 === 0;
}

function editionProblems({
  title,
  publishers,
  publish_date,
  languages,
  isbn_10 = [],
  isbn_13 = [],
  id,
}: EditionRow) {
  const cores = isbn_13.map((isbn) => isbn.slice(3, 12));
  const differs = isbn_10.some((isbn) => cores.length > 0 && !cores.includes(isbn.slice(0, 9)));
  const wrong = Object.entries({
    "no title": !title?.trim(),
    "no publisher": !publishers?.some((name) => name.trim() !== ""),
    "no publish date": !publish_date?.trim(),
    "no language": !languages?.length,
    "bad ISBN": ![...isbn_10, ...isbn_13].every(isIsbn),
    "ISBN-10 and ISBN-13 differ": differs,
  });
  return wrong.flatMap(([problem, is]) => (is ? [`edition ${id}: ${problem}`] : []));
}

function languagesUsed({ original_languages = [], translated_titles = [], editions }: WorkRow) {
  const ofEditions = editions.flatMap((row) => [...row.languages, ...(row.translated_from ?? [])]);
  return [...original_languages, ...translated_titles.map((row) => row.language), ...ofEditions];
}

function referenceProblems({ languages, authors, series, works, items }: Starter, editions: EditionRow[]) {
  const codes = languages.filter((row) => !row.deprecated).map((row) => `language ${row.code}`);
  const ids = [...authors.map((row) => `author ${row.id}`), ...series.map((row) => `series ${row.id}`)];
  const scans = editions.map((row) => `scan ${row.ocaid}`);
  const known = new Set([...codes, ...ids, ...scans]);
  const successors = languages.flatMap((row) => row.current ?? []).map((code) => `language ${code}`);
  const used = works.flatMap((work) => [
    ...(work.authors ?? []).map((id) => `author ${id}`),
    ...(work.series ?? []).map((edge) => `series ${edge.id}`),
    ...languagesUsed(work).map((code) => `language ${code}`),
  ]);
  const lent = items.map((row) => `scan ${row.ocaid}`);
  const unknown = [...successors, ...used, ...lent].filter((name) => !known.has(name));
  return unknown.map((name) => `unknown ${name}`);
}

function identityProblems({ languages, authors, series, works }: Starter, editions: EditionRow[]) {
  const kinds: [string, (string | number)[]][] = [
    ["language", languages.map((row) => row.code)],
    ["author", authors.map((row) => row.id)],
    ["series", series.map((row) => row.id)],
    ["work", works.map((row) => row.id)],
    ["edition", editions.map((row) => row.id)],
    ["scan", editions.flatMap((row) => row.ocaid ?? [])],
    ["ISBN", editions.flatMap((row) => [...(row.isbn_10 ?? []), ...(row.isbn_13 ?? [])])],
  ];
  return kinds.flatMap(([what, ids]) => duplicates(what, ids));
}

/** Lists problems of the data files. */
export async function starterProblems(): Promise<string[]> {
  const starter = await readStarter();
  const { languages, authors, series, works } = starter;
  const editions = works.flatMap((work) => work.editions);
  const names = [...languages, ...authors, ...series].map((row) => row.name);
  const texts = [...names, ...works.map((work) => work.title)];
  const blank = texts.filter((text) => !text || text !== text.trim());
  const badCodes = languages.filter((row) => !/^[a-z]{3}$/.test(row.code));
  const bare = works.filter((work) => work.editions.length === 0);
  return [
    ...identityProblems(starter, editions),
    ...referenceProblems(starter, editions),
    ...blank.map((text) => `empty or padded name: "${text}"`),
    ...badCodes.map((row) => `bad language code ${row.code}`),
    ...bare.map((work) => `work ${work.id}: no edition`),
    ...editions.flatMap(editionProblems),
  ];
}
