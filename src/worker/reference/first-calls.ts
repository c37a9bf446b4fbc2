/** Call of the reference, with placeholders of the catalog's own values: `{work}` is `/works/OL1W`. */
export interface Call {
  /** Id of the operation that the entry leads to. */
  readonly operation: string;
  readonly title: string;
  /** One sentence; code stands between backticks. */
  readonly about: string;
  readonly method?: "POST";
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Fields of a form, in place of a body in JSON. */
  readonly form?: Readonly<Record<string, string>>;
  /** Parameters worth knowing, the most important first. */
  readonly parameters: readonly (readonly [name: string, about: string])[];
  /** `opens` sets the cookie of a session, `needed` sends it; `token` sends a personal token. */
  readonly session?: "opens" | "needed" | "token";
  /** File that an image is stored in. */
  readonly file?: string;
  /** Answer, for calls that the reference does not make itself. */
  readonly answer?: unknown;
}

const TOKEN: Call = {
  operation: "ownPreferences",
  title: "With a personal token",
  about: "Sends the token with a request, here for the settings of its account (scope `account`).",
  path: "/account/preferences.json",
  parameters: [],
  session: "token",
  answer: { public_readlog: "no", safe_mode: "", updates: "no" },
};

const EXCHANGE: Call = {
  operation: "exchangeToken",
  title: "As an app",
  about: "Exchanges the code from the redirect for tokens.",
  method: "POST",
  path: "/oauth2/token",
  form: {
    grant_type: "authorization_code",
    client_id: "CLIENT_ID",
    code: "CODE",
    code_verifier: "VERIFIER",
  },
  parameters: [
    ["code", "from the redirect; it lasts a minute"],
    ["code_verifier", "the text whose SHA-256 was the `code_challenge`"],
    ["grant_type", "later `refresh_token`, with the last `refresh_token` in place of the code"],
  ],
  answer: {
    access_token: "carrel_oat_…",
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: "carrel_ort_…",
    scope: "read shelves",
  },
};

const LOGIN: Call = {
  operation: "loginJson",
  title: "With a session cookie",
  about: "Opens a session. The samples that need one go on from here.",
  method: "POST",
  path: "/account/login.json",
  body: { username: "USERNAME", password: "PASSWORD" },
  parameters: [
    ["username, password", "of the account, or its email address as `username`"],
    ["access, secret", "the parts of an API key, instead"],
  ],
  session: "opens",
  answer: { status: "ok", username: "USERNAME", key: "/people/USERNAME" },
};

/** Ways to sign in, the first for most programs. */
export const SIGN_IN_CALLS: readonly Call[] = [TOKEN, EXCHANGE, LOGIN];

/** The calls that most programs need, in the order in which they need them. */
export const FIRST_CALLS: readonly Call[] = [
  {
    operation: "search",
    title: "Search for books",
    about: "Finds works by words, fields and filters, with the members that you name.",
    path: "/search.json?q={q}&fields=key,title,author_name,first_publish_year&limit=2",
    parameters: [
      ["q", "words, or a query such as `title:emma AND language:eng`"],
      ["fields", "members to return; `editions` adds the best matching edition"],
      ["limit, page", "works per page, at most 1,000, and the page from 1"],
      ["sort", "`new`, `old`, `editions`, `rating`, `title`; by default the best match first"],
    ],
  },
  {
    operation: "isbnRedirect",
    title: "Look up an ISBN",
    about: "Redirects to the edition with an ISBN of 10 or 13 digits, with or without hyphens.",
    path: "/isbn/{isbn}.json",
    parameters: [["value", "the ISBN; `/oclc/…`, `/lccn/…` and `/ia/…` work alike"]],
  },
  {
    operation: "booksScript",
    title: "Look up many books at once",
    about: "Returns up to 1,000 editions under the keys that you send, without those that are missing.",
    path: "/api/books?bibkeys=ISBN:{isbn},OLID:{edition_olid}&jscmd=data&format=json",
    parameters: [
      [
        "bibkeys",
        "`ISBN:`, `OCLC:`, `LCCN:` or `OLID:` and the number, separated by commas; `POST` takes long lists",
      ],
      ["jscmd", "`data` for display data, `details` for the record; by default links only"],
      ["format", "`json`; by default a script"],
    ],
  },
  {
    operation: "readWork",
    title: "Read a work",
    about: "Returns what all editions of a book have in common.",
    path: "{work}.json",
    parameters: [
      ["expand", "`authors`, `series`, `ratings` and others in the place of references"],
      ["fields", "members to return"],
      ["v", "an older revision"],
    ],
  },
  {
    operation: "readEdition",
    title: "Read an edition",
    about: "Returns one publication of a book. With `expand`, the whole book is one answer.",
    path: "{edition}.json?expand=works,authors&fields=title,publishers,publish_date,works,authors",
    parameters: [
      ["expand", "`works`, `authors`, `languages`, `cover`, `ratings`, `availability`"],
      ["fields", "members to return"],
    ],
  },
  {
    operation: "readAuthor",
    title: "Read an author",
    about: "Returns names, dates and identifiers of an author.",
    path: "{author}.json",
    parameters: [["fields", "members to return"]],
  },
  {
    operation: "readWorkEditions",
    title: "List the editions of a work",
    about: "Pages through editions; `/authors/…/works.json` does the same for the works of an author.",
    path: "{work}/editions.json?limit=1",
    parameters: [
      ["limit, offset", "page of at most 1,000"],
      ["language", "only editions in this language"],
      ["sort", "`new` or `old`"],
    ],
  },
  {
    operation: "coverImageB",
    title: "Show a cover",
    about: "Returns the cover of a book in one of three sizes: S, M or L.",
    path: "/b/olid/{edition_olid}-M.jpg",
    parameters: [
      ["key", "`olid`, `isbn`, `oclc`, `lccn`, or `id` with the number of the cover"],
      ["default", "`false` for 404 instead of an empty image"],
    ],
    file: "cover.jpg",
  },
  {
    operation: "subject",
    title: "Read a subject",
    about: "Returns the most popular works on a subject, person, place or time.",
    path: "/subjects/{subject}.json?limit=2",
    parameters: [
      ["key", "`love`, `person:…`, `place:…` or `time:…`"],
      ["details", "`true` adds authors, publishers and related subjects with counts"],
      ["limit, offset", "page of works"],
    ],
  },
  {
    operation: "shelf",
    title: "Read a shelf",
    about: "Returns the books on a shelf: your own, or those of a reader who shows them to everyone.",
    path: "/people/USERNAME/books/want-to-read.json",
    parameters: [
      ["key", "`want-to-read`, `currently-reading`, `already-read` or `stopped-reading`"],
      ["limit, page", "page of at most 1,000"],
    ],
    session: "needed",
    answer: {
      page: 1,
      numFound: 1,
      reading_log_entries: [
        {
          work: {
            title: "Pride and Prejudice",
            key: "/works/OL101W",
            author_keys: ["/authors/OL101A"],
            author_names: ["Jane Austen"],
            first_publish_year: 1813,
            lending_edition_s: null,
            edition_key: ["OL101M"],
            cover_id: null,
            cover_edition_key: null,
          },
          logged_edition: null,
          logged_date: "2026/11/29, 08:00:00",
        },
      ],
    },
  },
  {
    operation: "putOnShelf",
    title: "Put a book on a shelf",
    about: "Moves a work to one of your shelves.",
    method: "POST",
    path: "{work}/bookshelves.json",
    body: { bookshelf_id: 1 },
    parameters: [
      [
        "bookshelf_id",
        "1 want to read, 2 currently reading, 3 already read, 4 stopped reading, -1 takes it off",
      ],
      ["edition_id", "the edition that you read"],
    ],
    session: "needed",
    answer: { bookshelves_affected: 1 },
  },
  {
    operation: "createList",
    title: "Make a list",
    about: "Creates a list of works, editions, authors and subjects that everyone can see.",
    method: "POST",
    path: "/people/USERNAME/lists.json",
    body: { name: "Summer reading", seeds: ["{work}"] },
    parameters: [
      ["name", "name of the list"],
      ["seeds", "keys of records, or `subject:love`"],
      ["description, tags", "optional"],
    ],
    session: "needed",
    answer: { key: "/people/USERNAME/lists/OL1L", revision: 1 },
  },
];
