// Addresses as programs send them that escape nothing: Node's own client is one.
import http from "node:http";
import { expect, inject, it } from "vitest";

const carrel = inject("carrel");

it.each([
  [carrel.main, '/search.json?q="frankenstein"&fields=key', "/works/OL6W"],
  [carrel.main, "/search.json?q=frankenstein&fields=key&x=<a>`", "/works/OL6W"],
  [carrel.search, '/solr/openlibrary/select?q=title:"mansfield+park"&fq=type:work', "/works/OL3W"],
])("%s takes %s", async (base, path, key) => {
  const { hostname, port } = new URL(base);
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get({ hostname, port, path }, resolve).on("error", reject);
  });
  let body = "";
  for await (const text of response.setEncoding("utf8")) body += String(text);
  expect(response.statusCode).toBe(200);
  expect(body).toContain(`"key":"${key}"`);
});
