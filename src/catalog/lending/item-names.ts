/** Longest id of an item, and longest name of a file in it, in characters. */
const ITEM_ID_LENGTH = 200;
const ITEM_FILE_LENGTH = 500;
const CONTROLS = /[^ -~\u0080-\u{10ffff}]/u;

/** True for a valid id of an item. */
export function isItemId(text: string): boolean {
  return text.length <= ITEM_ID_LENGTH && /^[\w.@+~-]+$/.test(text) && !isStep(text);
}

/** True for a valid name of a file of an item, with or without folders. */
export function isFileName(text: string): boolean {
  if (text.length > ITEM_FILE_LENGTH) return false;
  return !CONTROLS.test(text) && text.split("/").every((part) => part !== "" && !isStep(part));
}

/** True for path steps, which would lead out of the item. */
function isStep(part: string): boolean {
  return part === "." || part === "..";
}
