import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const FRANCE = ["New France", "Marie de France"];
const search = async (query: string) => {
  const response = await service.fetch(`/search/subjects.json?${query}`);
  expect(response.status).toBe(200);
  return response.json<{ numFound: number; start: number; docs: Record<string, unknown>[] }>();
};
const names = async (query: string) => (await search(query)).docs.map(({ name }) => name);

beforeAll(async () => {
  await service.load(
    work(1, { subjects: ["Cats", "Science Fiction"], subject_places: ["France"] }),
    work(2, { subjects: ["Cats", "Cats in art"], subject_places: ["France", "New France"] }),
    work(3, { subjects: ["Cats"], subject_people: ["Marie de France"], subject_times: ["1900s"] }),
  );
  await indexAll();
});

describe("GET /search/subjects.json", () => {
  it("returns subjects with kind and count", async () => {
    expect(await search("q=new+france")).toEqual({
      numFound: 1,
      start: 0,
      numFoundExact: true,
      docs: [
        {
          key: "/subjects/place:new_france",
          name: "New France",
          subject_type: "place",
          type: "place",
          work_count: 1,
          count: 1,
        },
      ],
    });
  });

  it.each([
    ["q=cat", ["Cats", "Cats in art"]],
    ["q=france&limit=1", ["France"]],
    ["q=france&offset=1", env.SEARCH_ENGINE === "solr" ? FRANCE.toReversed() : FRANCE],
    ["q=france+AND+subject_type:person", ["Marie de France"]],
    ["q=work_count:[2+TO+*]", ["Cats", "France"]],
    ['q=key:"/subjects/place:france"', ["France"]],
    ["q=key:\\/subjects\\/place*", ["France", "New France"]],
    ["q=1900s", ["1900s"]],
    ["q=", []],
  ])("%s", async (query, expected) => {
    const found = await names(query);
    expect(new Set(found)).toEqual(new Set(expected));
    expect(found[0]).toBe(expected[0]);
  });
});
