import { expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

const author = { key: "/authors/OL1A", type: "/type/author", name: "Author" };
const work = (number: number, authors: string[], revision = 1) => ({
  key: `/works/OL${number}W`,
  type: "/type/work",
  revision,
  title: `Work ${number}`,
  authors: authors.map((key) => ({ author: { key } })),
});

it("a list of works that was just read shows a work that came or went since", async () => {
  const service = testService({ EDGE_CACHE: "on" });
  const size = async () => {
    // An answer that was made in the moment of a write is not kept.
    service.now += 10;
    return Object(await service.json("/authors/OL1A/works.json"))["size"];
  };
  await service.load(author, work(1, [author.key]));
  expect(await size()).toBe(1);
  await service.load(work(2, [author.key]));
  expect(await size()).toBe(2);
  await service.load(work(1, [], 2));
  expect(await size()).toBe(1);
});
