import { mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { startArguments } from "../../../scripts/lib/arguments.ts";
import { readConfig } from "../../../scripts/lib/config.ts";
import { refusedSettings, startSettings } from "../../../scripts/lib/start-settings.ts";
import { settingsSchema } from "../../../src/worker/http/settings.ts";

const config = await readConfig();
const { listeners } = startArguments([], {});

async function settingsWith({
  env = {},
  files = {},
}: {
  env?: Record<string, string>;
  files?: Record<string, string>;
}): Promise<Record<string, string>> {
  const state = await mkdtemp(path.join(os.tmpdir(), "carrel-settings-test-"));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(state, name), text);
  return startSettings(config, { listeners, state, env, more: {} });
}

describe("settings of npm start", () => {
  it("are those of a development service, with own secrets and changes of the environment", async () => {
    const settings = await settingsWith({
      env: { DUMPS: "weekly", HOST: "127.0.0.1", ENVIRONMENT: "development" },
    });
    expect(settings).toMatchObject({ ENVIRONMENT: "development", DUMPS: "weekly" });
    expect(settings["SESSION_SECRET"]).toHaveLength(43);
  });

  it.each([
    ["ENVIRONMENT", "production", /development service.*self-host\.md/],
    ["BASE_URL", "https://books.example", /npm run serve/],
    ["HOST", "0.0.0.0", /127\.0\.0\.1 only/],
    ["RECORD_PREFIX", "XX", /starter catalog/],
    ["CATALOG_HYPERDRIVE", "0a1b", /--catalog URL/],
  ])("refuse %s=%s and name alternatives", (name, value, instead) => {
    const [problem = ""] = refusedSettings(config, { [name]: value }, listeners);
    expect(problem).toMatch(new RegExp(`^${name}: .*${instead.source}`));
  });

  it.each(["", "/", "http://localhost:8080", "http://127.0.0.1:8080/"])(
    "accept their own BASE_URL=%s",
    (url) => {
      expect(refusedSettings(config, { BASE_URL: url }, listeners)).toEqual([]);
    },
  );

  it.each<[url: string, isValid: boolean]>([
    ["https://books.example", true],
    ["http://127.0.0.1:8080/", true],
    ["https://[::1]:8080/a", true],
    ["https://host.example/catalog", true],
    ["https://host.example/a-b/~c/v1.0/", true],
    ["https://host.example//", false],
    ["https://host.example/a//b", false],
    ["https://host.example/a/../b", false],
    ["https://host.example/.", false],
    ["https://host.example/a%20b", false],
    ["https://host.example/a;b", false],
    ["https://host.example/a$1", false],
    ["https://host.example/a?b", false],
    ["https://host.example/#a", false],
    ["host.example/catalog", false],
  ])("take BASE_URL=%s: %s", (url, isValid) => {
    expect(settingsSchema.shape.BASE_URL.safeParse(url).success).toBe(isValid);
  });

  it("report all invalid settings together", async () => {
    const env = {
      ENVIRONMENT: "production",
      BASE_URL: "https://books.example",
      LOAD_TOKEN: "of another service",
    };
    await expect(settingsWith({ env })).rejects.toThrow(
      /ENVIRONMENT: .*\nBASE_URL: .*\nLOAD_TOKEN: .*load-token/,
    );
  });

  it("are named with their rules if the worker would refuse them", async () => {
    await expect(settingsWith({ env: { DUMPS: "on" } })).rejects.toThrow(
      /DUMPS of the environment: .*"off"\|"weekly"\|"monthly"/,
    );
  });

  it.each([
    ["load-token", "", 16],
    ["session-secret", "short", 32],
    ["covers-secret", "\n", 16],
  ])("name the file %s with a secret that is too short", async (name, text, length) => {
    await expect(settingsWith({ files: { [name]: text } })).rejects.toThrow(
      new RegExp(`, in \\S+/${name} .*>=${length} characters`),
    );
  });
});

it.each([{ CRON_EVERY_MS: "soon" }, { EMPTY: "yes" }])("npm start refuses %o", (env) => {
  const [name = ""] = Object.keys(env);
  expect(() => startArguments([], { ...env })).toThrow(new RegExp(`^${name} must be`));
});
