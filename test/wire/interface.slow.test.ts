// Every route of test/wire/interface.md is called on a service with the starter catalog, and answers as its line says.
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { knownToken } from "../../scripts/lib/local-state.ts";
import { interfaceLines } from "../support/node/interface-lines.ts";
import { InterfaceWorld, kindOf } from "../support/node/interface-world.ts";

const READY_SECONDS = 180;
const PREPARING_MS = 240_000;
const lines = interfaceLines();

describe("test/wire/interface.md", () => {
  it("says of every route how it stands", () => {
    const states = lines.filter(({ state }) => !/^(?:answers|differs: \S.+|not served: \S.+)$/.test(state));
    expect(states.map(({ route, state }) => `${route}: ${state}`)).toEqual([]);
  });
});

describe("every route of test/wire/interface.md", () => {
  const state = { folder: "", service: undefined as ServiceProcess | undefined };
  const world = { current: undefined as InterfaceWorld | undefined };

  beforeAll(async () => {
    state.folder = await mkdtemp(path.join(os.tmpdir(), "carrel-interface-"));
    state.service = ServiceProcess.start(["--state", path.join(state.folder, "state")]);
    const url = await state.service.ready(READY_SECONDS);
    const token = (await knownToken(path.join(state.folder, "state"))) ?? "";
    world.current = new InterfaceWorld(url, token);
    await world.current.prepare();
  }, PREPARING_MS);
  afterAll(() => state.service?.kill());

  it.each(lines.map((line) => [`${line.method} ${line.route} (${line.example.path})`, line] as const))(
    "%s",
    async (_name, line) => {
      const response = await world.current!.call(line);
      const { status, kind } = line.expected;
      const found = `${response.status} ${await kindOf(response)}`.trim();
      expect(found).toBe(`${status} ${kind}`.trim());
      // Text declares UTF-8, even if embedded; the policy limits every body that a browser might show as a page.
      const type = response.headers.get("Content-Type") ?? "";
      if (/^(?!image).*(?:text|xml)/.test(type)) expect(type).toMatch(/; charset="?utf-8"?$/);
      expect(response.headers.get("Content-Security-Policy")).toContain("frame-ancestors");
      expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
      if (status >= 300 && status < 400) expect(response.headers.get("Location")).not.toBeNull();
    },
  );
});
