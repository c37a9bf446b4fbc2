import { expect, it } from "vitest";
import { ORIGIN, testService } from "../../support/worker/service.ts";

it("GET / says what this is and where it is described", async () => {
  expect(await testService().json("/")).toEqual({
    name: "Carrel",
    version: "1.0.0",
    documentation: `${ORIGIN}/docs`,
  });
  const configured = testService({ BASE_URL: "https://books.example/" });
  expect(await configured.json("/")).toMatchObject({ documentation: "https://books.example/docs" });
});
