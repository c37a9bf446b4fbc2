// docs/settings.md is made of the schema: `npx vitest run --project unit test/unit/scripts/settings-doc.test.ts -u`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, it } from "vitest";
import * as z from "zod";
import { settingsSchema } from "../../../src/worker/http/settings.ts";

const read = (file: string): string => readFileSync(join(import.meta.dirname, "../../..", file), "utf8");
const { vars } = parse(read("wrangler.toml")) as { vars: Record<string, string> };
const source = read("src/worker/http/settings.ts");
const SECRET = /(?:SECRET|SECRET_BEFORE|TOKEN|KEY)$/;

interface Shape {
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly format?: string;
  readonly minLength?: number;
  readonly pattern?: string;
}

function allowed(shape: Shape): string {
  if (shape.enum !== undefined) return shape.enum.map((value) => `\`${value}\``).join(", ");
  if (shape.anyOf !== undefined) return `empty, or ${shape.anyOf.map(allowed).at(-1)}`;
  if (shape.format === "uri") return "a URL";
  if (shape.format === "date") return "a day";
  if (shape.pattern !== undefined) return `\`${shape.pattern}\``;
  return (shape.minLength ?? 0) > 1 ? `${shape.minLength} characters or more` : "text";
}

/** Returns the comment of a setting in the schema. */
function meaning(name: string): string {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[^])+)\\*/\\n  ${name}: `).exec(source)?.[1];
  if (comment === undefined) throw new Error(`${name} has no comment`);
  return comment.replace(/\s+(?:\* )?/g, " ").trim();
}

function tables(): string {
  const { properties = {} } = z.toJSONSchema(settingsSchema, { io: "input" });
  const names = Object.keys(properties);
  const rows = (isSecret: boolean, cells: (name: string) => string[]): string[] =>
    names.filter((name) => SECRET.test(name) === isSecret).map((name) => `| ${cells(name).join(" | ")} |`);
  const value = (name: string): string => (vars[name] ? `\`${vars[name]}\`` : "empty");
  return [
    "# Settings",
    "",
    "Settings are in `[vars]` of `wrangler.toml`; `deploy.env` overrides them, environment variables do under `npm run serve` ([self-hosting](self-host.md)). All commands reject invalid values; a",
    "Worker that gets one anyway answers every request with 500. Separate several words by spaces. [The tour](tour.md#start-options) lists",
    "what differs under `npm start`. This page is generated from `src/worker/http/settings.ts`.",
    "",
    "| Setting | Default | Allowed | Meaning |",
    "|---|---|---|---|",
    ...rows(false, (name) => [`\`${name}\``, value(name), allowed(properties[name] as Shape), meaning(name)]),
    "",
    "Secrets are never put there, but into `deploy.secrets.json`, or with `npx wrangler secret put NAME`:",
    "",
    "| Secret | Allowed | Meaning |",
    "|---|---|---|",
    ...rows(true, (name) => [`\`${name}\``, allowed(properties[name] as Shape), meaning(name)]),
    "",
  ].join("\n");
}

it("docs/settings.md has every setting and secret", async () => {
  await expect(tables()).toMatchFileSnapshot("../../../docs/settings.md");
});
