import { csvLine } from "../../catalog/patrons/csv.ts";
import { type ExportRow, type ExportType, EXPORTS, csvValue } from "../../catalog/patrons/exports.ts";
import { type Reply, JSON_TYPE, PRIVATE } from "../http/reply.ts";
import type { RequestContext } from "../http/operation.ts";
import { wantsHtml } from "../http/accept.ts";
import { exportRows } from "./export-rows.ts";

/** True for programs that ask for JSON: by the path, or by `Accept`; everybody else gets CSV. */
export function wantsJson({ url, request }: RequestContext): boolean {
  if (url.pathname.endsWith(".json")) return true;
  return (request.headers.get("Accept") ?? "").includes(JSON_TYPE) && !wantsHtml(request);
}

/** A file with what a patron has here, sent as it is read. */
export function exportFile(context: RequestContext, username: string, type: ExportType): Reply {
  const rows = exportRows(context, username, type);
  const isJson = wantsJson(context);
  const body = streamed(isJson ? jsonText(type, rows) : csvText(type, rows));
  const headers = { Vary: "Accept, Cookie" };
  if (isJson) return { status: 200, body, contentType: JSON_TYPE, cacheControl: PRIVATE, headers };
  const { file } = EXPORTS[type];
  return {
    status: 200,
    body,
    contentType: "text/csv; charset=utf-8",
    cacheControl: PRIVATE,
    headers: { ...headers, "Content-Disposition": `attachment; filename=${file}` },
  };
}

async function* csvText(type: ExportType, parts: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  yield csvLine(EXPORTS[type].columns.map(([title]) => title));
  for await (const rows of parts) yield rows.map((row) => csvLine(row.map(csvValue))).join("");
}

/** An array of objects with the same values under names that programs like better; several values stay several. */
async function* jsonText(type: ExportType, parts: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  const names = EXPORTS[type].columns.map(([, name]) => name);
  let separator = "[";
  for await (const rows of parts) {
    const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
    if (objects.length === 0) continue;
    yield separator + objects.map((one) => JSON.stringify(one)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[" ? "[]" : "]";
}

function streamed(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A stream stops when it is given nothing.
      for (;;) {
        const { value, done } = await texts.next();
        if (done === true) return controller.close();
        if (value !== "") return controller.enqueue(encoder.encode(value));
      }
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
