/** The whole interface on one page: who may call what, a line a route, by path. */
export function routeLines(routes: readonly { method: string; path: string; access: string }[]) {
  const lines = routes.map(({ method, path, access }) => `${path} ${method} ${access}`);
  return lines
    .toSorted()
    .map((line) => {
      const [path = "", method = "", access = ""] = line.split(" ");
      return `${method.padEnd(6)} ${access.padEnd(15)} ${path}\n`;
    })
    .join("");
}
