import { describe, expect, it } from "vitest";
import { storePatronKeys, remotePatrons } from "../../../src/worker/lending/service/patron-keys.ts";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import { patronOf } from "../../../src/worker/http/session.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { env } from "cloudflare:workers";

const context = { settings: settingsOf(env), stores: storesOf(env) };
const loans = patronOf(context.stores, "Keyholder").loans;
const keys = () => remotePatrons(context).keysOf("Keyholder");

describe("patron keys for remote lending", () => {
  it("are stored sealed with a fresh nonce, and opened again", async () => {
    const sealed = new Set<string | null>();
    for (let turn = 0; turn < 2; turn += 1) {
      await storePatronKeys(context, "Keyholder", "an-access:a-secret");
      sealed.add(await loans.keys());
    }
    expect(sealed.size).toBe(2);
    expect([...sealed].join(" ")).not.toMatch(/access|secret/);
    expect(await keys()).toEqual({ access: "an-access", secret: "a-secret" });
  });

  it("are undefined when the stored text or the secret changed", async () => {
    await storePatronKeys(context, "Keyholder", "an-access:a-secret");
    const sealed = (await loans.keys()) ?? "";
    const other = { ...context, settings: { ...context.settings, SESSION_SECRET: "x".repeat(32) } };
    expect(await remotePatrons(other).keysOf("Keyholder")).toBeUndefined();
    await loans.setKeys(sealed.replace(/\../, (first) => (first === ".A" ? ".Q" : ".A")));
    expect(await keys()).toBeUndefined();
  });
});
