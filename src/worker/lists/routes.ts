import type { Route } from "../http/operation.ts";
import { alias, get, post, put } from "../http/route-lines.ts";
import {
  addCommunityList,
  addCommunityListForm,
  addList,
  addListForm,
  addSeries,
  addSeriesForm,
} from "./add-form.ts";
import {
  changeCommunityListSeeds,
  changeListSeeds,
  changePersonalSeriesSeeds,
  changeSeriesSeeds,
  communityListSeedsForm,
  listSeedsForm,
  seriesSeedsForm,
} from "./change-seeds.ts";
import { createListOperation } from "./create.ts";
import { deleteCommunityList, deleteListOperation } from "./delete.ts";
import {
  editCommunityList,
  editCommunityListAtPage,
  editCommunityListForm,
  editCommunityListFormAtPage,
  editList,
  editListAtPage,
  editListForm,
  editListFormAtPage,
  editSeries,
  editSeriesAtPage,
  editSeriesForm,
  editSeriesFormAtPage,
} from "./edit-form.ts";
import { listEditions, listFeed, peopleListEditions, peopleListFeed, seriesEditions } from "./editions.ts";
import { embedList, embedPeopleList, embedSeries } from "./embed.ts";
import { exportList, exportPeopleList, exportSeries } from "./export.ts";
import {
  communityListPage,
  peopleListPage,
  readCommunityList,
  readPeopleList,
  readSeries,
  seriesPage,
} from "./list.ts";
import {
  listsOfPatron,
  listsWithAuthor,
  listsWithEdition,
  listsWithSubject,
  listsWithWork,
} from "./lists-of.ts";
import { listsOverview, oldListSearch, searchListsPage } from "./overview.ts";
import { putList } from "./put.ts";
import { listSeeds, peopleListSeeds, peopleSeriesSeeds, seriesSeeds } from "./seeds.ts";
import { addPersonalSeries, editPersonalSeries } from "./series.ts";
import { searchLists } from "./search.ts";
import { listSubjects, peopleListSubjects, seriesSubjects } from "./subjects.ts";

/** Lists and series. */
export const LIST_ROUTES: readonly Route[] = [
  get("/people/{username}/lists/{list_id}.json", "public", readPeopleList),
  get("/lists/{list_id}.json", "public", readCommunityList),
  get("/series/{list_id}.json", "public", readSeries),

  // Without a suffix these are pages for people.
  get("/people/{username}/lists[.json]", "public", listsOfPatron),
  get("/books/XX{edition_id}M/lists[.json]", "public", listsWithEdition),
  get("/works/XX{work_id}W/lists[.json]", "public", listsWithWork),
  get("/authors/XX{author_id}A/lists[.json]", "public", listsWithAuthor),
  get("/subjects/{key:path}/lists[.json]", "public", listsWithSubject),

  get("/people/{username}/lists/{olid}/seeds[.json]", "public", peopleListSeeds),
  get("/people/{username}/series/{olid}/seeds.json", "public", peopleSeriesSeeds),
  get("/lists/{olid}/seeds[.json]", "public", listSeeds),
  get("/series/{olid}/seeds[.json]", "public", seriesSeeds),

  get("/people/{username}/lists/{olid}/editions[.json]", "public", peopleListEditions),
  get("/lists/{olid}/editions[.json]", "public", listEditions),
  get("/series/{olid}/editions[.json]", "public", seriesEditions),

  get("/people/{username}/lists/{olid}/subjects[.json]", "public", peopleListSubjects),
  get("/lists/{olid}/subjects[.json]", "public", listSubjects),
  get("/series/{olid}/subjects[.json]", "public", seriesSubjects),

  get("/people/{username}/lists/{list_id}/embed", "public", embedPeopleList),
  get("/lists/{list_id}/embed", "public", embedList),
  get("/series/{list_id}/embed", "public", embedSeries),
  get("/people/{username}/lists/{list_id}/export", "public", exportPeopleList),
  get("/lists/{list_id}/export", "public", exportList),
  get("/series/{list_id}/export", "public", exportSeries),
  get("/people/{username}/lists/{list_id}/feeds/updates.atom", "public", peopleListFeed),
  get("/lists/{list_id}/feeds/updates.atom", "public", listFeed),

  get("/lists", "public", listsOverview),
  get("/lists/search", "public", oldListSearch),
  get("/search/lists", "public", searchListsPage),
  get("/search/lists.json", "public", searchLists),

  // writing: whose list it is, is asked by the operations
  post("/people/{username}/lists[.json]", "session", createListOperation),
  put("/people/{username}/lists/{list_id}[.json]", "session", putList),
  post("/people/{username}/lists/{olid}/seeds.json", "session", changeListSeeds),
  post("/people/{username}/series/{olid}/seeds.json", "session", changePersonalSeriesSeeds),
  post("/lists/{olid}/seeds.json", "session", changeCommunityListSeeds),
  post("/series/{olid}/seeds.json", "session", changeSeriesSeeds),
  post("/people/{username}/lists/{olid}/seeds", "session", listSeedsForm),
  post("/lists/{olid}/seeds", "session", communityListSeedsForm),
  post("/series/{olid}/seeds", "session", seriesSeedsForm),
  post("/people/{username}/lists/{list_id}/delete.json", "session", deleteListOperation),
  post("/lists/{list_id}/delete[.json]", "session", deleteCommunityList),
  alias(post("/people/{username}/lists/{list_id}/delete", "session", deleteListOperation)),

  // forms
  get("/people/{username}/lists/add", "session", addListForm),
  post("/people/{username}/lists/add", "session", addList),
  get("/lists/add", "session", addCommunityListForm),
  post("/lists/add", "session", addCommunityList),
  get("/series/add", "session", addSeriesForm),
  post("/series/add", "session", addSeries),
  alias(get("/people/{username}/series/add", "public", addPersonalSeries)),
  post("/people/{username}/series/add", "session", addPersonalSeries),
  // Programs get key and revision; people are asked to log in.
  get("/people/{username}/lists/{list_id}/edit", "public", editListForm),
  get("/people/{username}/lists/{list_id}/{slug}/edit", "public", editListFormAtPage),
  post("/people/{username}/lists/{list_id}/edit", "session", editList),
  post("/people/{username}/lists/{list_id}/{slug}/edit", "session", editListAtPage),
  get("/lists/{list_id}/edit", "public", editCommunityListForm),
  get("/lists/{list_id}/{slug}/edit", "public", editCommunityListFormAtPage),
  post("/lists/{list_id}/edit", "session", editCommunityList),
  post("/lists/{list_id}/{slug}/edit", "session", editCommunityListAtPage),
  get("/series/{list_id}/edit", "public", editSeriesForm),
  get("/series/{list_id}/{slug}/edit", "public", editSeriesFormAtPage),
  post("/series/{list_id}/edit", "session", editSeries),
  post("/series/{list_id}/{slug}/edit", "session", editSeriesAtPage),
  alias(get("/people/{username}/series/{list_id}/edit", "public", editPersonalSeries)),
  post("/people/{username}/series/{list_id}/edit", "session", editPersonalSeries),

  // pages whose addresses end in any name: after all others
  get(
    ["/people/{username}/lists/XX{list_id}L", "/people/{username}/lists/XX{list_id}L/{slug}"],
    "public",
    peopleListPage,
  ),
  get(["/lists/XX{list_id}L", "/lists/XX{list_id}L/{slug}"], "public", communityListPage),
  get(["/series/XX{list_id}L", "/series/XX{list_id}L/{slug}"], "public", seriesPage),
].flat();
