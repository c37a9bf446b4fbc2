export interface RouteLine {
  method: string;
  path: string;
  access: string;
  scope?: string;
}

/** Formats the routes with their access levels and the scopes of tokens, one per line, sorted by path. */
export function routeLines(routes: readonly RouteLine[]) {
  const lines = routes.map(({ method, path, access, scope = "-" }) => `${path} ${method} ${access} ${scope}`);
  return lines
    .toSorted()
    .map((line) => {
      const [path = "", method = "", access = "", scope = ""] = line.split(" ");
      return `${method.padEnd(6)} ${access.padEnd(15)} ${scope.padEnd(8)} ${path}\n`;
    })
    .join("");
}
