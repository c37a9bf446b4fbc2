import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { type Patron, SESSIONS_MAX, WRONG_CODES_MAX } from "../../../src/durable/patron/patron.ts";
import { SESSION_IDLE_DAYS } from "../../../src/durable/patron/sessions.ts";
import { openToken, sealToken } from "../../../src/worker/http/cookie.ts";

const SECRET = "a secret of at least thirty-two characters";
const OTHER = "another secret of at least thirty-two chars";
const TOKEN = { username: "Jane_Doe-1", time: "2026-01-18T17:25:46", id: "0aB-_c9" };
const DAY = 86_400_000;

describe("sealToken and openToken", () => {
  it("start with the percent-encoded username, which clients parse", async () => {
    const text = await sealToken(TOKEN, SECRET);
    expect(text).toMatch(/^\/people\/Jane_Doe-1%2C2026-01-18T17%3A25%3A46%2C\w{6}\.0aB-_c9%24[\w-]{43}$/);
    expect(text.split("/")[2]?.split("%2C")[0]).toBe("Jane_Doe-1");
    expect(/(?<=\/people\/).*?(?=%)/.exec(text)?.[0]).toBe("Jane_Doe-1");
  });

  it("accept percent-encoded, plain and octal-quoted tokens", async () => {
    const text = await sealToken(TOKEN, SECRET);
    const raw = decodeURIComponent(text);
    for (const form of [text, raw, `"${raw.replaceAll(",", "\\054")}"`, `"${raw}"`]) {
      expect(await openToken(form, [SECRET])).toEqual(TOKEN);
    }
  });

  it("accept older secrets, and no other", async () => {
    const text = await sealToken(TOKEN, OTHER);
    expect(await openToken(text, [SECRET, OTHER])).toEqual(TOKEN);
    expect(await openToken(text, [SECRET])).toBeUndefined();
  });

  it.each([
    ["nothing", () => ""],
    ["two parts", (raw: string) => raw.split(",").slice(0, 2).join(",")],
    ["another user", (raw: string) => raw.replace("Jane", "Joan")],
    ["another time", (raw: string) => raw.replace("2026", "2027")],
    ["another session", (raw: string) => raw.replace("0aB", "0aC")],
    ["another place", (raw: string) => raw.replace("/people/", "/person/")],
    ["a changed signature", (raw: string) => raw.slice(0, -2) + (raw.endsWith("AA") ? "BB" : "AA")],
    ["no signature", (raw: string) => raw.slice(0, raw.indexOf("$") + 1)],
    ["bad encoding", (raw: string) => `${raw}%E0%A4%A`],
    ["too long a text", (raw: string) => raw + "A".repeat(1000)],
  ])("refuse a token with %s", async (_name, change) => {
    const raw = decodeURIComponent(await sealToken(TOKEN, SECRET));
    expect(await openToken(change(raw), [SECRET])).toBeUndefined();
  });
});

describe("Patron: sessions", () => {
  let patron: DurableObjectStub<Patron>;
  let count = 0;
  const session = (id: string, opened = 0) => ({
    id,
    opened,
    expires: opened + DAY,
    remembered: false,
    client: "192.0.2.1",
  });

  beforeEach(() => {
    patron = env.PATRON.getByName(`patron-${(count += 1)}`);
  });

  it("are open until they expire or are closed", async () => {
    expect(await patron.openSession(session("a"))).toBe(true);
    expect(await patron.openSession(session("b"))).toBe(true);
    expect(await patron.useSession("a", DAY - 1)).toBe(true);
    expect(await patron.useSession("a", DAY)).toBe(false);
    await patron.closeSession("b");
    expect(await patron.useSession("b", 1)).toBe(false);
    expect(await patron.useSession("c", 1)).toBe(false);
  });

  it("are listed with the time of their last use", async () => {
    await patron.openSession(session("a"));
    await patron.openSession(session("b", 5));
    await patron.useSession("a", DAY / 2);
    expect((await patron.sessions(DAY - 1)).map(({ id, seen }) => [id, seen])).toEqual([
      ["a", DAY / 2],
      ["b", 5],
    ]);
    expect(await patron.sessions(2 * DAY)).toEqual([]);
  });

  it("end when idle, also remembered ones", async () => {
    const idle = SESSION_IDLE_DAYS * DAY;
    const remembered = { ...session("a"), expires: 365 * DAY, remembered: true };
    await patron.openSession(remembered);
    await patron.openSession({ ...remembered, id: "b" });
    expect(await patron.useSession("a", idle - 1)).toBe(true);
    expect(await patron.useSession("a", 2 * idle - 2)).toBe(true);
    expect(await patron.useSession("b", idle)).toBe(false);
    expect((await patron.sessions(idle)).map(({ id }) => id)).toEqual(["a"]);
    expect(await patron.useSession("a", 3 * idle)).toBe(false);
    expect(await patron.sessions(3 * idle)).toEqual([]);
  });

  it("are bounded: the least recently used one ends", async () => {
    for (let index = 0; index <= SESSIONS_MAX; index += 1)
      await patron.openSession(session(`s${index}`, index));
    const open = await patron.sessions(SESSIONS_MAX);
    expect(open).toHaveLength(SESSIONS_MAX);
    expect(await patron.useSession("s0", SESSIONS_MAX)).toBe(false);
    expect(await patron.useSession("s1", SESSIONS_MAX)).toBe(true);
  });

  it("end when the patron is barred, and cannot be opened meanwhile", async () => {
    await patron.openSession(session("a"));
    await patron.bar(true);
    expect(await patron.useSession("a", 1)).toBe(false);
    expect(await patron.openSession(session("b"))).toBe(false);
    await patron.bar(false);
    expect(await patron.openSession(session("c"))).toBe(true);
  });

  it("can be closed except for one", async () => {
    for (const id of ["a", "b", "c"]) await patron.openSession(session(id));
    await patron.closeSessions("b");
    expect((await patron.sessions(1)).map(({ id }) => id)).toEqual(["b"]);
  });

  it("are not opened by a login that began before all were closed", async () => {
    await patron.closeSessions("", 10);
    await patron.closeSessions("", 5);
    expect(await patron.openSession(session("a", 9))).toBe(false);
    expect(await patron.openSession(session("b", 10))).toBe(true);
    await patron.bar(true);
    await patron.bar(false);
    expect(await patron.openSession(session("c", 9))).toBe(false);
  });

  it("open by a code once, in time and after few wrong ones", async () => {
    await patron.setCode("right", DAY);
    expect(await patron.takeCode("wrong", 1)).toBe(false);
    expect(await patron.takeCode("right", 1)).toBe(true);
    expect(await patron.takeCode("right", 1)).toBe(false);
    await patron.setCode("right", DAY);
    expect(await patron.takeCode("right", DAY)).toBe(false);
    expect(await patron.takeCode("right", 1)).toBe(false);
    await patron.setCode("right", DAY);
    await patron.bar(true);
    expect(await patron.takeCode("right", 1)).toBe(false);
    await patron.setCode("older", DAY);
    await patron.setCode("right", DAY);
    for (let turn = 0; turn < WRONG_CODES_MAX; turn += 1) await patron.takeCode("older", 1);
    expect(await patron.takeCode("right", 1)).toBe(false);
  });

  it("keep preferences when others change", async () => {
    expect(await patron.setPreferences({ public_readlog: "yes", updates: "no" })).toEqual({
      public_readlog: "yes",
      updates: "no",
    });
    expect(await patron.setPreferences({ updates: "yes" })).toEqual({
      public_readlog: "yes",
      updates: "yes",
    });
  });

  it("keep set preferences when defaults are added", async () => {
    await patron.setPreferences({ public_readlog: "no" });
    await patron.addPreferences({ public_readlog: "yes", updates: "yes" });
    expect(await patron.preferences()).toEqual({ public_readlog: "no", updates: "yes" });
  });
});
