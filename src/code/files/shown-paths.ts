/** Code that is there to be read or copied, not called. */
export function isShown(path: string): boolean {
  return /(^|\/)(examples?|docs?(_src)?|demos?|samples?|playgrounds?|fixtures?|testdata|benchmarks?|templates?|snippets)\//i.test(
    path,
  );
}
