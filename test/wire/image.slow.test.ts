// The Dockerfile step by step, and its command under the conditions of compose.yaml: a read-only root file system, a user
// without rights, one volume. Needs the user root and Linux, but no container engine.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess, freePorts } from "../../scripts/lib/service-process.ts";
import {
  type Image,
  readAddedBytes,
  buildImage,
  containerOf,
  execIn,
  shellIn,
} from "../support/node/image.ts";

const READY_SECONDS = 180;
const SIZE_MAX = 300e6;
const isPossible = process.platform === "linux" && process.getuid?.() === 0;

describe.each([
  ["Dockerfile", ["hadolint", "Dockerfile"]],
  ["compose.yaml", ["check-jsonschema", "-q", "--builtin-schema", "vendor.compose-spec", "compose.yaml"]],
])("%s", (_file, [program = "", ...args]) => {
  const isInstalled = spawnSync(program, ["--version"]).status === 0;

  it.skipIf(!isInstalled)("passes its linter", () => {
    const { status, stdout } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8" });
    expect([status, stdout]).toEqual([0, ""]);
  });
});

describe.skipIf(!isPossible)("the image", () => {
  // On the disk of the packages, which are linked, and not in memory.
  mkdirSync(path.join(ROOT, "dist"), { recursive: true });
  const folder = mkdtempSync(path.join(ROOT, "dist/image-"));
  const data = path.join(folder, "data");
  let image: Image;
  let service: ServiceProcess | undefined;
  let port = 0;

  const run = (command: readonly string[]) => {
    const [program = "", ...args] = execIn(image, service?.pid ?? 0, command);
    return promisify(execFile)(program, args);
  };

  beforeAll(async () => {
    image = buildImage(path.join(folder, "stages"));
    image.env["BASE_URL"] = "http://localhost";
    [port = 0] = await freePorts(1);
    image.env["PORT"] = String(port);
    const [program = "", ...args] = shellIn(image, image.command, containerOf(data));
    service = new ServiceProcess(program, args);
    await service.ready(READY_SECONDS);
  }, 600_000);

  afterAll(() => {
    service?.kill();
    rmSync(folder, { recursive: true, force: true });
  }, 120_000);

  it("is small", () => {
    expect(readAddedBytes(image)).toBeLessThan(SIZE_MAX);
  });

  it("has what compose.yaml and the service need, and nothing of the checkout beside it", () => {
    expect(readdirSync(path.join(image.root, "app")).sort()).toEqual(
      [
        "LICENSE",
        "NOTICE",
        "dist",
        "locales",
        "migrations",
        "node_modules",
        "package-lock.json",
        "package.json",
      ].concat(["public", "scripts", "solr", "src", "starter", "tsconfig.json", "wrangler.toml"]),
    );
  });

  it("answers, and its health check holds", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/languages/eng.json`);
    expect(await response.json()).toMatchObject({ key: "/languages/eng" });
    await run(image.health);
  });

  it("runs as a user that can write into the volume alone", async () => {
    const { stdout } = await run(["sh", "-c", "id -u; grep CapEff /proc/self/status"]);
    expect(stdout).toMatch(/^1000\nCapEff:\t0+\n$/);
    for (const place of ["/app", "/usr/local/bin", "/etc"]) {
      await expect(run(["touch", `${place}/x`])).rejects.toThrow();
    }
    await run(["touch", "/data/x", "/tmp/x"]);
  });

  it("runs commands beside the service", async () => {
    const { stdout } = await run(["carrel", "load", "--bootstrap"]);
    expect(stdout).toContain("index");
  });

  it("ends in order", async () => {
    await service?.stop("SIGTERM");
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });
});
