import type { Role } from "../../catalog/roles.ts";
import type { Access } from "../http/operation.ts";

/** What the operations of each tag are about. */
export const TAGS = {
  account: "Accounts: logging in and out, registration, settings",
  administration: "For administrators and librarians: people, spam, the state of the catalog",
  covers: "Images of books and authors, shown, added and arranged",
  dumps: "Dumps of the whole catalog",
  editing: "Writing records: the record API, merges, undoing",
  forms: "Pages with forms for people, and what these send",
  history: "Changes, as they were made",
  import: "Imports of records from elsewhere",
  lending: "Scanned books: borrowing, waiting, availability",
  libraries: "Libraries that take part",
  lists: "Lists of patrons and of the community, and series",
  lookup: "Books by their numbers, for other systems",
  operation: "For those who keep the service running",
  people: "Patrons, as others see them",
  reading: "What patrons read, rate and observe",
  records: "Records: works, editions, authors and all others",
  search: "Searches, and completing what is typed",
  service: "The service itself: its description, its state, its files",
  subjects: "Subjects and publishers",
  system: "Loads and feeds of other services",
  trending: "What is read just now",
} as const;

/** Who may call an operation. */
export const ACCESS_WORDS: Readonly<Record<Exclude<Access, Role>, string>> = {
  public: "For everybody.",
  operator: "With the operator's token.",
  "cover-writer": "With the secret of the cover store.",
  development: "On development services only.",
  inspector: "For administrators; for everybody on development services.",
  session: "For whoever is logged in.",
  "session-page": "For whoever is logged in; others are led to the login.",
  writer: "For those who may write by the record API.",
  importer: "For those who may import.",
};

/** Parameters that are the same wherever they say nothing else of themselves. */
export const USUAL_PARAMETERS: Readonly<Record<string, string>> = {
  limit: "Most entries in the answer",
  offset: "Entries to pass over",
  page: "Page, from 1",
  username: "Username of the patron, in any case",
};
