/** Guide at the beginning of the reference. Its texts are English, like all texts of the API. */
export interface Guide {
  readonly id: string;
  readonly title: string;
  /** Words that people search for, besides those of the text. */
  readonly words: string;
  /** Paragraphs; code stands between backticks, `{base}` and `{rate}` are filled in. */
  readonly text: readonly string[];
  readonly rows?: readonly (readonly [what: string, text: string])[];
}

/** Guides in the order in which a program needs them. */
export const GUIDES: readonly Guide[] = [
  {
    id: "base",
    title: "Base address and formats",
    words: "url host server endpoint json format encoding accept user-agent suffix",
    text: [
      "All paths are below `{base}`. Answers are JSON in UTF-8. Most resources have a page at the same path: add `.json` for data, or send `Accept: application/json`.",
      "Reading needs no account. Send a `User-Agent` with the name of your program and a contact, so that operators can reach you before they block it.",
    ],
  },
  {
    id: "sign-in",
    title: "Signing in",
    words:
      "login authentication auth token api key credentials cookie session password bearer oauth scope pkce app",
    text: [
      "Only changes, and what belongs to one reader, need an account. Three ways: a personal token for your own scripts, OAuth for apps that others use, a session cookie for clients of Open Library. The token of `/system` routes belongs to the operator of this service and opens no account.",
      "A personal token is made at `/account/tokens`, with scopes and an end. Send `Authorization: Bearer carrel_pat_…`, also from scripts of other sites; clients that only know Basic send it as the password. A token that has ended is 401 `invalid_token`, a missing scope 403 `insufficient_scope`.",
      "An app registers at `/oauth2/register`, sends the reader to `/oauth2/authorize` with a PKCE challenge (S256), and exchanges the code at `/oauth2/token`. Any OAuth 2.1 library reads the rest from `/.well-known/oauth-authorization-server`. Access tokens last an hour, refresh tokens are valid once.",
      "`POST /account/login.json` takes a username and a password, or the two parts of an API key from `/account/api-key` as `access` and `secret`, and sets the cookie `session`. Send that cookie with further requests. It ends after 30 days without use.",
    ],
  },
  {
    id: "limits",
    title: "Rate limits",
    words: "rate limit throttling quota 429 retry-after too many requests maximum size budget",
    text: [
      'A network has {rate} requests a minute; large answers count for more. Every answer says what is left: `RateLimit: "default";r=59;t=1` means 59 requests, and one second until there are more. After a 429 or 503, wait as many seconds as `Retry-After` says.',
      "A request has at most 1 MiB unless its operation says otherwise, an answer at most 10 MiB. To read the whole catalog, load a data dump (`/data.json`) and follow `/changes.json`, or harvest `/oai`.",
    ],
  },
  {
    id: "paging",
    title: "Paging",
    words: "pagination page offset limit cursor next links iterate total count numFound",
    text: [
      "Lists take `limit` and `offset`; searches take `page`, too. Lists of records have the path of the next page in `links.next`, and their total in `size`. Searches have their total in `numFound` and end after 10,000 works: narrow the search by a year or a subject, or take a data dump.",
      "`limit` above the maximum of an operation is lowered to it.",
    ],
  },
  {
    id: "errors",
    title: "Errors",
    words: "error status code 400 401 403 404 409 413 422 500 503 failure exception message detail",
    text: [
      "The status says what went wrong, and the body says why. Texts of errors may change, statuses and members do not.",
    ],
    rows: [
      ["400", "The request makes no sense: `detail`, or `error` and `message` with the place"],
      ["401, 403", "No session, or an account without the right; `detail`"],
      ["404", "Nothing at this path: `detail`, or `error` and `key` for a record"],
      ["409", "The record has changed since you read it: read it again, then repeat your change"],
      ["413, 414", "Body, answer or address too large"],
      ["422", "`detail` lists each wrong parameter or member with its place (`loc`) and reason (`msg`)"],
      ["429, 503", "Too many requests, or busy: wait for `Retry-After` seconds"],
    ],
  },
  {
    id: "freshness",
    title: "Freshness and caching",
    words:
      "cache etag if-none-match stale consistency revision 304 conditional bookmark write read-your-writes",
    text: [
      "Answers may be 30 seconds old, searches one minute. Records have their revision as `ETag`: send it back in `If-None-Match` and get 304 without a body if nothing changed, or in `If-Match` of a `PUT` to change only that revision.",
      "Answers to changes have the header `X-Carrel-Bookmark`. Send it with the next requests, or keep the cookie, and they see your change at once.",
    ],
  },
  {
    id: "cors",
    title: "Scripts on other sites",
    words: "cors cross-origin browser javascript fetch access-control-allow-origin jsonp callback preflight",
    text: [
      "Scripts of any origin may read: answers have `Access-Control-Allow-Origin: *` and are sent without cookies. They may not write without a token, and cannot sign a reader in by cookie.",
      "Where an operation has the parameter `callback`, the answer is a script that calls it (JSONP), for pages without `fetch`.",
    ],
  },
  {
    id: "agents",
    title: "Agents",
    words: "mcp model context protocol llm ai assistant claude tools agent connector",
    text: [
      "Programs with a language model connect to `{base}/mcp` by the Model Context Protocol (Streamable HTTP). Tools search, look up, read, cite and list changes without an account; those for shelves, lists and proposals ask the person to sign in.",
      "Each tool calls the operations described here, so their limits and errors apply. An answer has at most 24,000 bytes unless `max_bytes` asks for more; lists go on at `next_cursor`, and failures say what to do next.",
    ],
  },
  {
    id: "compatibility",
    title: "Compatibility",
    words: "open library compatible version stability breaking change migrate client openapi deprecation",
    text: [
      "Clients of Open Library's API work with `{base}` as their base address. What Open Library has, and what stands in `/openapi.json`, changes only with a new major version. New members and parameters may come at any time: ignore what you do not know.",
      "`/openapi.json?audience=public` is the part for readers and their programs, without the routes of operators and forms.",
    ],
  },
];
