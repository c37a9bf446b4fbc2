import type { AnyOperation, Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import {
  addAuthorPhotoForm,
  addEditionCoverForm,
  addWorkCoverForm,
} from "../routes/cover-edits/add-image-page.ts";
import { addAuthorPhoto, addEditionCover, addWorkCover } from "../routes/cover-edits/add-image.ts";
import {
  manageAuthorPhotosPage,
  manageEditionCoversPage,
  manageWorkCoversPage,
} from "../routes/cover-edits/manage-images-page.ts";
import {
  manageAuthorPhotos,
  manageEditionCovers,
  manageWorkCovers,
} from "../routes/cover-edits/manage-images.ts";
import { authorPhoto, editionCover } from "../routes/cover-edits/show-image.ts";

const EDITION = "/books/XX{edition_id}M";
const WORK = "/works/XX{work_id}W";
const AUTHOR = "/authors/XX{author_id}A";

/** The form of one action: its page, and what is done with it. */
type Form = readonly [shown: AnyOperation, sent: AnyOperation];

/** A form at a record's address and at its readable one, and each of them with `.json`. */
function form(record: string, action: string, [shown, sent]: Form): Route[] {
  const paths = [record, `${record}/{slug}`].flatMap((one) => [`${one}/${action}`, `${one}/${action}.json`]);
  return [...get(paths, "public", shown), ...post(paths, "session-page", sent)];
}

/** Covers and photos of records, as people change them. The forms are for people who are logged in; programs see what is there. */
export const COVER_EDIT_ROUTES: readonly Route[] = [
  get(`${EDITION}/cover`, "public", editionCover),
  get(`${AUTHOR}/photo`, "public", authorPhoto),
  ...form(EDITION, "add-cover", [addEditionCoverForm, addEditionCover]),
  ...form(WORK, "add-cover", [addWorkCoverForm, addWorkCover]),
  ...form(AUTHOR, "add-photo", [addAuthorPhotoForm, addAuthorPhoto]),
  ...form(EDITION, "manage-covers", [manageEditionCoversPage, manageEditionCovers]),
  ...form(WORK, "manage-covers", [manageWorkCoversPage, manageWorkCovers]),
  ...form(AUTHOR, "manage-photos", [manageAuthorPhotosPage, manageAuthorPhotos]),
].flat();
