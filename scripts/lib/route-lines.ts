export interface RouteLine {
  method: string;
  path: string;
  access: string;
}

/** Formats the routes with their access levels, one per line, sorted by path. */
export function routeLines(routes: readonly RouteLine[]) {
  const lines = routes.map(({ method, path, access }) => `${path} ${method} ${access}`);
  return lines
    .toSorted()
    .map((line) => {
      const [path = "", method = "", access = ""] = line.split(" ");
      return `${method.padEnd(6)} ${access.padEnd(15)} ${path}\n`;
    })
    .join("");
}
