import type { Route } from "../http/operation.ts";
import { alias, get } from "../http/route-lines.ts";
import { coverImages } from "../routes/covers/cover-image.ts";
import { coversHome } from "../routes/covers/home.ts";
import { coverMetadataBy } from "../routes/covers/metadata.ts";
import { coverRobots } from "../routes/covers/robots.ts";
import { readAuthor, readEdition, readWork } from "../records/record.ts";
import { COVER_CATEGORIES } from "../covers/store/categories.ts";

/** Images of covers, and what is known of them. */
const READING: readonly Route[] = [
  COVER_CATEGORIES.map((one) => get(`/${one}/{key}/{value}.jpg`, "public", coverImages[one])),
  COVER_CATEGORIES.map((one) => get(`/${one}/{key}/{value}.json`, "public", coverMetadataBy[one])),
].flat(2);

/** What records are found at by their old addresses (Q11), with any word behind the number: it looks like the key of a cover. */
const OLD_ADDRESSES: readonly Route[] = [
  alias(get("/b/XX{edition_id}M/{slug}.json", "public", readEdition)),
  alias(get("/a/XX{author_id}A/{slug}.json", "public", readAuthor)),
  alias(get("/w/XX{work_id}W/{slug}.json", "public", readWork)),
].flat();

/** The main site has the same, below `/covers` too. */
export const COVER_ROUTES: readonly Route[] = [
  ...OLD_ADDRESSES,
  ...READING,
  ...READING.map((route) => ({ ...route, path: `/covers${route.path}`, alias: true })),
  get("/covers", "public", coversHome),
].flat();

/** The cover store's own listener. */
export const COVER_READING_ROUTES: readonly Route[] = [
  ...READING,
  get("/", "public", coversHome),
  get("/robots.txt", "public", coverRobots),
].flat();
