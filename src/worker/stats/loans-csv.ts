import type { Reply } from "../reply.ts";

const HEAD = "Date,Total Loans,PDF Loans,ePub Loans,Bookreader Loans";

/** Loans by day as a file. Everything is read in the browser, so the columns of the other formats hold 0. */
export function loansCsv(perDay: readonly (readonly [string, number])[], name: string): Reply {
  const lines = perDay.map(([day, loans]) => `${day},${loans},0,0,${loans}`);
  return {
    status: 200,
    contentType: "application/csv",
    cacheControl: "public, max-age=60",
    headers: { "Content-Disposition": `attachment; filename=${name.replace(/[^\w.-]/g, "_")}.csv` },
    body: `${[HEAD, ...lines].join("\r\n")}\r\n`,
  };
}
