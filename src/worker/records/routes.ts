import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { alikeWorksAtPage, alikeWorksOfAuthor, mergeAlikeWorks } from "../editing/alike-works.ts";
import { authorsIndex } from "./authors.ts";
import { daisy, daisyAtPage } from "./daisy.ts";
import { languagesPage } from "./languages.ts";
import { random } from "./random.ts";
import { editionWidgetPage, workWidgetPage } from "./widget.ts";

/** Pages to begin at: indexes of authors and languages, a book at random; and small ones of books. */
export const BROWSING_ROUTES: readonly Route[] = [
  get("/authors", "public", authorsIndex),
  get("/languages", "public", languagesPage),
  get("/random", "public", random),
  get("/works/XX{work_id}W/widget", "public", workWidgetPage),
  get("/books/XX{edition_id}M/widget", "public", editionWidgetPage),
  get("/books/{olid}/daisy", "public", daisy),
  get("/books/{olid}/{slug}/daisy", "public", daisyAtPage),
  get("/authors/XX{author_id}A/merge-works", "librarian", alikeWorksOfAuthor),
  post("/authors/XX{author_id}A/merge-works", "librarian", mergeAlikeWorks),
  get("/authors/XX{author_id}A/{slug}/merge-works", "librarian", alikeWorksAtPage),
].flat();
