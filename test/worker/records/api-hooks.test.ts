import { expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const answerOf = async (path: string, method: string) => {
  const response = await service.fetch(path, { method, ...(method === "POST" ? { body: "{}" } : {}) });
  return [response.status, await response.text(), response.headers.get("Allow")];
};

it.each([
  ["GET", "/api/import", "POST, OPTIONS"],
  ["HEAD", "/api/import", "POST, OPTIONS"],
  ["PUT", "/api/import", "POST, OPTIONS"],
  ["DELETE", "/api/import/ia", "POST, OPTIONS"],
  ["PATCH", "/api/%69mport", "POST, OPTIONS"],
  ["GET", "/api/ils_search", "POST, OPTIONS"],
  ["GET", "/api/write", "POST, OPTIONS"],
  ["POST", "/api/get", "GET, HEAD, OPTIONS"],
  ["POST", "/api/get_many", "GET, HEAD, OPTIONS"],
  ["POST", "/api/versions", "GET, HEAD, OPTIONS"],
  ["PUT", "/api/things.json", "GET, HEAD, OPTIONS"],
])("%s %s answers 405 without a body", async (method, path, allowed) => {
  expect(await answerOf(path, method)).toEqual([405, "", allowed]);
});

it.each([
  ["GET", "/api/nothing"],
  ["GET", "/api/GET"],
  ["POST", "/api/nothing"],
  ["PUT", "/api/nothing.json"],
  ["DELETE", "/api/import/nothing"],
  ["GET", "/api/import.json"],
])("%s %s answers 404 without a body", async (method, path) => {
  expect(await answerOf(path, method)).toEqual([404, "", null]);
});

it("other routes below /api stay reachable", async () => {
  expect((await service.fetch("/api/get?key=/type/work")).status).toBe(200);
  expect((await service.fetch("/api/get?key=/type/work", { method: "HEAD" })).status).toBe(200);
  expect((await service.fetch("/api/likes")).status).toBe(400);
  expect((await service.fetch("/api/books", { method: "POST", body: "{}" })).status).toBe(422);
  expect((await service.fetch("/api/books", { method: "PUT", body: "{}" })).status).toBe(405);
  expect((await service.fetch("/api")).status).toBe(404);
});
