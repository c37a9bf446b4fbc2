import type { Route } from "./http/operation.ts";
import { ADMIN_ROUTES } from "./admin/routes.ts";
import { ACCOUNT_ROUTES } from "./route-table/accounts.ts";
import { alias, get, post, put, remove } from "./http/route-lines.ts";
import { docs } from "./service/docs.ts";
import { ACTIVITY_ROUTES } from "./route-table/activity.ts";
import { AVAILABILITY_ROUTES, LENDING_ROUTES, SCAN_BORROW_ROUTES } from "./lending/routes.ts";
import { COVER_ROUTES } from "./route-table/covers.ts";
import { COVER_EDIT_ROUTES } from "./route-table/cover-edits.ts";
import { COVER_STORE_ROUTES } from "./route-table/cover-store.ts";
import { DUMP_ROUTES } from "./dumps/routes.ts";
import { BROWSING_ROUTES } from "./records/routes.ts";
import { SEARCH_PAGE_ROUTES, TARGET_PAGE_ROUTES } from "./search/routes.ts";
import { LIBRARY_ROUTES } from "./libraries/routes.ts";
import { SITE_ROUTES } from "./service/site-routes.ts";
import { OPERATIONS_ROUTES } from "./service/routes.ts";
import { EXPORT_ROUTES } from "./route-table/exports.ts";
import { ILS_ROUTES } from "./lookup/routes.ts";
import { IMPORT_BATCH_ROUTES } from "./route-table/import-batches.ts";
import { IMPORT_ROUTES } from "./route-table/imports.ts";
import { LIST_PAGE_ROUTES, LIST_ROUTES, LIST_WRITE_ROUTES } from "./lists/routes.ts";
import { PEOPLE_ROUTES } from "./route-table/people.ts";
import { READING_ROUTES } from "./route-table/reading.ts";
import { getHook, getManyHook, thingsHook, versionsHook } from "./records/read-api.ts";
import { newRecords, saveMany, writeHook } from "./editing/write-api.ts";
import { editAuthor, editAuthorAtPage, editAuthorForm, editAuthorFormAtPage } from "./editing/edit-author.ts";
import {
  anyAutocomplete,
  authorsAutocomplete,
  seriesAutocomplete,
  subjectsAutocomplete,
  worksAutocomplete,
} from "./search/autocomplete.ts";
import { changesFeed } from "./history/feed.ts";
import { changesStream } from "./history/stream.ts";
import { developmentAccounts, outboxOperation } from "./service/development.ts";
import { addBook, addBookForm, oldAddAuthor, oldAddBook } from "./editing/add-book.ts";
import { addIdentifiers } from "./editing/add-identifiers.ts";
import { editBook, editBookAtPage, editBookForm, editBookFormAtPage } from "./editing/edit-book.ts";
import { languagesAutocomplete } from "./search/languages-autocomplete.ts";
import { languagesOperation } from "./records/languages.ts";
import { booksJson, booksScript } from "./lookup/books.ts";
import { iaRedirect, isbnRedirect, lccnRedirect, oclcRedirect } from "./lookup/redirect.ts";
import { volumesMulti, volumesSingle } from "./lookup/volumes.ts";
import { mergeAuthorsForm, mergeAuthorsPage } from "./editing/merge-authors.ts";
import { mergeAuthors, mergeWorks } from "./editing/merge-records.ts";
import { mergeQueue } from "./editing/merge-queue.ts";
import { mergeRequests } from "./editing/merge-requests.ts";
import { queryOperation } from "./records/query.ts";
import {
  recentChanges,
  recentChangesBy,
  recentChangesOfDay,
  recentChangesRest,
} from "./history/recent-changes.ts";
import { gotoChange } from "./history/single-change.ts";
import { undoChange, undoChangePage } from "./editing/undo.ts";
import { putAuthor, putEdition, putRecord, putWork } from "./editing/put-record.ts";
import { readAuthorWorks, readWorkEditions } from "./records/members.ts";
import {
  readAnyRecord,
  readAuthor,
  readEdition,
  readEditionRdf,
  readPublisher,
  readWork,
} from "./records/record.ts";
import { revertRecord } from "./editing/revert.ts";
import { searchAuthors } from "./search/author-search.ts";
import { searchEditions, searchOperation } from "./search/search.ts";
import { searchFacets } from "./search/facets.ts";
import { insideOperation } from "./search/inside.ts";
import { searchLists } from "./lists/search.ts";
import { searchPublishers } from "./search/publisher-search.ts";
import { searchSubjects } from "./search/subject-search.ts";
import { suggestBlurb, suggestSearch, suggestThumbnail } from "./search/suggest.ts";
import { publisherPage, subjectPage } from "./search/subject.ts";
import { applyChanges } from "./service/apply-changes.ts";
import { makeAdministrators } from "./service/administrators.ts";
import { favicon, robots } from "./service/site-files.ts";
import { health } from "./service/health.ts";
import { home } from "./service/home.ts";
import { indexLog, reindex } from "./service/reindex.ts";
import { load } from "./service/load.ts";
import { openapi } from "./service/openapi.ts";
import { restorePatrons } from "./service/restore-patrons.ts";
import { status } from "./service/status.ts";
import { deleteText, putText } from "./search/scan-text.ts";
import { bulkTagWorks } from "./editing/bulk-tag-works.ts";
import { deleteWork, deleteWorkAtPage } from "./editing/delete-work.ts";
import { editWork, editWorkAtPage, editWorkForm, editWorkFormAtPage } from "./editing/edit-work.ts";

/** The interface at a glance. `XX` is the record prefix; the first route that fits a request takes it. */
export const ROUTES: readonly Route[] = [
  get("/", "public", home),
  get("/health", "public", health),
  get("/status", "public", status),
  get("/robots.txt", "public", robots),
  get("/favicon.ico", "public", favicon),
  get("/openapi.json", "public", openapi),
  get("/docs", "public", docs),

  post("/system/load", "operator", load),
  post("/system/changes", "operator", applyChanges),
  post("/system/index", "operator", indexLog),
  post("/system/reindex", "operator", reindex),
  post("/system/development-accounts", "operator", developmentAccounts),
  post("/system/patrons", "operator", restorePatrons),
  post("/system/administrators", "operator", makeAdministrators),
  put("/system/text/{item}", "operator", putText),
  alias(post("/system/text/{item}", "operator", putText)),
  remove("/system/text/{item}", "operator", deleteText),

  get("/development/outbox.json", "development", outboxOperation),

  get("/api/books.json", "public", booksJson),
  get("/api/books", "public", booksScript),
  get("/api/volumes/{brief_or_full}/json/{req}[.json]", "public", volumesMulti),
  get("/api/volumes/{brief_or_full}/{idtype}/{idval}[.json]", "public", volumesSingle),
  get(["/isbn/{value:path}", "/ISBN/{value:path}"], "public", isbnRedirect),
  get(["/oclc/{value:path}", "/OCLC/{value:path}"], "public", oclcRedirect),
  get(["/lccn/{value:path}", "/LCCN/{value:path}"], "public", lccnRedirect),
  ...SCAN_BORROW_ROUTES,
  get(["/ia/{value:path}", "/IA/{value:path}"], "public", iaRedirect),

  ...ACCOUNT_ROUTES,
  ...IMPORT_ROUTES,
  ...IMPORT_BATCH_ROUTES,
  ...ILS_ROUTES,
  ...COVER_ROUTES,
  ...COVER_STORE_ROUTES,
  ...COVER_EDIT_ROUTES,
  ...DUMP_ROUTES,
  ...OPERATIONS_ROUTES,
  ...SITE_ROUTES,
  ...LIBRARY_ROUTES,
  ...BROWSING_ROUTES,
  ...SEARCH_PAGE_ROUTES,
  ...ADMIN_ROUTES,
  // patrons, in tables of their own
  ...ACTIVITY_ROUTES,
  ...READING_ROUTES,
  ...PEOPLE_ROUTES,
  ...EXPORT_ROUTES,
  ...LIST_ROUTES,
  ...LIST_WRITE_ROUTES,
  // Any readable end of a list's address, after `/lists/OL1L/edit` and the like.
  ...LIST_PAGE_ROUTES,
  ...LENDING_ROUTES,
  ...AVAILABILITY_ROUTES,

  get("/languages.json", "public", languagesOperation),
  get(["/languages/_autocomplete", "/languages/_autocomplete.json"], "public", languagesAutocomplete),

  // search
  get("/search.json", "public", searchOperation),
  get("/subjects/{key:path}.json", "public", subjectPage),
  get("/publishers/XX{publisher_id}P.json", "public", readPublisher),
  get("/publishers/{key:path}.json", "public", publisherPage),
  get("/search/inside.json", "public", insideOperation),
  get("/search/authors.json", "public", searchAuthors),
  get("/search/subjects.json", "public", searchSubjects),
  get("/search/lists.json", "public", searchLists),
  get("/search/publishers.json", "public", searchPublishers),
  get("/search/facets.json", "public", searchFacets),
  get(["/search/editions", "/search/edition"], "public", searchEditions),
  get(["/works/_autocomplete", "/works/_autocomplete.json"], "public", worksAutocomplete),
  get(["/authors/_autocomplete", "/authors/_autocomplete.json"], "public", authorsAutocomplete),
  get(["/series/_autocomplete", "/series/_autocomplete.json"], "public", seriesAutocomplete),
  get(["/subjects_autocomplete", "/subjects_autocomplete.json"], "public", subjectsAutocomplete),
  get(["/_autocomplete", "/_autocomplete.json"], "public", anyAutocomplete),
  get("/suggest/search", "public", suggestSearch),
  get("/suggest/blurb/{path:path}", "public", suggestBlurb),
  get("/suggest/thumbnail", "public", suggestThumbnail),

  get("/query.json", "public", queryOperation),
  get(["/api/get", "/api/get.json"], "public", getHook),
  get(["/api/get_many", "/api/get_many.json"], "public", getManyHook),
  get(["/api/things", "/api/things.json"], "public", thingsHook),
  get(["/api/versions", "/api/versions.json"], "public", versionsHook),

  // history
  get("/changes.json", "public", changesFeed),
  get("/changes/stream", "public", changesStream),
  get(["/recentchanges.json", "/recentchanges", "/recentchanges.yml"], "public", recentChanges),
  get("/recentchanges/goto/{id}", "public", gotoChange),
  get("/recentchanges/{kind_or_year}.json", "public", recentChangesBy),
  get("/recentchanges/{year}/{month}/{day}/{kind}.json", "public", recentChangesOfDay),
  get("/recentchanges/{rest:path}", "public", recentChangesRest),

  // merges and undoing
  get("/authors/merge", "librarian", mergeAuthorsPage),
  post("/authors/merge", "librarian", mergeAuthorsForm),
  post("/authors/merge.json", "librarian", mergeAuthors),
  post("/works/merge.json", "super-librarian", mergeWorks),
  get("/merges[.json]", "public", mergeQueue),
  post("/merges", "session-page", mergeRequests),
  post("/recentchanges/{year}/{month}/{day}/{kind}/{change}.json", "super-librarian", undoChange),
  post("/recentchanges/{year}/{month}/{day}/{kind}/{change}", "super-librarian", undoChangePage),
  post("/tags/bulk_tag_works", "librarian", bulkTagWorks),

  get("/authors/XX{author_id}A/works[.json]", "public", readAuthorWorks),
  get("/works/XX{work_id}W/editions[.json]", "public", readWorkEditions),

  get("/books/XX{edition_id}M.json", "public", readEdition),
  get("/books/XX{edition_id}M.rdf", "public", readEditionRdf),
  get("/works/XX{work_id}W.json", "public", readWork),
  get("/authors/XX{author_id}A.json", "public", readAuthor),
  // writing records
  post("/api/new[.json]", "writer", newRecords),
  post(["/api/save_many", "/api/save_many.json"], "writer", saveMany),
  post(["/api/write", "/api/write.json"], "writer", writeHook),
  put("/books/XX{edition_id}M.json", "writer", putEdition),
  put("/works/XX{work_id}W.json", "writer", putWork),
  put("/authors/XX{author_id}A.json", "writer", putAuthor),
  // Besides, only administrators pass: the deletion of each record is asked for.
  post("/works/XX{work_id}W/delete[.json]", "writer", deleteWork),
  post("/works/XX{work_id}W/{slug}/delete[.json]", "writer", deleteWorkAtPage),

  // forms of books and authors
  get("/books/add", "session", addBookForm),
  post("/books/add", "session", addBook),
  get("/addbook", "public", oldAddBook),
  get("/addauthor", "public", oldAddAuthor),
  // Programs get key and revision; people are asked to log in. With `_delete` administrators only.
  get("/books/XX{edition_id}M/edit", "public", editBookForm),
  get("/books/XX{edition_id}M/{slug}/edit", "public", editBookFormAtPage),
  post("/books/XX{edition_id}M/edit", "session", editBook),
  post("/books/XX{edition_id}M/{slug}/edit", "session", editBookAtPage),
  post("/books/XX{edition_id}M/{slug}/identifiers", "session", addIdentifiers),
  get("/works/XX{work_id}W/edit", "public", editWorkForm),
  get("/works/XX{work_id}W/{slug}/edit", "public", editWorkFormAtPage),
  post("/works/XX{work_id}W/edit", "session", editWork),
  post("/works/XX{work_id}W/{slug}/edit", "session", editWorkAtPage),
  get("/authors/XX{author_id}A/edit", "public", editAuthorForm),
  get("/authors/XX{author_id}A/{slug}/edit", "public", editAuthorFormAtPage),
  post("/authors/XX{author_id}A/edit", "session", editAuthor),
  post("/authors/XX{author_id}A/{slug}/edit", "session", editAuthorAtPage),

  ...TARGET_PAGE_ROUTES,
  // Every other path is the key of a record, or of none.
  get("/{key:path}", "public", readAnyRecord),
  put("/{key:path}", "writer", putRecord),
  // Looks itself: whoever may not revert gets 405 without the mode, and not 401.
  post("/{key:path}", "public", revertRecord),
].flat();
