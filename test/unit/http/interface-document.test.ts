import { describe, expect, it } from "vitest";
import { type LoadedRoute, type Route, loadRoutes } from "../../../src/worker/http/operation.ts";
import { pathPattern, plainPath } from "../../../src/worker/http/paths.ts";
import { ROUTES } from "../../../src/worker/routes.ts";
import { type InterfaceLine, interfaceLines } from "../../support/node/interface-lines.ts";

// test/wire/interface.md against the route table: every route of the interface has a line, and every line a route.

const lines = interfaceLines();
const LOADED_ROUTES = await loadRoutes(ROUTES);
const patterns = LOADED_ROUTES.map((route) => ({ route, ...pathPattern(route, "OL") }));

/** The route that answers the example of a line. */
function routeOf({ method, example }: InterfaceLine): LoadedRoute | undefined {
  // Placeholders that the test of the examples fills in become numbers where the route takes digits.
  const path = plainPath(example.path.split("?")[0] ?? "").replace(/\$(\w+)/g, (_all, name: string) =>
    filled(name),
  );
  return patterns.find(({ route, expression }) => route.method === method && expression.test(path))?.route;
}

function filled(name: string): string {
  const letter = /list/i.test(name) ? "L" : /work/i.test(name) ? "W" : /author/i.test(name) ? "A" : "M";
  return name === "checkIn" ? "1" : name === "today" ? "2026-11-22" : `OL1${letter}`;
}

/** Routes that the interface does not have: of operators, administrators and patrons, and newer ones of the same kinds. */
const BEYOND: readonly RegExp[] = [
  // The service itself.
  /^GET \/(?:status|series|people|openapi\.json|docs(?:\/run|\/\{tag\})?|covers|data\.json|random|advancedsearch|opensearch\.xml|prices\.json|dev\/(?:components|docs\/api\/search))$/,
  // The formats and protocols of others.
  /^(?:GET|POST) \/(?:oai|sru|reconcile)$|^GET \/(?:opds(?:$|[./])|search\.atom$|reconcile\/)|\/feed\.\{format\}$/,
  /^\w+ \/providers\/|^POST \/mcp$/,
  /^POST \/api\/books(?:\.json)?$/,
  /^GET \/(?:unapi$|\.well-known\/)|\.\{format:|\.jsonld$|\/cite\.(?:json|txt)$/,
  /^\w+ \/(?:admin|development|services|site|sitemaps?|tags|stream|bookreader|partials)[./]/,
  /^\w+ \/system\/(?!invalidate)/,
  /^\w+ \/(?:import\/batch|import\/preview$|imports\.json)/,
  // Accounts and what patrons do.
  /^\w+ \/oauth2\//,
  /^GET \/account(?:$|\/(?:api-key|books|export|import|lists|loans|loan-history|login|privacy|remove|sessions|sync-key|tokens)\b(?!.json))/,
  /^GET \/account\/(?:export|import|optional|preferences|protected|sessions|test)\.json$/,
  /^GET \/account\/(?:validate|waitlist)$/,
  /^(?:POST|DELETE) \/account\/(?!log(?:in|out)$)/,
  /^\w+ \/people\/\{username\}(?:$|\/(?:avatar|books$|books\/(?!\{key\}\.json)|follow|preferences|series\/(?:add|\{list_id\})))/,
  /^\w+ \/works\/XX\{work_id\}W\/(?:awards|bookshelves|check-ins\/add|notes|observations|ratings)/,
  /^GET \/works\/XX\{work_id\}W\/check-ins\.json$/,
  /^\w+ \/(?:awards|hide_banner|observations|check-ins\/\{check_in_id\}\/delete|api\/(?:like|likes|patron|monthly_logins))/,
  /^POST \/reading-goal\.json$/,
  /^\w+ \/(?:(?:borrow|read|browse)\.json|books\/\{olid\}\/borrow|api\/(?:un)?link)$/,
  // Records, lists and their pages.
  /^\w+ \/\S*\{slug\}\/(?!borrow)/,
  /^(?:POST|PUT) \/\S*\/(?:edit|add|identifiers|merge-works|seeds)$/,
  /^\w+ \/(?:people\/\{username\}\/)?(?:lists|series)\/(?:add|\{list_id\}\/edit|XX\{list_id\}L)$/,
  /^GET \/(?:lists|series)\/\{list_id\}\/(?:embed|export|feeds)/,
  /^PUT \/(?:people\/\{username\}\/lists\/\{list_id\}\.json|authors\/XX\{author_id\}A\.json|\{key:path\})$/,
  /^(?:POST|GET) \/\{key:path\}$|^\w+ \/works\/(?:merge|XX\{work_id\}W\/delete)\.json$/,
  /^\w+ \/(?:addauthor|(?:authors|works)\/merge|merges|merges\.json|proposals(?:\/\{id\})?\.json|merges\/differing-authors\.json|query\.json|changes\.json|changes\/stream)$/,
  /^\w+ \/recentchanges(?:\.json|\/\{year\}.*\{change\}.*)$/,
  /^GET \/(?:works|books|authors)\/XX\{\w+\}\w$|^GET \/publishers\/XX\{publisher_id\}P\.json$/,
  /^GET \/(?:publishers|subjects|libraries)\.json$|^GET \/(?:publishers|subjects)\/\{key:path\}$|^GET \/languages$/,
  /^GET \/(?:search\/(?!edition$)\w+|search\/(?:facets|languages|publishers)\.json|(?:subjects)?_autocomplete)$/,
  /^GET \/(?:works|series)\/_autocomplete$/,
  /^GET \/stats(?:\.json|\/waitinglists\.json|\/readinglog\.json)$/,
  /^GET \/libraries\/(?:dashboard|pending-\{number\}|\{name\}\/notes)\.json$/,
  /^POST \/libraries\/(?:pending-\{number\}|\{name\}\/notes)$/,
];
const named = ({ method, path }: Route): string => `${method} ${path}`;

describe("test/wire/interface.md", () => {
  it("names the access level of every line", () => {
    const wrong = lines.flatMap((line) => {
      const access = routeOf(line)?.access;
      return access === line.access
        ? []
        : [`${line.method} ${line.route}: ${line.access}, and not ${access}`];
    });
    expect(wrong).toEqual([]);
  });

  it("has a line for every interface route", () => {
    const described = new Set(lines.map(routeOf));
    const operations = new Set([...described].map((route) => route?.operation.id));
    const missing = LOADED_ROUTES.filter(
      (route) =>
        !route.alias &&
        !described.has(route) &&
        !operations.has(route.operation.id) &&
        !BEYOND.some((pattern) => pattern.test(named(route))),
    );
    expect(missing.map(named)).toEqual([]);
  });

  it("calls only routes of the interface that exist", () => {
    const described = lines.flatMap((line) => routeOf(line) ?? []);
    const wrong = described.filter((route) => BEYOND.some((pattern) => pattern.test(named(route))));
    // The last route takes every remaining path as the key of a record.
    expect([...new Set(wrong.map(named))]).toEqual(["GET /{key:path}"]);
    const unused = BEYOND.filter((pattern) => !ROUTES.some((route) => pattern.test(named(route))));
    expect(unused.map(String)).toEqual([]);
  });
});
