/** Number of fields of an address line, separated by `|`. */
const FIELDS = 9;
const COORDINATE = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/** Building of a library; its coordinates are undefined if not given. */
export type Branch = NonNullable<ReturnType<typeof branchOf>>;

/** Parses an address line; undefined if the number of fields is wrong or the coordinates are invalid. */
export function branchOf(line: string) {
  const fields = line.split("|").map((field) => field.replace(/\s+/g, " ").trim());
  if (fields.length !== FIELDS) return undefined;
  const [name = "", street = "", city = "", state = "", zip = "", country = "", ...more] = fields;
  const [telephone = "", website = "", place = ""] = more;
  const coordinates = coordinatesOf(place);
  if (place !== "" && coordinates === undefined) return undefined;
  return { name, street, city, state, zip, country, telephone, website, coordinates };
}

/** Parses all branches of an address text, one a line; skips invalid lines. */
export function branchesOf(text: string): Branch[] {
  return linesOf(text).flatMap((line) => branchOf(line) ?? []);
}

/** Returns the lines of a text that are not blank. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** Parses latitude and longitude, in degrees as written. */
function coordinatesOf(text: string) {
  const [latitude = "", longitude = "", ...more] = text.split(",").map((part) => part.trim());
  if (more.length > 0 || !isCoordinate(latitude, 90) || !isCoordinate(longitude, 180)) return undefined;
  return { latitude, longitude };
}

function isCoordinate(text: string, most: number): boolean {
  return COORDINATE.test(text) && Math.abs(Number(text)) <= most;
}
