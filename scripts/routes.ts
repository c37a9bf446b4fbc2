// Prints every route with its access level and the scope that tokens need; docs/access.md explains the levels.
import { importSource } from "./lib/import-source.ts";
import { type RouteLine, routeLines } from "./lib/route-lines.ts";

const { ROUTES } = await importSource<{ ROUTES: RouteLine[] }>("src/worker/routes.ts");
process.stdout.write(routeLines(ROUTES));
