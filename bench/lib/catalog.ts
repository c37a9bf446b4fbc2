/** Words of titles and names. */
const WORDS =
  "river night garden letters history silver winter stone voyage mirror island song shadow field light".split(
    " ",
  );
/** Creation time of all records. */
export const TIME = "2026-01-01T00:00:00.000000";

/**
 * Yields the dump lines of a synthetic catalog: an author for every second work, and one or two editions of
 * each work. `first` is the number of the first work.
 */
export function* catalogLines(works: number, first = 1) {
  for (let n = first; n < first + works; n += 1) {
    const author = Math.ceil(n / 2);
    if (n % 2 === 1)
      yield dumpLine("author", `/authors/OL${author}A`, { name: `${word(author)} ${word(author * 7)}` });
    yield dumpLine("work", `/works/OL${n}W`, {
      title: title(n),
      authors: [{ type: { key: "/type/author_role" }, author: { key: `/authors/OL${author}A` } }],
      subjects: [word(n), word(n * 3), word(n * 5), "Fiction"],
      description: `${title(n * 11)}. ${title(n * 13)}. ${title(n * 17)}.`,
    });
    for (const edition of n % 3 === 0 ? [2 * n - 1, 2 * n] : [2 * n - 1]) yield editionLine(edition, n);
  }
}

/** Number of lines that `catalogLines` yields. */
export function catalogSize(works: number) {
  return works + Math.ceil(works / 2) + works + Math.floor(works / 3);
}

function editionLine(n: number, work: number) {
  return dumpLine("edition", `/books/OL${n}M`, {
    title: title(work),
    works: [{ key: `/works/OL${work}W` }],
    publishers: [`${word(n)} Press`],
    publish_date: String(1900 + (n % 120)),
    languages: [{ key: "/languages/eng" }],
    number_of_pages: 100 + (n % 400),
    isbn_13: [isbn13(n)],
    oclc_numbers: [String(10_000_000 + n)],
    source_records: [`bench:${n}`],
    covers: [n],
  });
}

/** Returns the ISBN of the n-th edition. */
export function isbn13(n: number) {
  const digits = `978${String(n).padStart(9, "0")}`;
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return digits + ((10 - (sum % 10)) % 10);
}

export function title(n: number) {
  return `The ${word(n)} of ${word(n * 3 + 1)} ${word(n * 5 + 2)} ${n}`;
}

function word(n: number) {
  return WORDS[n % WORDS.length] ?? "";
}

/** Formats a record of revision 1 as a line of a dump. */
export function dumpLine(type: string, key: string, members: Record<string, unknown>) {
  const time = { type: "/type/datetime", value: TIME };
  const envelope = { latest_revision: 1, revision: 1, created: time, last_modified: time };
  return [
    `/type/${type}`,
    key,
    1,
    TIME,
    JSON.stringify({ key, type: { key: `/type/${type}` }, ...members, ...envelope }),
  ].join("\t");
}
