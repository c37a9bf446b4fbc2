// The catalog that the service under test holds. The books and their ISBNs are real; keys, covers, scans and
// the other numbers are made up.

type Members = Record<string, unknown>;
interface Fixture extends Members {
  readonly key: string;
  readonly type: string;
}

const CREATED = "2026-11-01T00:00:00.000000";
const MODIFIED = "2026-11-02T08:30:00.500000";

const language = (code: string, name: string): Fixture => ({
  key: `/languages/${code}`,
  type: "/type/language",
  code,
  name,
});

const author = (olid: string, name: string, members: Members = {}): Fixture => ({
  key: `/authors/${olid}`,
  type: "/type/author",
  name,
  ...members,
});

/** A work; `by` is the author's id. */
const work = (olid: string, by: string, { title, ...members }: Members): Fixture => ({
  key: `/works/${olid}`,
  type: "/type/work",
  title,
  authors: [{ type: { key: "/type/author_role" }, author: { key: `/authors/${by}` } }],
  ...members,
});

/** An edition; `of` is the work's id. */
const edition = (olid: string, of: string, { title, ...members }: Members): Fixture => ({
  key: `/books/${olid}`,
  type: "/type/edition",
  title,
  works: [{ key: `/works/${of}` }],
  ...members,
});

const redirect = (key: string, location: string): Fixture => ({ key, type: "/type/redirect", location });

const text = (value: string): Members => ({ type: "/type/text", value });
const ENGLISH = [{ key: "/languages/eng" }];
const AUSTEN = [{ key: "/authors/OL1A" }];

const AUTHORS: Fixture[] = [
  author("OL1A", "Jane Austen", {
    personal_name: "Austen, Jane",
    birth_date: "16 December 1775",
    death_date: "18 July 1817",
    bio: text("English novelist of the landed gentry."),
    alternate_names: ["A Lady"],
    remote_ids: { wikidata: "Q36322" },
    photos: [21],
  }),
  author("OL2A", "Mary Shelley", { birth_date: "1797", bio: "Author of Frankenstein." }),
  author("OL3A", "Herman Melville"),
  author("OL4A", "Bram Stoker"),
  author("OL5A", "Gustave Flaubert"),
  author("OL6A", "Miguel de Cervantes Saavedra"),
  author("OL7A", "Franz Kafka"),
  redirect("/authors/OL8A", "/authors/OL2A"),
];

const WORKS: Fixture[] = [
  work("OL1W", "OL1A", {
    title: "Pride and Prejudice",
    description: text("Elizabeth Bennet meets Mr Darcy."),
    first_publish_date: "1813",
    first_sentence: text("It is a truth universally acknowledged."),
    subjects: ["In library", "Courtship", "Fiction, romance"],
    subject_people: ["Elizabeth Bennet"],
    subject_places: ["England"],
    subject_times: ["19th century"],
    links: [{ title: "Text", url: "https://www.gutenberg.org/ebooks/1342", type: { key: "/type/link" } }],
    covers: [11],
  }),
  work("OL2W", "OL1A", { title: "Sense and Sensibility", first_publish_date: "1811" }),
  work("OL3W", "OL1A", { title: "Mansfield Park", first_publish_date: "1814" }),
  work("OL4W", "OL1A", { title: "Emma", first_publish_date: "1815" }),
  work("OL5W", "OL1A", { title: "Northanger Abbey", first_publish_date: "1817" }),
  work("OL6W", "OL2A", {
    title: "Frankenstein",
    description: "A student makes a creature.",
    subjects: ["Horror tales"],
  }),
  work("OL7W", "OL3A", {
    title: "Moby-Dick",
    subjects: ["Accessible book", "Whaling"],
    subject_people: ["Captain Ahab"],
  }),
  work("OL8W", "OL4A", { title: "Dracula" }),
  work("OL9W", "OL5A", { title: "Madame Bovary" }),
  work("OL10W", "OL6A", { title: "Don Quijote de la Mancha" }),
  work("OL11W", "OL7A", { title: "Die Verwandlung" }),
  redirect("/works/OL12W", "/works/OL6W"),
];

const EDITIONS: Fixture[] = [
  edition("OL1M", "OL1W", {
    title: "Pride and Prejudice",
    authors: AUSTEN,
    publishers: ["Penguin Classics"],
    publish_places: ["London"],
    publish_date: "December 31, 2002",
    number_of_pages: 435,
    isbn_10: ["0141439513"],
    isbn_13: ["9780141439518"],
    lccn: ["2003-55604"],
    oclc_numbers: ["51109862"],
    identifiers: { goodreads: ["1885"] },
    languages: ENGLISH,
    physical_format: "Paperback",
    covers: [11, 12],
  }),
  edition("OL2M", "OL1W", {
    title: "Pride and prejudice",
    subtitle: "a novel",
    authors: AUSTEN,
    publishers: ["T. Egerton"],
    publish_date: "1813",
    ocaid: "prideprejudice00aust",
    source_records: ["ia:prideprejudice00aust"],
    languages: ENGLISH,
  }),
  edition("OL3M", "OL2W", {
    title: "Sense and Sensibility",
    authors: AUSTEN,
    publishers: ["Penguin Books"],
    publish_date: "2003",
    isbn_10: ["0141439661"],
    isbn_13: ["978-0-14-143966-2"],
  }),
  edition("OL4M", "OL4W", {
    title: "Emma",
    publishers: ["Penguin Classics"],
    publish_date: "2003",
    number_of_pages: 474,
    isbn_13: ["9780141439587"],
    languages: ENGLISH,
  }),
  edition("OL5M", "OL6W", {
    title: "Frankenstein",
    subtitle: "or, the modern Prometheus",
    authors: [{ key: "/authors/OL2A" }],
    publishers: ["Penguin Classics", "Penguin Books"],
    publish_places: ["London", "New York"],
    publish_date: "2003",
    number_of_pages: 273,
    isbn_13: ["9780141439471"],
    oclc_numbers: ["ocm51053994"],
    languages: ENGLISH,
    covers: [-1],
  }),
  edition("OL6M", "OL7W", {
    title: "Moby-Dick",
    subtitle: "or, The Whale",
    authors: [{ key: "/authors/OL3A" }],
    publishers: ["Penguin Books"],
    publish_date: "2003",
    number_of_pages: 625,
    isbn_10: ["0142437247"],
    isbn_13: ["9780142437247"],
    ocaid: "mobydickorwhale00melv",
    languages: ENGLISH,
    covers: [13],
  }),
  edition("OL7M", "OL8W", {
    title: "Dracula",
    authors: [{ key: "/authors/OL4A" }],
    publishers: ["Penguin Classics"],
    publish_date: "2003",
    number_of_pages: 454,
    isbn_10: ["014143984X"],
    languages: ENGLISH,
  }),
  edition("OL8M", "OL9W", {
    title: "Madame Bovary",
    subtitle: "mœurs de province",
    authors: [{ key: "/authors/OL5A" }],
    publishers: ["Gallimard"],
    publish_date: "2001",
    isbn_13: ["9782070413119"],
    languages: [{ key: "/languages/fre" }],
  }),
  edition("OL9M", "OL10W", {
    title: "Don Quijote de la Mancha",
    authors: [{ key: "/authors/OL6A" }],
    publishers: ["Alfaguara"],
    publish_date: "2015",
    isbn_13: ["9788420412146"],
    languages: [{ key: "/languages/spa" }],
  }),
  edition("OL10M", "OL11W", {
    title: "Die Verwandlung",
    authors: [{ key: "/authors/OL7A" }],
    publishers: ["Reclam"],
    publish_date: "1995",
    isbn_13: ["9783150099001"],
    languages: [{ key: "/languages/ger" }],
  }),
  redirect("/books/OL11M", "/books/OL1M"),
  { key: "/books/OL12M", type: "/type/delete" },
];

const LANGUAGES: Fixture[] = [
  language("eng", "English"),
  language("fre", "French"),
  language("ger", "German"),
  language("spa", "Spanish"),
];

/** Text of the dump file with which the service under test is filled. */
export function fixtureDump(): string {
  const records = [...LANGUAGES, ...AUTHORS, ...WORKS, ...EDITIONS];
  return records.map((record) => `${dumpLine(record)}\n`).join("");
}

function dumpLine({ key, type, ...members }: Fixture): string {
  const envelope = {
    revision: 1,
    latest_revision: 1,
    created: { type: "/type/datetime", value: CREATED },
    last_modified: { type: "/type/datetime", value: MODIFIED },
  };
  return [type, key, 1, MODIFIED, JSON.stringify({ key, type: { key: type }, ...members, ...envelope })].join(
    "\t",
  );
}
