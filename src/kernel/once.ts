/**
 * Makes a value when it is first needed, and stores it: for a value that is expensive to make, and that most processes never
 * need.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
