import { formatDatetime } from "../../catalog/datetime.ts";
import type { ImportRequest } from "./import-request.ts";
import type { ImportOrigin } from "./commit-import.ts";
import type { DecideOptions } from "../../import/records/decision.ts";
import type { ImportRecord } from "../../import/record.ts";
export interface ImportJob {
  readonly record: ImportRecord;
  readonly options: DecideOptions;
  readonly origin: ImportOrigin;
  /** Maximum bytes of the documents that the record is compared with. Defaults to `FOUND_BYTES`. */
  readonly foundBytes?: number;
}

/** Returns the job of a request. `prefix` is that of record numbers. */
export function toImportJob(request: ImportRequest, prefix: string): ImportJob {
  const { record, author, bot, ip, fromMarc, coverHosts, now, item, warnings } = request;
  return {
    record,
    options: { prefix, now, fromMarc, coverHosts, warnings },
    origin: { prefix, author, bot, ip, now: formatDatetime(now), item },
  };
}
