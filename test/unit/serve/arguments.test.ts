import { describe, expect, it } from "vitest";
import { serveArguments } from "../../../scripts/lib/serve/arguments.ts";

const BASE = "https://books.example.org";

describe("the command line of npm run serve", () => {
  it.each([
    ["an address", [BASE], {}, { baseUrl: BASE, prefix: "" }],
    ["an address with a slash", [`${BASE}/`], {}, { baseUrl: BASE, prefix: "" }],
    [
      "an address with a folder",
      [`${BASE}/catalog/`],
      {},
      { baseUrl: `${BASE}/catalog`, prefix: "/catalog" },
    ],
    [
      "a folder of its own",
      [BASE, "--path-prefix", "/catalog/"],
      {},
      { baseUrl: `${BASE}/catalog`, prefix: "/catalog" },
    ],
    [
      "the defaults",
      [BASE],
      {},
      { host: "127.0.0.1", port: 8080, services: [], content: "empty", stopMs: 20_000 },
    ],
    ["the environment", [BASE], { PORT: "81", STATE_DIR: "/srv/carrel" }, { port: 81, state: "/srv/carrel" }],
    ["a folder of systemd", [BASE], { STATE_DIRECTORY: "/var/lib/carrel" }, { state: "/var/lib/carrel" }],
    [
      "a catalog elsewhere",
      [BASE],
      { CATALOG_URL: "postgres://carrel@db/carrel" },
      { catalog: { primary: "postgres://carrel@db/carrel", near: undefined } },
    ],
    ["an empty variable", [BASE], { CATALOG_URL: "" }, { catalog: undefined }],
    ["a port for programs", [BASE, "--record-store-port", "7000"], {}, { services: [{ port: 7000 }] }],
  ])("takes %s", (_what, [base = "", ...args], env, expected) => {
    expect(serveArguments(["--base-url", base, ...args], env)).toMatchObject(expected);
  });

  it.each([
    ["no address", [], "Which address do readers use?"],
    ["an address of another kind", ["--base-url", "ftp://books.example.org"], "--base-url must be"],
    ["an address with a query", ["--base-url", `${BASE}/?a=1`], "--base-url must be"],
    ["two folders", ["--base-url", `${BASE}/a`, "--path-prefix", "/b"], "names the folder /a"],
    ["an odd folder", ["--base-url", BASE, "--path-prefix", "/a b"], "--path-prefix must be"],
    ["an odd port", ["--base-url", BASE, "--port", "99999"], "--port must be"],
    ["an unknown option", ["--base-url", BASE, "--porte", "1"], "porte"],
    ["a catalog elsewhere", ["--base-url", BASE, "--catalog", "mysql://a@b/c"], "--catalog must be"],
    ["no number of seconds", ["--base-url", BASE, "--stop-seconds", "soon"], "--stop-seconds must be"],
  ])("refuses %s", (_what, args, message) => {
    expect(() => serveArguments(args, {})).toThrow(message);
  });
});
