// npm: solr-node, pointed at the search listener by its own options.
import SolrClient from "solr-node";
import { describe, expect, inject, it } from "vitest";

const { hostname, port } = new URL(inject("carrel").search);
const client = new SolrClient({ host: hostname, port, core: "openlibrary", protocol: "http" });

interface Work {
  readonly key: string;
  readonly title?: string;
}

/** Members of a response that the package's types lack. */
interface WithFacets {
  readonly facet_counts: { readonly facet_fields: Record<string, (string | number)[]> };
}

/** The types of the package say that a filter is a text; what it takes is a field with a value. */
const filter = (field: string, value: string): string => ({ field, value }) as unknown as string;
const document = {
  key: "/works/OL900W",
  type: "work",
  title: "A Thing by solr-node",
  edition_count: 1,
  subject: ["Clients"],
  subject_facet: ["Clients"],
  subject_key: ["clients"],
  language: ["eng"],
  first_publish_year: 1999,
};
const keysOf = ({ response }: { response: { docs: Work[] } }): string[] =>
  response.docs.map(({ key }) => key);

it("pings", async () => {
  expect(await client.ping()).toMatchObject({ responseHeader: { status: 0 }, status: "OK" });
});

describe("search", () => {
  it("finds documents by words and fields", async () => {
    const answer = await client.search<Work>(
      client.query().q("frankenstein").fq(filter("type", "work")).fl("key,title"),
    );
    expect(answer).toMatchObject({
      responseHeader: { status: 0, params: { q: "frankenstein", fq: "type:work", fl: "key,title" } },
      response: { numFound: 1, start: 0, docs: [{ key: "/works/OL6W", title: "Frankenstein" }] },
    });
    expect(keysOf(await client.search<Work>(client.query().q({ title: "emma", type: "work" })))).toEqual([
      "/works/OL4W",
    ]);
    expect(keysOf(await client.search<Work>('q=title:"mansfield park"&fq=type:work'))).toEqual([
      "/works/OL3W",
    ]);
  });

  it("filters, sorts and pages", async () => {
    const query = () =>
      client
        .query()
        .q("*:*")
        .fq(filter("type", "work"))
        .fq(filter("author_key", "OL1A"))
        .sort({ first_publish_year: "desc", key: "asc" });
    const all = await client.search<Work>(query().rows(100));
    expect(all.response.numFound).toBe(5);
    const pages = await Promise.all(
      [0, 2, 4].map((start) => client.search<Work>(query().start(start).rows(2))),
    );
    expect(pages.flatMap(keysOf)).toEqual(keysOf(all));
  });

  it("counts facets", async () => {
    const query = client
      .query()
      .q("type:work")
      .rows(0)
      .facetQuery({ query: "*:*", field: ["language", "subject_facet"], limit: 3, mincount: 1 });
    const answer = await client.search<Work>(query);
    expect(answer).toMatchObject<Partial<WithFacets>>({
      facet_counts: { facet_fields: { language: expect.arrayContaining(["eng", "fre"]) } },
    });
  });

  it("walks through everything by cursor, and renames fields", async () => {
    interface Walked {
      readonly response: { readonly docs: { readonly id: string }[] };
      readonly nextCursorMark: string;
    }
    const keys: string[] = [];
    for (let mark = "*", next = ""; mark !== next;) {
      next = mark;
      const query = client.query().q("type:edition").sort({ key: "asc" }).fl("id:key").rows(2);
      // The types of the package leave out what it hands over as it is.
      const answer = (await client.search(
        query.addParams([{ field: "cursorMark", value: mark }]),
      )) as unknown as Walked;
      keys.push(...answer.response.docs.map(({ id }) => id));
      mark = answer.nextCursorMark;
    }
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain("/books/OL1M");
  });

  it("is refused by name what there is not", async () => {
    const query = () => client.query().q("frankenstein");
    const asked = [
      query().groupQuery("group=true&group.field=type"),
      query().hlQuery({ fl: "title" }),
      query().mltQuery({ fl: "title" }),
    ];
    for (const one of asked) await expect(client.search(one)).rejects.toThrow("Solr server error: 400");
    expect(await client.terms(client.query().termsQuery({ fl: "language", limit: 1 }))).toMatchObject({
      terms: { language: ["eng", expect.any(Number)] },
    });
  });

  it("makes an error of what cannot be answered", async () => {
    await expect(client.search('q="')).rejects.toThrow("Solr server error: 400");
    await expect(client.search("q=nonsense:x")).rejects.toThrow("Solr server error: 400");
    await expect(client.spell("q=x")).rejects.toThrow("Solr server error: 404");
  });
});

it("adds a document, commits, and deletes it", async () => {
  const find = async () => keysOf(await client.search<Work>('q=key:"/works/OL900W"'));
  expect(await client.update(document, { commit: true })).toMatchObject({
    responseHeader: { status: 0, errors: [] },
  });
  expect(await client.commit()).toMatchObject({ responseHeader: { status: 0 } });
  expect(await client.softCommit()).toMatchObject({ responseHeader: { status: 0 } });
  expect(await find()).toEqual(["/works/OL900W"]);
  expect(keysOf(await client.search<Work>("q=title:thing&fq=subject_key:clients"))).toEqual([
    "/works/OL900W",
  ]);
  expect(await client.delete('key:"/works/OL900W"', { commit: true })).toMatchObject({
    responseHeader: { status: 0 },
  });
  expect(await find()).toEqual([]);
});
