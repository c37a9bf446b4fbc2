import type { Role } from "../../catalog/roles.ts";
import type { Access } from "../http/operation.ts";

/** What the operations of each tag are about. */
export const TAGS = {
  account: "Accounts: login, registration, settings",
  administration: "Administration: accounts, spam, catalog status",
  covers: "Covers and author photos",
  dumps: "Data dumps of the catalog",
  editing: "Writing records: record API, merges, undo",
  forms: "HTML forms and their submissions",
  history: "Change history",
  import: "Imports of records",
  lending: "Lending of scanned books: loans, waiting lists, availability",
  libraries: "Participating libraries",
  lists: "Lists and series",
  lookup: "Look up books by ISBN, LCCN, OCLC and other identifiers",
  operation: "Operations",
  people: "Public profiles",
  reading: "Shelves, ratings, notes and tags",
  records: "Records: works, editions, authors and all others",
  search: "Search and autocomplete",
  service: "Service description, status and static files",
  subjects: "Subjects and publishers",
  system: "Sync with other services",
  trending: "Trending books",
} as const;

/** Who may call an operation. */
export const ACCESS_WORDS: Readonly<Record<Exclude<Access, Role>, string>> = {
  public: "Public.",
  operator: "Requires the operator's token.",
  "cover-writer": "Requires the secret of the cover store.",
  development: "Development services only.",
  inspector: "Administrators only; public on development services.",
  session: "Requires login.",
  "session-page": "Requires login; others are redirected to it.",
  writer: "Requires the API group.",
  importer: "Requires import rights.",
};

/** Parameters that are the same wherever they say nothing else of themselves. */
export const USUAL_PARAMETERS: Readonly<Record<string, string>> = {
  limit: "Maximum number of entries",
  offset: "Number of entries to skip",
  page: "Page number, from 1",
  username: "Username, case-insensitive",
};
