import { expect, it } from "vitest";
import { bylineOf, addByline } from "../../../../src/search/query/byline.ts";
import { parseWorkQuery } from "../../../../src/search/query/parse-query.ts";
import { show } from "./show.ts";

it.each([
  ["jane eyre by charlotte bronte", "jane eyre", "charlotte bronte"],
  ["death by water by kenzaburo oe", "death by water", "kenzaburo oe"],
  ["die leiden by johann von goethe", "die leiden", "johann von goethe"],
  ["cien años de soledad DE gabriel", "cien años de soledad", "gabriel"],
  ["nana par emile", "nana", "emile"],
  ["by night", undefined, undefined],
  ["stand by", undefined, undefined],
  ["jane eyre", undefined, undefined],
  ["", undefined, undefined],
])("splits %s", (text, title, author) => {
  const byline = bylineOf(text.split(" "), (word) => word);
  expect([byline?.title.join(" "), byline?.author.join(" ")]).toEqual([title, author]);
});

const expanded = (text: string) => show(addByline(parseWorkQuery(text, { prefix: "OL" }).query));

it("searches for the word or the author, with all other conditions", () => {
  const named = "or(author_name:oe, author_alternative_name:oe)";
  expect(expanded("a by oe language:eng")).toBe(`and(a, or(and(by, oe), ${named}), language:eng)`);
  expect(expanded("(a by oe) OR b")).toBe("or(and(a, by, oe), b)");
});

it.each(["a b", "title:(a by oe)", 'a "by" oe', "a by o*", "a NOT by oe"])("leaves %s unchanged", (text) => {
  expect(expanded(text)).toBe(show(parseWorkQuery(text, { prefix: "OL" }).query));
});
