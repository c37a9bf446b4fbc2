/** A file of SQL as text. */
declare module "*.sql?raw" {
  const text: string;
  export default text;
}
