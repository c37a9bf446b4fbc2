import type { Route } from "../operation.ts";
import { alias, get, post, put } from "../route-lines.ts";
import { addCommunityListForm, addListForm, addSeriesForm } from "../routes/lists-write/add-list-page.ts";
import { addCommunityList, addList, addSeries } from "../routes/lists-write/add-list.ts";
import {
  changeCommunityListSeeds,
  changeListSeeds,
  changePersonalSeriesSeeds,
  changeSeriesSeeds,
} from "../routes/lists-write/change-seeds.ts";
import { createListOperation } from "../routes/lists-write/create-list.ts";
import { deleteCommunityList, deleteListOperation } from "../routes/lists-write/delete-list.ts";
import {
  editCommunityListForm,
  editCommunityListFormAtPage,
  editListForm,
  editListFormAtPage,
  editSeriesForm,
  editSeriesFormAtPage,
} from "../routes/lists-write/edit-list-page.ts";
import {
  editCommunityList,
  editCommunityListAtPage,
  editList,
  editListAtPage,
  editSeries,
  editSeriesAtPage,
} from "../routes/lists-write/edit-list.ts";
import { addPersonalSeries, editPersonalSeries } from "../routes/lists-write/personal-series.ts";
import { putList } from "../routes/lists-write/put-list.ts";
import { communityListSeedsForm, listSeedsForm, seriesSeedsForm } from "../routes/lists-write/seeds-form.ts";

/** Lists and series: writing. Whose list it is, is asked by the operations. */
export const LIST_WRITE_ROUTES: readonly Route[] = [
  post("/people/{username}/lists.json", "session", createListOperation),
  { ...post("/people/{username}/lists", "session", createListOperation), alias: true },
  put("/people/{username}/lists/{list_id}.json", "session", putList),
  { ...put("/people/{username}/lists/{list_id}", "session", putList), alias: true },
  post("/people/{username}/lists/{olid}/seeds.json", "session", changeListSeeds),
  post("/people/{username}/series/{olid}/seeds.json", "session", changePersonalSeriesSeeds),
  post("/lists/{olid}/seeds.json", "session", changeCommunityListSeeds),
  post("/series/{olid}/seeds.json", "session", changeSeriesSeeds),
  post("/people/{username}/lists/{olid}/seeds", "session", listSeedsForm),
  post("/lists/{olid}/seeds", "session", communityListSeedsForm),
  post("/series/{olid}/seeds", "session", seriesSeedsForm),
  post("/people/{username}/lists/{list_id}/delete.json", "session", deleteListOperation),
  post("/lists/{list_id}/delete.json", "session", deleteCommunityList),
  { ...post("/people/{username}/lists/{list_id}/delete", "session", deleteListOperation), alias: true },
  { ...post("/lists/{list_id}/delete", "session", deleteCommunityList), alias: true },

  // forms
  get("/people/{username}/lists/add", "session", addListForm),
  post("/people/{username}/lists/add", "session", addList),
  get("/lists/add", "session", addCommunityListForm),
  post("/lists/add", "session", addCommunityList),
  get("/series/add", "session", addSeriesForm),
  post("/series/add", "session", addSeries),
  alias("/people/{username}/series/add", "public", addPersonalSeries),
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
  alias("/people/{username}/series/{list_id}/edit", "public", editPersonalSeries),
  post("/people/{username}/series/{list_id}/edit", "session", editPersonalSeries),
];
