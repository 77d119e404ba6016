/** Makes a value when it is first asked for, and keeps it: for what is dear to make, and for most processes never needed. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
