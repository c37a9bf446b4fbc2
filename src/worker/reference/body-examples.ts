const AUSTEN = "author_names--0=Jane+Austen&publisher=Penguin&publish_date=2003";
const RECORD = {
  title: "Emma",
  authors: [{ name: "Jane Austen" }],
  publishers: ["Penguin"],
  publish_date: "2003",
  source_records: ["example:1"],
};
const WORK = { key: "/works/OL101W", type: { key: "/type/work" }, title: "Pride and Prejudice" };
const LIST = { name: "Summer reading", seeds: [{ key: "/works/OL101W" }] };
const READING_LOG = "Title,Author,ISBN13,Exclusive Shelf\nEmma,Jane Austen,9780141439587,to-read\n";
const LIST_FORM = "name=Summer+reading&seeds--0--key=/works/OL101W";
const SERIES_FORM = "name=Novels+of+Jane+Austen&seeds--0--thing--key=/works/OL101W&seeds--0--position=1";
const EDIT_BOOK = "edition--title=Pride+and+Prejudice&work--title=Pride+and+Prejudice&_comment=Title";
const EDIT_WORK = "work--title=Pride+and+Prejudice&_comment=Title";
const EDIT_AUTHOR = "author--name=Jane+Austen&_comment=Name";
const HOLDING = '{"ocaid":"starter-bleak-2003","collections":["inlibrary"],"copies":2}';
const IMAGE = "https://covers.openlibrary.org/b/id/1-L.jpg";
const NEW_PASSWORD = "a long pass phrase";

/**
 * Bodies by operation, where the schema alone gives none that the operation accepts. They fit the starter catalog, and its
 * account `patron` with the same password. Text is sent as it stands.
 */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  // Accounts
  changeEmail: { email: "new-address@example.com", password: "patron" },
  changePassword: { password: "patron", new_password: NEW_PASSWORD },
  createAccount: { username: "new_reader", email: "new-reader@example.com", password: NEW_PASSWORD },
  loginJson: { username: "patron", password: "patron" },
  removeOwn: { password: "patron", confirm: "patron" },
  resetPassword: { password: NEW_PASSWORD },
  // Readers
  changeCommunityListSeeds: { add: ["/works/OL101W"] },
  changeListSeeds: { add: ["/works/OL101W"] },
  changePersonalSeriesSeeds: { add: ["/works/OL101W"] },
  changeSeriesSeeds: { add: [{ thing: { key: "/works/OL102W" }, position: "2" }] },
  checkInForm: { date: "2026-11-29", event_type: 3 },
  chooseImported: { position: 1, work: "/works/OL101W" },
  communityListSeedsForm: "add=/works/OL101W",
  addCommunityList: LIST_FORM,
  addList: LIST_FORM,
  addSeries: SERIES_FORM,
  createList: { name: LIST.name, seeds: ["/works/OL101W"] },
  editCommunityList: LIST_FORM,
  editCommunityListAtPage: LIST_FORM,
  editList: LIST_FORM,
  editListAtPage: LIST_FORM,
  editSeries: SERIES_FORM,
  editSeriesAtPage: SERIES_FORM,
  hideBanner: { "cookie-name": "donation-banner" },
  importOwn: { csv: READING_LOG },
  keepNote: { notes: "Read on the train" },
  kosyncUpdate: {
    document: "0123456789abcdef0123456789abcdef",
    progress: "/body/DocFragment[5]",
    percentage: 0.5,
    device: "Kobo",
  },
  like: { key: "/works/OL101W", value: 1 },
  listSeedsForm: "add=/works/OL101W",
  observe: { action: "add", observation: { Mood: "Dark" } },
  previewGoodreads: { csv: READING_LOG },
  putList: { ...LIST, revision: 1 },
  putOnShelf: { bookshelf_id: 1 },
  rate: { rating: 4 },
  removeLike: { key: "/works/OL101W" },
  saveReadingGoal: { goal: 12, year: 2026 },
  seriesSeedsForm: "add=/works/OL102W",
  // Editing
  addBook: `title=Emma&${AUSTEN}`,
  addIdentifiers: "isbn=9780141439587",
  bulkTagWorks: { work_ids: "OL101W", tags_to_add: '{"subjects":["Classics"]}' },
  editAuthor: EDIT_AUTHOR,
  editAuthorAtPage: EDIT_AUTHOR,
  editBook: EDIT_BOOK,
  editBookAtPage: EDIT_BOOK,
  editWork: EDIT_WORK,
  editWorkAtPage: EDIT_WORK,
  mergeAlikeWorks: { master: "OL101W", records: ["OL102W"] },
  mergeAuthors: { master: "/authors/OL101A", duplicates: ["/authors/OL102A"] },
  mergeAuthorsForm: { master: "OL101A", records: ["OL102A"] },
  mergeRequests: { rtype: "create-request", action: "create-pending", mr_type: 1, olids: "OL101W,OL102W" },
  mergeWorks: { master: "/works/OL101W", duplicates: ["/works/OL102W"] },
  mergeWorksForm: { master: "OL101W", records: ["OL102W"] },
  newRecords: { type: { key: "/type/work" }, title: "Emma" },
  putAuthor: { key: "/authors/OL101A", type: { key: "/type/author" }, name: "Jane Austen" },
  putEdition: {
    key: "/books/OL101M",
    type: { key: "/type/edition" },
    title: "Pride and Prejudice",
    works: [{ key: "/works/OL101W" }],
  },
  putRecord: WORK,
  putWork: WORK,
  saveMany: [WORK],
  writeHook: { key: "/works/OL101W", subtitle: { connect: "update", value: "A novel" } },
  // Images
  addAuthorPhoto: { url: IMAGE },
  addEditionCover: { url: IMAGE },
  addWorkCover: { url: IMAGE },
  ilsCoverUpload: { olid: "OL101M", url: IMAGE },
  manageAuthorPhotos: "image=1&image=-",
  manageEditionCovers: "image=1&image=-",
  manageWorkCovers: "image=1&image=-",
  uploadAuthorCover: { olid: "OL101A", source_url: IMAGE },
  uploadAuthorCoverByForm: { olid: "OL101A", source_url: IMAGE },
  uploadBookCover: { olid: "OL101M", source_url: IMAGE },
  uploadBookCoverByForm: { olid: "OL101M", source_url: IMAGE },
  uploadWorkCover: { olid: "OL101W", source_url: IMAGE },
  uploadWorkCoverByForm: { olid: "OL101W", source_url: IMAGE },
  // Imports, libraries and lending
  addLibraryNote: { note: "Open on Sundays" },
  adminImportsAdd: { identifiers: "starter-bleak-2003" },
  borrowNotify: { identifier: "starter-bleak-2003" },
  decideLibrary: { key: "/libraries/town" },
  holdings: HOLDING,
  ilsSearch: { title: "Pride and Prejudice" },
  importFileAction: { action: "begin", size: 40_000_000 },
  importRecord: JSON.stringify(RECORD),
  putText: "It is a truth universally acknowledged",
  registerLibrary: {
    name: "Town Library",
    addresses: "Main|1 Street|Town|State|12345|Country|555|https://library.example|50.1,8.2",
    ip_ranges: "192.0.2.0/24",
  },
  submitBatch: { batchImportText: JSON.stringify({ ...RECORD, source_records: ["example:2"] }) },
  // Administration and operation
  activity: { action: "resend", after: "" },
  adminPersonAction: { action: "add_tag", tag: "volunteer" },
  adminBlockSave: { ips: ["192.0.2.1"] },
  adminDeadLettersForm: { action: "drop", queue: "carrel-index" },
  adminPersonGroups: { action: "add", group: "librarians" },
  adminReadOnlySave: { read_only: false },
  adminSolrReindex: { keys: ["/works/OL101W"] },
  adminSpamwordsSave: { spamwords: "buy now" },
  applyChanges: { since: 0, changes: [], cursor: 0, end: 0 },
  beginDump: { kind: "full" },
  checkIndex: {},
  dealWithDeadLetters: { action: "drop", queue: "carrel-index" },
  developmentAccounts: { usernames: ["ann"] },
  followNow: { source: "https://books.example" },
  invalidate: { key: "/works/OL101W" },
  makeAdministrators: { usernames: ["admin"] },
  readDesks: { names: ["starter-bleak-2003"] },
  readPatrons: { names: ["patron"] },
  reindex: {},
  removeRestored: { after: "" },
  restoreTable: { rows: [], first: true },
  rewind: { patron: "patron", time: "2026-11-20T10:00:00Z" },
};
