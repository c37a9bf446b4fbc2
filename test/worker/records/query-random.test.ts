import { beforeAll, describe, expect, it } from "vitest";
import { type Document, type NaiveCondition, meets, naiveQuery } from "../../support/worker/naive-query.ts";
import { queriesOf } from "../../support/worker/queries.ts";
import { randomCatalog, randomCondition } from "../../support/worker/random-catalog.ts";
import { type Random, randomFrom } from "../../support/worker/random.ts";
import { documentOf, testService } from "../../support/worker/service.ts";

const SEEDS = [1, 2];
const QUERIES = 60;
const TYPES = [
  "/type/edition",
  "/type/work",
  "/type/author",
  "/type/delete",
  "/type/redirect",
  "/type/nothing",
];

const service = testService();
const { keys } = queriesOf(service);
const CATALOG = randomCatalog(randomFrom(20261121), 150);
const DOCUMENTS: Document[] = CATALOG.map(documentOf);

beforeAll(async () => {
  await service.load(...randomFrom(7).shuffled(CATALOG));
});

/** The JSON of a condition: a value, or a list of them. */
function entry({ path, operator, values }: NaiveCondition, label: string): [string, unknown] {
  const written = values.map((value) => {
    if ("text" in value) return value.text;
    return "number" in value ? value.number : { key: value.key };
  });
  const name = `${label}${path}${operator === "=" ? "" : operator}`;
  return [name, written.length === 1 ? written[0] : written];
}

function randomTypes(random: Random): string[] {
  const types = Array.from({ length: random.chance(0.8) ? 1 : 2 }, () => random.pick(TYPES.slice(0, 3)));
  return random.chance(0.1) ? [random.pick(TYPES)] : types;
}

describe.each(SEEDS)("random queries, seed %i", (seed) => {
  const random = randomFrom(seed);
  const cases = Array.from({ length: QUERIES }, () => {
    const types = randomTypes(random);
    const conditions = Array.from({ length: random.below(4) }, () => randomCondition(random));
    return { types, conditions };
  });

  it("match a naive evaluation, page by page", async () => {
    let found = 0;
    for (const { types, conditions } of cases) {
      const query = Object.fromEntries([
        ["type", types.length === 1 ? types[0] : types],
        ...conditions.map((condition, index) => entry(condition, `l${index}:`)),
      ]);
      const typed = { path: "type", operator: "=", values: types.map((key) => ({ key })) };
      const expected = naiveQuery(DOCUMENTS, [typed, ...conditions]).map(({ key }) => key);
      found += expected.length;
      expect(await keys({ ...query, limit: 1000 }), JSON.stringify(query)).toEqual(expected);
      const [limit, offset] = [random.below(5), random.below(5)];
      const page = expected.slice(offset, offset + limit);
      expect(await keys({ ...query, limit, offset }), JSON.stringify(query)).toEqual(page);
      const reversed = expected.toSorted().toReversed();
      expect(await keys({ ...query, limit: 1000, sort: "-key" })).toEqual(reversed);
    }
    // Queries that find nothing would prove nothing.
    expect(found).toBeGreaterThan(QUERIES);
  });
});

it("random conditions on one element match a naive evaluation", async () => {
  const random = randomFrom(99);
  const names = ["", "Ann", "Bob", "ann", "The Who", "A"];
  const urls = ["http://a", "http://b", "/works/OL1W", "http://c"];
  let found = 0;
  for (let turn = 0; turn < QUERIES; turn += 1) {
    const type = random.pick(TYPES.slice(0, 3));
    const parts: NaiveCondition[] = [
      { path: "title", operator: random.pick(["=", "!="]), values: [{ text: random.pick(names) }] },
      { path: "url", operator: random.pick(["=", "<"]), values: [{ text: random.pick(urls) }] },
    ];
    const expected = DOCUMENTS.filter((document) => {
      const links: unknown[] = Array.isArray(document["links"]) ? document["links"] : [];
      const isType = Object(document["type"]).key === type;
      return isType && links.some((link) => parts.every((part) => meets(link, part)));
    });
    const query = { type, links: Object.fromEntries(parts.map((part) => entry(part, ""))), limit: 1000 };
    found += expected.length;
    expect((await keys(query)).toSorted(), JSON.stringify(query)).toEqual(
      expected.map(({ key }) => key).toSorted(),
    );
  }
  expect(found).toBeGreaterThan(QUERIES);
});
