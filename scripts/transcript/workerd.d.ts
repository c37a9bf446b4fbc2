declare module "workerd:unsafe" {
  const unsafe: { abortAllDurableObjects(): Promise<void> };
  export default unsafe;
}
