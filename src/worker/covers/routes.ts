import type { AnyOperation, Route } from "../http/operation.ts";
import { alias, get, post } from "../http/route-lines.ts";
import { readAuthor, readEdition, readWork } from "../records/record.ts";
import { addImageForm, addRecordImage } from "./add-image.ts";
import { COVER_CATEGORIES } from "./categories.ts";
import { coverRobots, coversHome } from "./home.ts";
import { type ImageKind, IMAGE_KINDS, showImage } from "./record-images.ts";
import { coverImages, coverMetadataBy } from "./image.ts";
import { manageImages, manageImagesPage } from "./manage-images.ts";
import { coversList, queryCovers, queryNothing } from "./query.ts";
import { deleteCover, touch } from "./remove.ts";
import { upload, upload2 } from "./upload.ts";

const READING: readonly Route[] = [
  COVER_CATEGORIES.map((category) => get(`/${category}/{key}/{value}.jpg`, "public", coverImages[category])),
  COVER_CATEGORIES.map((category) =>
    get(`/${category}/{key}/{value}.json`, "public", coverMetadataBy[category]),
  ),
].flat(2);

/** Old addresses of records with a slug (Q11), which look like addresses of covers. */
const OLD_ADDRESSES: readonly Route[] = [
  alias(get("/b/XX{edition_id}M/{slug}.json", "public", readEdition)),
  alias(get("/a/XX{author_id}A/{slug}.json", "public", readAuthor)),
  alias(get("/w/XX{work_id}W/{slug}.json", "public", readWork)),
].flat();

/** Routes of the main site, which also has them below `/covers`. */
export const COVER_ROUTES: readonly Route[] = [
  ...OLD_ADDRESSES,
  ...READING,
  ...READING.map((route) => ({ ...route, path: `/covers${route.path}`, alias: true })),
  get("/covers", "public", coversHome),
].flat();

/** Routes of the cover store's own listener. */
export const COVER_READING_ROUTES: readonly Route[] = [
  ...READING,
  get("/", "public", coversHome),
  get("/robots.txt", "public", coverRobots),
].flat();

function recordPath({ folder, noun, letter }: ImageKind): string {
  return `/${folder}/XX{${noun}_id}${letter}`;
}

/** Returns the routes of a form at a record's address and at its readable one, each also with `.json`. */
function formRoutes(
  kind: ImageKind,
  action: string,
  { show, submit }: Record<"show" | "submit", AnyOperation>,
): Route[] {
  const record = recordPath(kind);
  const paths = [record, `${record}/{slug}`].flatMap((path) => [
    `${path}/${action}`,
    `${path}/${action}.json`,
  ]);
  return [...get(paths, "public", show), ...post(paths, "session-page", submit)];
}

export const COVER_EDIT_ROUTES: readonly Route[] = [
  // Works have no such address.
  IMAGE_KINDS.filter(({ noun }) => noun !== "work").map((kind) =>
    get(`${recordPath(kind)}/${kind.image}`, "public", showImage[kind.noun]),
  ),
  IMAGE_KINDS.map((kind) =>
    formRoutes(kind, `add-${kind.image}`, {
      show: addImageForm[kind.noun],
      submit: addRecordImage[kind.noun],
    }),
  ),
  IMAGE_KINDS.map((kind) =>
    formRoutes(kind, `manage-${kind.images}`, {
      show: manageImagesPage[kind.noun],
      submit: manageImages[kind.noun],
    }),
  ),
].flat(2);

const STORE: readonly Route[] = [
  COVER_CATEGORIES.map((category) => get(`/${category}/query`, "public", queryCovers[category])),
  COVER_CATEGORIES.map((category) => post(`/${category}/upload2`, "cover-writer", upload2[category])),
  COVER_CATEGORIES.map((category) => post(`/${category}/upload`, "cover-writer", upload[category])),
  COVER_CATEGORIES.map((category) => post(`/${category}/touch`, "cover-writer", touch[category])),
  COVER_CATEGORIES.map((category) => post(`/${category}/delete`, "cover-writer", deleteCover[category])),
].flat(2);

/** Routes of the main site, which also has them below `/covers`. */
export const COVER_STORE_ROUTES: readonly Route[] = [
  ...STORE,
  ...STORE.map((route) => ({ ...route, path: `/covers${route.path}`, alias: true })),
  get("/system/covers.json", "operator", coversList),
].flat();

/** Routes of the cover store's own listener. */
export const COVER_LISTENER_ROUTES: readonly Route[] = [
  ...STORE,
  get("/{category}/query", "public", queryNothing),
].flat();
