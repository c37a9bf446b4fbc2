import type { LoggedIn } from "./logged-in.ts";

/** Sends a file, or the text of a list, to a path of the import as a browser does. */
export const uploadLibrary = (
  who: LoggedIn,
  path: string,
  text: string,
  { accept = "application/json", lists }: { accept?: string; lists?: "yes" } = {},
): Promise<Response> => {
  const boundary = "----boundary";
  const listsPart = [`--${boundary}`, 'Content-Disposition: form-data; name="lists"', "", lists];
  const body = [
    ...(lists === undefined ? [] : listsPart),
    `--${boundary}`,
    'Content-Disposition: form-data; name="csv"; filename="books.csv"',
    "Content-Type: text/csv",
    "",
    text,
    `--${boundary}--`,
    "",
  ].join("\r\n");
  return who.fetch(path, {
    method: "POST",
    body,
    headers: {
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
      "Content-Length": String(new TextEncoder().encode(body).length),
      Accept: accept,
    },
  });
};
