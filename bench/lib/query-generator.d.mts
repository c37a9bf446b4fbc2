export declare function generateQuery(random: () => number): string;
