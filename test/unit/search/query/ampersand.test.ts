// Q654
import { expect, it } from "vitest";
import { addAmpersands } from "../../../../src/search/query/ampersand.ts";
import { parseWorkQuery } from "../../../../src/search/query/parse-query.ts";
import { show } from "./show.ts";

const expanded = (text: string) => show(addAmpersands(parseWorkQuery(text, { prefix: "OL" }).query));

it.each([
  ["husky and his", 'and(husky, or(and, "husky his"), his)'],
  ["Krieg UND Frieden", 'and(Krieg, or(UND, "Krieg Frieden"), Frieden)'],
  ["a and b language:eng", 'and(a, or(and, "a b"), b, language:eng)'],
  [
    "title:(a et b)",
    'and(alternative_title:a, or(alternative_title:et, alternative_title:"a b"), alternative_title:b)',
  ],
  ['"husky & his"', 'or("husky & his", "husky his", "husky and his")'],
  ['-"husky and his"', 'not(or("husky and his", "husky his"))'],
])("%s", (text, shown) => expect(expanded(text)).toBe(shown));

it.each(["husky & his", "and his", "his and", "a OR and OR b", "subject:(a and b)", "a and b*"])(
  "leaves %s unchanged",
  (text) => expect(expanded(text)).toBe(show(parseWorkQuery(text, { prefix: "OL" }).query)),
);
