// The written order of the source tree: `npm run check` holds the tree to it (layout-checks.ts).

/** Folders of src/, uppermost first: each may import those that follow it, never the reverse. */
export const FLOORS = "worker > durable > db > export > import > search > catalog".split(" > ");

/** Floors that know neither bindings nor the web framework nor a clock. */
export const PURE_FLOORS = ["export", "import", "search", "catalog"];

/**
 * Features, the folders of src/worker/, in the same way. Above them all stand the files of src/worker/ itself, the
 * registry. A large feature has parts, such as patrons/reading, which may import each other; a part that lower features
 * need stands in the list itself.
 */
export const FEATURES = [
  "follow", // another service's changes are taken over
  "reference", // the interface described, to read and to try
  "mcp", // tools, resources and prompts for agents
  "site", // the front page, files of the site, sitemaps, statistics, scanners
  "operations", // health and states, loads, repairs, dead letters
  "backup", // everything that is not in the log of changes, out and back
  "listeners", // record store, search engine, cover store
  "dumps", // files of all records, sitemaps
  "oai", // the catalog for harvesters
  "reconcile", // which records names mean, for OpenRefine and its like
  "sru", // the catalog for programs of libraries that search by CQL
  "providers", // contracts of other programs: metadata, progress of reading
  "feeds", // new books, recent changes and shelves for feed readers
  "opds", // the catalog for e-book readers
  "lists", // lists, series, and their seeds
  "libraries", // libraries that take part
  "lookup", // books by their numbers; links to library systems
  "imports", // batches, items, staged books, books looked up elsewhere
  "covers", // images: uploaded, made smaller, shown
  "admin", // what administrators see and do
  "patrons", // shelves, ratings, notes, goals; people and their pages; what is done when patrons go
  "records", // records as JSON, RDF, YAML and pages; queries of them
  "oauth", // apps of others that act for an account
  "lending", // loans, holds, availability
  "accounts", // accounts, passwords, identity providers
  "editing", // forms, saves, merges, tags
  "history", // revisions, recent changes
  "platform", // mail, scanned items, requests to others, the audit log
  "indexing", // the search index follows the records
  "search", // searches and their pages; subjects, text of books
  "lookup/editions", // editions by their numbers, with the state of their scans
  "lending/service", // the lending service: own desks, or another service over HTTP
  "ui", // parts that pages are made of
  "http", // operations, answers, sessions, queues
];

/**
 * The search index is written and asked through `SearchIndex` and `SearchEngine` (src/search/engine.ts): of the embedded one
 * the worker imports, but for the files that make them, only what reads the catalog for an indexer, what is noted
 * beside any index (state, jobs, cursors), and the search inside books.
 */
export const SEARCH_ENGINES = {
  makers: ["src/worker/search/engine.ts", "src/worker/indexing/make-index.ts"],
  folders: /^src\/db\/(?:search|indexing|solr)\//,
  open: /\/(?:solr\/client|search\/inside|indexing\/(?:index-state|jobs|log|named-records|ranges|works))\.ts$/,
};

export const SIZES = {
  /** Most lines of the median file of src/, and of nine files in ten; oxlint caps files, functions and parameters. */
  median: 140,
  nineInTen: 225,
  /** A file with one importer has at least so many lines, or stands in its importer, unless that had more than `whole`. */
  own: 40,
  whole: 250,
  /** Most files of a folder of src/worker/, and most folders of src/db/. */
  folderFiles: 45,
  dbFolders: 15,
};
