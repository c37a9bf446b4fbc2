import { expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

const service = testService();

it("GET /favicon.ico leads to the icon", async () => {
  const response = await service.fetch("/favicon.ico");
  expect(response.status).toBe(301);
  expect(response.headers.get("Location")).toBe("/static/favicon.ico");
  const icon = await service.fetch("/static/favicon.ico");
  expect(icon.status).toBe(200);
  expect(new Uint8Array(await icon.arrayBuffer()).slice(0, 4)).toEqual(new Uint8Array([0, 0, 1, 0]));
});
