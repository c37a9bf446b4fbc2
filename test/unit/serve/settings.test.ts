import { mkdtemp, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../scripts/lib/config.ts";
import { serveSettings, readSecretFiles } from "../../../scripts/lib/serve/settings.ts";

const config = await readConfig();
const more = { BASE_URL: "https://books.example.org" };

async function settingsWith(env: Record<string, string>, state?: string): Promise<Record<string, string>> {
  const folder = state ?? (await mkdtemp(path.join(os.tmpdir(), "carrel-serve-test-")));
  return serveSettings(config, { state: folder, env, more });
}

describe("settings of npm run serve", () => {
  it("are those of production, with secrets that are made once", async () => {
    const state = await mkdtemp(path.join(os.tmpdir(), "carrel-serve-test-"));
    const first = await settingsWith({ DUMPS: "weekly" }, state);
    expect(first).toMatchObject({ ENVIRONMENT: "production", DUMPS: "weekly", METRICS_LOG: "on", ...more });
    const { SESSION_SECRET, LOAD_TOKEN } = await settingsWith({}, state);
    expect([SESSION_SECRET, LOAD_TOKEN]).toEqual([first["SESSION_SECRET"], first["LOAD_TOKEN"]]);
    expect((await stat(path.join(state, "session-secret"))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["ENVIRONMENT", "development", "npm start is the development service"],
    ["CATALOG_HYPERDRIVE", "0a1b", "use --catalog"],
    ["LOAD_TOKEN", "a-token-of-one's-own", "LOAD_TOKEN: unset it"],
    ["DUMPS", "hourly", "DUMPS"],
    ["MAIL_URL", "mail.example.org", "MAIL_URL"],
  ])("refuse %s=%s", async (name, value, message) => {
    await expect(settingsWith({ [name]: value })).rejects.toThrow(message);
  });
});

describe("secrets in files", () => {
  const folder = mkdtemp(path.join(os.tmpdir(), "carrel-secrets-test-"));
  const fileOf = async (text: string): Promise<string> => {
    const file = path.join(await folder, "secret");
    await writeFile(file, text);
    return file;
  };

  it("replace variables", async () => {
    const env = await readSecretFiles({ SMTP_URL_FILE: await fileOf("smtp://mail.example.org\n") });
    expect(env["SMTP_URL"]).toBe("smtp://mail.example.org");
  });

  it("are missed, and are not mixed with variables", async () => {
    await expect(readSecretFiles({ MAIL_TOKEN_FILE: "/nowhere" })).rejects.toThrow(
      "there is no file /nowhere",
    );
    const MAIL_TOKEN_FILE = await fileOf("one");
    await expect(readSecretFiles({ MAIL_TOKEN: "other", MAIL_TOKEN_FILE })).rejects.toThrow("set twice");
  });
});
