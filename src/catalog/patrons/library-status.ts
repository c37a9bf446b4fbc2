import { type ShelfId, SHELVES } from "./shelves.ts";

/**
 * Names of shelves elsewhere, by shelf, the one of Goodreads first (Q711). A paused book is still being read; an abandoned
 * one is stopped.
 */
const SHELF_NAMES: Readonly<Record<ShelfId, readonly [goodreads: string, ...others: string[]]>> = {
  1: ["to-read", "want-to-read", "wishlist", "tbr", "to-be-read"],
  2: ["currently-reading", "reading", "paused", "on-hold"],
  3: ["read", "already-read", "finished", "read-but-unowned"],
  4: ["did-not-finish", "stopped-reading", "dnf", "abandoned", "gave-up", "unfinished"],
};
const SHELF_OF_NAME = new Map(
  SHELVES.flatMap(({ id }) => SHELF_NAMES[id].map((name) => [name, id] as const)),
);

export function goodreadsShelfOf(shelf: ShelfId): string {
  return SHELF_NAMES[shelf][0];
}

/** Returns the shelf of a name that other services have, such as `to-read`. */
export function shelfNamed(name: string): ShelfId | undefined {
  return SHELF_OF_NAME.get(slugOf(name));
}

/** Further values of a column for the status, in the five languages of the pages (Q870). */
const STATUS_NAMES: Readonly<Record<ShelfId, string>> = {
  1:
    "planned plan-to-read planning not-begun not-started unread not-read up-next backlog watchlist wish-list " +
    "ungelesen zu-lesen geplant à-lire non-lu pal por-leer sin-leer no-leído pendiente أريد-قراءته",
  2:
    "in-progress started now-reading rereading reading-now lese-ich lese-gerade angefangen pausiert " +
    "en-cours en-pause leyendo en-curso en-progreso en-pausa أقرؤه-حاليا",
  3: "completed complete done gelesen beendet fertig lu terminé leído leido terminado قرأته",
  4: "dropped stopped not-finished abgebrochen abandonné abandonado لم-أكمله",
};
/** Values of a column that says whether a book is read. */
const READ_ANSWERS: readonly (readonly [ShelfId, string])[] = [
  [1, "no false 0 nein non"],
  [3, "yes true 1 x ja oui sí si"],
];
const SHELF_OF_ANSWER = new Map(
  READ_ANSWERS.flatMap(([id, names]) => names.split(" ").map((name) => [name, id] as const)),
);
const SHELF_OF_STATUS = new Map(
  SHELVES.flatMap(({ id }) =>
    [...SHELF_NAMES[id], ...STATUS_NAMES[id].split(" ")].map((name) => [name, id] as const),
  ),
);

/** Returns true if a text is the name of a status, such as `In Progress` or `did-not-finish`. */
export function isStatus(text: string): boolean {
  return SHELF_OF_STATUS.has(slugOf(text));
}

/** Returns the shelf of a status, or of the answer of a column such as `Read?`. */
export function shelfOfStatus(text: string): ShelfId | undefined {
  const name = slugOf(text);
  return SHELF_OF_STATUS.get(name) ?? SHELF_OF_ANSWER.get(name);
}

export function slugOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
}
