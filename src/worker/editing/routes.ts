import type { Route } from "../http/operation.ts";
import { get, onlyInScope, operationsIn, post, put } from "../http/route-lines.ts";

const alikeWorks = operationsIn(() => import("./alike-works.ts"));
const addBook = operationsIn(() => import("./add-book.ts"));
const editBook = operationsIn(() => import("./edit-book.ts"));
const bulkTagWorks = operationsIn(() => import("./bulk-tag-works.ts"));
const differingAuthors = operationsIn(() => import("./differing-authors.ts"));
const deletion = operationsIn(() => import("./deletion.ts"));
const singleForms = operationsIn(() => import("./single-forms.ts"));
const mergePage = operationsIn(() => import("./merge-page.ts"));
const mergeQueue = operationsIn(() => import("./merge-queue.ts"));
const merge = operationsIn(() => import("./merge.ts"));
const mergeRequests = operationsIn(() => import("./merge-requests.ts"));
const proposals = operationsIn(() => import("./proposals.ts"));
const putRecord = operationsIn(() => import("./put-record.ts"));
const undo = operationsIn(() => import("./undo.ts"));
const writeApi = operationsIn(() => import("./write-api.ts"));

export const EDITING_ROUTES: readonly Route[] = [
  // merges and undoing
  get("/authors/merge", "librarian", mergePage("mergeAuthorsPage")),
  post("/authors/merge", "librarian", mergePage("mergeAuthorsForm")),
  get("/works/merge", "librarian", mergePage("mergeWorksPage")),
  post("/works/merge", "librarian", mergePage("mergeWorksForm")),
  post("/authors/merge.json", "librarian", merge("mergeAuthors")),
  post("/works/merge.json", "super-librarian", merge("mergeWorks")),
  get("/merges[.json]", "public", mergeQueue("mergeQueue")),
  get("/merges/differing-authors[.json]", "librarian", differingAuthors("differingAuthors")),
  post("/merges", "session-page", mergeRequests("mergeRequests")),
  post("/recentchanges/{year}/{month}/{day}/{kind}/{change}.json", "super-librarian", undo("undoChange")),
  post("/recentchanges/{year}/{month}/{day}/{kind}/{change}", "super-librarian", undo("undoChangePage")),
  post("/tags/bulk_tag_works", "librarian", bulkTagWorks("bulkTagWorks")),
  // changes that librarians review; the handlers show accounts their own
  onlyInScope("read", [
    ...get("/proposals[.json]", "session", proposals("proposals")),
    ...post("/proposals.json", "session", proposals("propose")),
    ...get("/proposals/{id}[.json]", "session", proposals("readProposedChange")),
  ]),
  post("/proposals/{id}[.json]", "session", proposals("decideProposal")),
  // writing records
  post("/api/new[.json]", "writer", writeApi("newRecords")),
  post(["/api/save_many", "/api/save_many.json"], "writer", writeApi("saveMany")),
  post(["/api/write", "/api/write.json"], "writer", writeApi("writeHook")),
  put("/books/XX{edition_id}M.json", "writer", putRecord("putEdition")),
  put("/works/XX{work_id}W.json", "writer", putRecord("putWork")),
  put("/authors/XX{author_id}A.json", "writer", putRecord("putAuthor")),
  // The handler requires administrators: it checks the deletion of each record.
  post("/works/XX{work_id}W[/{slug}]/delete[.json]", "writer", deletion("deleteWork")),
  // forms of books and authors
  get("/books/add", "session", addBook("addBookForm")),
  post("/books/add", "session", addBook("addBook")),
  get("/addbook", "public", addBook("oldAddBook")),
  get("/addauthor", "public", addBook("oldAddAuthor")),
  // Programs get key and revision; people are asked to log in. With `_delete` administrators only.
  get("/books/XX{edition_id}M[/{slug}]/edit", "public", editBook("editBookForm")),
  post("/books/XX{edition_id}M[/{slug}]/edit", "session", editBook("editBook")),
  post("/books/XX{edition_id}M/{slug}/identifiers", "session", editBook("addIdentifiers")),
  get("/works/XX{work_id}W[/{slug}]/edit", "public", singleForms("editWorkForm")),
  post("/works/XX{work_id}W[/{slug}]/edit", "session", singleForms("editWork")),
  get("/authors/XX{author_id}A[/{slug}]/edit", "public", singleForms("editAuthorForm")),
  post("/authors/XX{author_id}A[/{slug}]/edit", "session", singleForms("editAuthor")),
  get("/authors/XX{author_id}A[/{slug}]/merge-works", "librarian", alikeWorks("alikeWorksOfAuthor")),
  post("/authors/XX{author_id}A/merge-works", "librarian", alikeWorks("mergeAlikeWorks")),
].flat();
