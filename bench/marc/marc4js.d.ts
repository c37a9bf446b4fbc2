declare module "marc4js/lib/parse/iso2709_parser" {
  /** A stream that takes parts of a file and emits its records. */
  export default class Iso2709Parser {
    constructor(options: object);
    on(event: "data", listener: (record: unknown) => void): void;
    on(event: "end", listener: () => void): void;
    on(event: "error", listener: (error: Error) => void): void;
    write(file: string): void;
    end(): void;
  }
}
