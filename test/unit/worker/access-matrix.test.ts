// docs/access.md is made of the route table: `npx vitest run --project unit test/unit/worker -u` writes it anew.
import { expect, it } from "vitest";
import { ROUTES } from "../../../src/worker/routes.ts";
import { ALLOWED, ROLES } from "../../support/access/roles.ts";

function matrix(): string {
  const head = `| Method | Path | Access | ${ROLES.join(" | ")} |`;
  const rule = `|${"---|".repeat(ROLES.length + 3)}`;
  const lines = ROUTES.map(({ method, path, access }) => {
    const cells = ROLES.map((role) => (ALLOWED[access].includes(role) ? "yes" : "-"));
    return `| ${method} | \`${path}\` | ${access} | ${cells.join(" | ")} |`;
  });
  return [
    "# Who may call which route",
    "",
    "Made from the route table (`src/worker/routes.ts`) by a test; another one calls every route in every role. `XX` is the",
    "record prefix. `blocked` is a patron whose account is blocked; `operator` is the holder of `LOAD_TOKEN`, and",
    "`cover-writer` that of `COVERS_SECRET`, both without a session. Routes with access `development` exist on development",
    "services only, those with `inspector` for administrators elsewhere, too. Passing this gate is not all: writes ask the permission of each record as well, and some routes show",
    "patrons nothing but what is their own.",
    "",
    head,
    rule,
    ...lines,
    "",
  ].join("\n");
}

it("the matrix in docs/access.md is that of the route table", async () => {
  await expect(matrix()).toMatchFileSnapshot("../../../docs/access.md");
});
