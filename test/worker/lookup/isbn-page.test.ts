import { expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const HTML = { headers: { Accept: "text/html" } };

it.each([
  ["9791234567896", "This book isn’t in the catalog yet", true],
  ["979-1-2345-6789-6", "This book isn’t in the catalog yet", true],
  ["9791234567890", "Not a valid ISBN", false],
  ["123", "Not a valid ISBN", false],
  ["%3Cb%3E", "Not a valid ISBN", false],
])("/isbn/%s: %s", async (isbn, title, isKnown) => {
  const response = await service.fetch(`/isbn/${isbn}`, HTML);
  const text = await response.text();
  expect(response.status).toBe(404);
  expect(text).toContain(`<h1>${title}</h1>`);
  expect(text.includes('<a href="/books/add?isbn=9791234567896">')).toBe(isKnown);
  expect(text).toContain(`<a href="/search?q=${isbn}">`);
  expect(text).not.toContain("<b>");
});

it("answers JSON with 404 for clients", async () => {
  const response = await service.fetch("/isbn/123");
  expect([response.status, await response.json()]).toEqual([404, { error: "notfound", key: "/isbn/123" }]);
});
