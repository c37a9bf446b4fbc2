declare module "marc4js" {
  interface Subfield {
    readonly _code: string;
    readonly _data: string;
  }
  /** A record; the members are those that its class keeps its fields in. */
  export interface Record {
    readonly _controlFields: readonly { readonly _tag: string; readonly _data: string }[];
    readonly _dataFields: readonly {
      readonly _tag: string;
      readonly _indicator1: string;
      readonly _indicator2: string;
      readonly _subfields: readonly Subfield[];
    }[];
  }
  type Done = (error: Error | null | undefined, records: Record[]) => void;
  const marc4js: { parse(data: string | Uint8Array, options: object, done: Done): void };
  export default marc4js;
}
