import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { workReadingOf } from "../../../src/db/search/stored-work.ts";
import { createWorkSource } from "../../../src/db/search/work-pages.ts";
import { worksByKey } from "../../../src/search/engine/search-works.ts";
import { copiedMembersOf, RETURNABLE_WORK_FIELDS } from "../../../src/search/present/expand.ts";
import { DEFAULT_FIELDS, project } from "../../../src/search/present/selected-fields.ts";
import { applyTo, at, testWork } from "../../support/worker/index-documents.ts";

const IDENTIFIERS = ["id_goodreads", "id_project_gutenberg", "id_better-world-books", "id_nothing"];
const NAMES = [...RETURNABLE_WORK_FIELDS, ...IDENTIFIERS];
const index = { database: env.SEARCH, generation: "a", prefix: "OL" } as const;
const known = testWork({
  number: 1,
  members: {
    title: 'The "sea" \\ a\u0001 \u{1F41F}',
    subtitle: "Its ways",
    subjects: ["Fish", "Water"],
    subject_places: ["Cuba"],
    covers: [12],
  },
  editions: [
    {
      title: "The sea",
      publishers: ["Press"],
      publish_date: "1952",
      number_of_pages: 127,
      languages: [{ key: "/languages/eng" }],
      isbn_10: ["0306406152"],
      lc_classifications: ["PS3515.E37"],
      ocaid: "theseaitsways00test",
      identifiers: { goodreads: ["7"], project_gutenberg: ["9", "10"], "better-world-books": ["8"] },
    },
    { title: "Das Meer", publish_date: "1960", languages: [{ key: "/languages/ger" }] },
  ],
  authors: [3, 4],
  counts: { ratings: [0, 1, 0, 2, 5], wantToRead: 3, alreadyRead: 1 },
});
const works = [known, testWork({ number: 2 })];

beforeAll(() => applyTo("a", { works: works.map((one) => at(1, one)) }));

async function read(fields?: readonly string[]) {
  const keys = works.map(({ key }) => key);
  const wish = { withEditions: false, ...(fields && { fields }) };
  return (await worksByKey(createWorkSource(index), keys, wish)).documents;
}

it("a single field equals the whole document's", async () => {
  const whole = await read();
  for (const name of NAMES) {
    const expected = whole.map((document) => (name in document ? { [name]: document[name] } : {}));
    expect(await read([name]), name).toEqual(expected);
  }
  expect(Object.keys(whole[0] ?? {}).filter((name) => !NAMES.includes(name))).toEqual([]);
});

it.each([[["title"]], [DEFAULT_FIELDS], [NAMES], [NAMES.filter((name) => copiedMembersOf([name]))]])(
  "several fields equal the whole document's",
  async (fields) => {
    const whole = await read();
    expect(await read(fields)).toEqual(whole.map((document) => project(document, fields)));
  },
);

it.each([29, 30])("%i extra members can be read", async (count) => {
  const fields = [...Array.from({ length: count - 1 }, (_, place) => `id_some_${place}`), "id_goodreads"];
  expect(await read(fields)).toEqual([{ id_goodreads: ["7"] }, {}]);
  // Beside the document there may be 31 arguments.
  const { columns } = workReadingOf({ fields, withEditions: false }).sql("a", "1");
  expect(columns.join().split("$.").length - 1).toBe(count === 29 ? 31 : 0);
});

it("copied members are read alone", () => {
  expect(copiedMembersOf(["title", "type", "has_fulltext", "ratings", "id_goodreads"])).toEqual([
    "title",
    "identifiers.id_goodreads",
  ]);
  for (const name of ["*", "id_*", "subject_facet", "seed", "ratings_count", "id_better-world-books"])
    expect(copiedMembersOf(["title", name]), name).toBeUndefined();
});

it.each([
  ["as it is stored", "brief"],
  ["where it was not stored yet", "NULL"],
  ["where other members, or another order, were stored", `'0' || brief`],
])("default fields are equal %s", async (_state, stored) => {
  const large = testWork({ number: 5, members: { title: "Long", subjects: longSubjects() }, authors: [3] });
  await applyTo("a", { works: [large, ...works].map((one) => at(2, one)) });
  const keys = [large, ...works].map(({ key }) => key);
  const readThese = async (fields: readonly string[]) =>
    (await worksByKey(createWorkSource(index), keys, { withEditions: false, fields })).documents;
  const whole = await readThese([...DEFAULT_FIELDS, "number_of_pages_median"]);
  await env.SEARCH.prepare(`UPDATE work_ranking_a SET brief = ${stored}`).run();
  expect(await readThese(DEFAULT_FIELDS)).toEqual(whole.map((document) => project(document, DEFAULT_FIELDS)));
  expect(await readThese(["title"])).toEqual([
    { title: "Long" },
    ...whole.slice(1).map(({ title }) => ({ title })),
  ]);
});

function longSubjects(): string[] {
  return Array.from({ length: 5000 }, (_subject, place) => `Subject ${place} ${"x".repeat(90)}`);
}
