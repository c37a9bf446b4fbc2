// Clients that bring no types: as much of them as the tests call.

declare module "node-isbn" {
  export interface Book {
    title: string;
    authors: string[];
    publisher?: string;
    publishedDate?: string;
    description?: string;
    pageCount?: number | null;
    language?: string;
    imageLinks?: { smallThumbnail?: string; thumbnail?: string };
    previewLink?: string;
    infoLink?: string;
  }
  interface Isbn {
    PROVIDER_NAMES: Record<"GOOGLE" | "OPENLIBRARY" | "WORLDCAT" | "ISBNDB", string>;
    provider(providers: string[]): Isbn;
    resolve(isbn: string, options?: { timeout?: number }): Promise<Book>;
    resolve(isbn: string, callback: (error: Error | null, book: Book | null) => void): void;
  }
  const isbn: Isbn;
  export default isbn;
}

declare module "@citation-js/core" {
  interface Entry extends Record<string, unknown> {
    title: string;
    author: { given?: string; family: string }[];
  }
  export class Cite {
    constructor(input: unknown);
    static async(input: unknown): Promise<Cite>;
    data: Entry[];
  }
}

declare module "@citation-js/plugin-isbn";
