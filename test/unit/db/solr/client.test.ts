import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { DocumentsTooLarge } from "../../../../src/db/records/record-rows.ts";
import { Collection, SolrError, WAITING_MAX } from "../../../../src/db/solr/client.ts";
import { mergeSegments } from "../../../../src/db/solr/solr-writes.ts";

/** Response of the server; undefined if it never responds. */
let answer: { status: number; body: string } | undefined;
let asked: http.IncomingMessage[] = [];
const server = http.createServer((request, response) => {
  asked.push(request);
  if (answer !== undefined) response.writeHead(answer.status).end(answer.body);
});
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/solr`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const collection = (limits = {}) =>
  new Collection({ url, credentials: "ann:secret", collection: "books" }, "a", limits);
const schema = z.object({ response: z.object({ numFound: z.int() }) });
const ask = (limits = {}) => collection(limits).ask("query", { query: "*:*" }, schema);
const ok = { responseHeader: { status: 0 }, response: { numFound: 3 } };

it("sends credentials with requests", async () => {
  answer = { status: 200, body: JSON.stringify(ok) };
  expect(await ask()).toEqual({ response: { numFound: 3 } });
  expect(asked[0]?.url).toBe("/solr/books_a/query");
  expect(asked[0]?.headers.authorization).toBe(`Basic ${btoa("ann:secret")}`);
});

it("keeps versions beyond the digits of a number", async () => {
  const docs = '[{"_version_":1882602566732218368,"document":"{\\"_version_\\":1}"}]';
  answer = { status: 200, body: `{"responseHeader":{},"docs":${docs}}` };
  const found = await collection().ask("get", {}, z.looseObject({ docs: z.array(z.unknown()) }));
  expect(found.docs).toEqual([{ _version_: "1882602566732218368", document: '{"_version_":1}' }]);
});

it.each([
  ["an error", 500, '{"responseHeader":{"status":500},"error":{"msg":"no"}}'],
  ["no JSON", 200, "<html>busy</html>"],
  ["half an answer", 200, '{"responseHeader":{},"response":{"numFo'],
  ["no head", 200, '{"response":{"numFound":3}}'],
  ["a part of what there is", 200, JSON.stringify({ ...ok, responseHeader: { partialResults: true } })],
  ["another answer", 200, '{"responseHeader":{},"response":{"numFound":"many"}}'],
  ["null", 200, "null"],
])("throws a SolrError for %s", async (_name, status, body) => {
  answer = { status, body };
  await expect(ask()).rejects.toThrow(SolrError);
});

it("stops reading a response of more than 32 MiB", async () => {
  answer = { status: 200, body: JSON.stringify({ ...ok, padding: "x".repeat(33 * 1024 * 1024) }) };
  await expect(ask()).rejects.toThrow(DocumentsTooLarge);
});

it("distinguishes merged segments from current ones", async () => {
  answer = undefined;
  const readerWith = (limits = {}) => ({
    collection: collection(limits),
    prefix: "OL",
    vocabulary: new Map(),
  });
  expect(await mergeSegments(readerWith({ write: 50 }))).toBe(false);
  const reader = readerWith();
  answer = { status: 500, body: "no" };
  await expect(mergeSegments(reader)).rejects.toThrow(SolrError);
  answer = { status: 200, body: '{"responseHeader":{}}' };
  expect(await mergeSegments(reader)).toBe(true);
  expect(asked.at(-1)?.url).toBe("/solr/books_a/update?optimize=true&maxSegments=1");
});

it("times out, and limits waiting requests", async () => {
  answer = undefined;
  const waiting = Array.from({ length: WAITING_MAX + 5 }, () =>
    ask({ ask: 50 }).catch((error: unknown) => error),
  );
  const errors = await Promise.all(waiting);
  expect(errors.every((error) => error instanceof SolrError)).toBe(true);
  expect(errors.filter((error) => String(error).includes("too many requests"))).toHaveLength(5);
  answer = { status: 200, body: JSON.stringify(ok) };
  expect(await ask()).toEqual({ response: { numFound: 3 } });
});
