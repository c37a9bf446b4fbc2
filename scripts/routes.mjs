// Prints every route with its access level; docs/access.md says what the levels mean.
import "./lib/require-node.mjs";
import { importSource } from "./lib/import-source.mjs";
import { routeLines } from "./lib/route-lines.mjs";

const { ROUTES } = await importSource("src/worker/routes.ts");
process.stdout.write(routeLines(ROUTES));
