import type { Route } from "../http/operation.ts";
import { get, post, put } from "../http/route-lines.ts";
import { alikeWorksOfAuthor, mergeAlikeWorks } from "./alike-works.ts";
import { addBook, addBookForm, oldAddAuthor, oldAddBook } from "./add-book.ts";
import { addIdentifiers, editBook, editBookForm } from "./edit-book.ts";
import { bulkTagWorks } from "./bulk-tag-works.ts";
import { deleteWork } from "./deletion.ts";
import { editAuthor, editAuthorForm, editWork, editWorkForm } from "./single-forms.ts";
import { mergeAuthorsForm, mergeAuthorsPage, mergeWorksForm, mergeWorksPage } from "./merge-page.ts";
import { mergeQueue } from "./merge-queue.ts";
import { mergeAuthors, mergeWorks } from "./merge.ts";
import { mergeRequests } from "./merge-requests.ts";
import { putAuthor, putEdition, putWork } from "./put-record.ts";
import { undoChange, undoChangePage } from "./undo.ts";
import { newRecords, saveMany, writeHook } from "./write-api.ts";

export const EDITING_ROUTES: readonly Route[] = [
  // merges and undoing
  get("/authors/merge", "librarian", mergeAuthorsPage),
  post("/authors/merge", "librarian", mergeAuthorsForm),
  get("/works/merge", "librarian", mergeWorksPage),
  post("/works/merge", "librarian", mergeWorksForm),
  post("/authors/merge.json", "librarian", mergeAuthors),
  post("/works/merge.json", "super-librarian", mergeWorks),
  get("/merges[.json]", "public", mergeQueue),
  post("/merges", "session-page", mergeRequests),
  post("/recentchanges/{year}/{month}/{day}/{kind}/{change}.json", "super-librarian", undoChange),
  post("/recentchanges/{year}/{month}/{day}/{kind}/{change}", "super-librarian", undoChangePage),
  post("/tags/bulk_tag_works", "librarian", bulkTagWorks),
  // writing records
  post("/api/new[.json]", "writer", newRecords),
  post(["/api/save_many", "/api/save_many.json"], "writer", saveMany),
  post(["/api/write", "/api/write.json"], "writer", writeHook),
  put("/books/XX{edition_id}M.json", "writer", putEdition),
  put("/works/XX{work_id}W.json", "writer", putWork),
  put("/authors/XX{author_id}A.json", "writer", putAuthor),
  // The handler requires administrators: it checks the deletion of each record.
  post("/works/XX{work_id}W[/{slug}]/delete[.json]", "writer", deleteWork),
  // forms of books and authors
  get("/books/add", "session", addBookForm),
  post("/books/add", "session", addBook),
  get("/addbook", "public", oldAddBook),
  get("/addauthor", "public", oldAddAuthor),
  // Programs get key and revision; people are asked to log in. With `_delete` administrators only.
  get("/books/XX{edition_id}M[/{slug}]/edit", "public", editBookForm),
  post("/books/XX{edition_id}M[/{slug}]/edit", "session", editBook),
  post("/books/XX{edition_id}M/{slug}/identifiers", "session", addIdentifiers),
  get("/works/XX{work_id}W[/{slug}]/edit", "public", editWorkForm),
  post("/works/XX{work_id}W[/{slug}]/edit", "session", editWork),
  get("/authors/XX{author_id}A[/{slug}]/edit", "public", editAuthorForm),
  post("/authors/XX{author_id}A[/{slug}]/edit", "session", editAuthor),
  get("/authors/XX{author_id}A[/{slug}]/merge-works", "librarian", alikeWorksOfAuthor),
  post("/authors/XX{author_id}A/merge-works", "librarian", mergeAlikeWorks),
].flat();
