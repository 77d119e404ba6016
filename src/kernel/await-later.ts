/**
 * Work that begins now and is awaited after other work. Its rejection has a handler from the start, so that leaving in between
 * ends nothing but this; whoever awaits it gets the rejection all the same.
 */
export function awaitLater<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  return work;
}
