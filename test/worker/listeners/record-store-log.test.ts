import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createAccounts } from "../../../src/db/patrons/create-accounts.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const call = (path: string): Promise<Response> =>
  exports.RecordStore.fetch(`http://store.test/openlibrary.org${path}`);
interface Log {
  data: {
    action: string;
    timestamp: string;
    data: { result: unknown; changeset: Record<string, unknown> };
  }[];
  offset: string;
}
const log = async (path: string): Promise<Log> => (await call(`/log/${path}`)).json();
const work = (number: number, revision: number) => ({
  key: `/works/OL${number}W`,
  type: "/type/work",
  revision,
  title: `Title ${revision}`,
});

const DAY = "2026-11-20";
const TIMES = ["00:00:00", "12:00:00", "23:59:59"];

beforeAll(async () => {
  for (const [index, time] of TIMES.entries()) {
    service.now = Date.parse(`${DAY}T${time}Z`);
    await service.load(work(1, index + 1), work(index + 2, 1));
  }
  service.now = Date.parse("2026-11-21T00:00:00Z");
  await service.load(work(9, 1));
});

describe("the log of a day", () => {
  it("has its changes in order, with the documents before and after", async () => {
    const { data, offset } = await log(`${DAY}:0`);
    expect(offset).toBe(`${DAY}:${TIMES.length}`);
    expect(data.map(({ timestamp }) => timestamp.slice(11, 19))).toEqual(TIMES);
    expect(data[1]?.data.result).toEqual([
      { key: "/works/OL1W", revision: 2 },
      { key: "/works/OL3W", revision: 1 },
    ]);
    expect(data[1]?.data.changeset).toMatchObject({
      docs: [{ title: "Title 2" }, { key: "/works/OL3W" }],
      old_docs: [{ title: "Title 1" }, null],
    });
  });

  it("can be followed from where the last answer ended", async () => {
    const seen: string[] = [];
    let at = `${DAY}:0`;
    for (let calls = 0; calls < 10; calls += 1) {
      const { data, offset } = await log(`${at}?limit=1`);
      if (data.length === 0) break;
      seen.push(...data.map(({ timestamp }) => timestamp.slice(11, 19)));
      at = offset;
    }
    expect(seen).toEqual(TIMES);
    expect(at).toBe(`${DAY}:${TIMES.length}`);
  });

  it("begins after a time", async () => {
    const { data, offset } = await log(`${DAY}:0?timestamp=${DAY}T12:00:00`);
    expect(data.map(({ timestamp }) => timestamp.slice(11, 19))).toEqual(["23:59:59"]);
    expect(offset).toBe(`${DAY}:3`);
  });

  it("is empty on a day without changes", async () => {
    expect(await log("2020-01-01:0")).toEqual({ data: [], offset: "2020-01-01:0" });
  });

  it.each(["2026-13-01:0", `${DAY}:0?limit=x`, `${DAY}:0?timestamp=yesterday`])(
    "%s is a 400",
    async (path) => {
      expect((await call(`/log/${path}`)).status).toBe(400);
    },
  );
});

describe("accounts", () => {
  beforeAll(async () => {
    const created = "2026-11-20T00:00:00.000000";
    await createAccounts(env.PATRONS, [
      { username: "Jane", email: "Jane@example.com", passwordHash: "secret", created },
    ]);
  });

  const jane = {
    _key: "account/Jane",
    type: "account",
    username: "Jane",
    lusername: "jane",
    email: "Jane@example.com",
    status: "active",
    bot: false,
    created_on: "2026-11-20T00:00:00.000000",
  };

  it.each(["username=jane", "username=JANE", "email=jane@EXAMPLE.com"])(
    "are found by %s, without the password",
    async (by) => {
      expect(await (await call(`/account/find?${by}`)).json()).toEqual(jane);
    },
  );

  it("are null when there is none", async () => {
    expect(await (await call("/account/find?username=nobody")).json()).toBeNull();
    expect(await (await call("/account/find_user_by_email?email=no@example.com")).json()).toBeNull();
  });

  it("have a name for an e-mail address", async () => {
    expect(await (await call("/account/find_user_by_email?email=jane@example.com")).json()).toBe("Jane");
  });

  it("need an argument", async () => expect((await call("/account/find")).status).toBe(400));
});
