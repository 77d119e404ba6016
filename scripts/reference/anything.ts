const ANYTHING: unknown = new Proxy(() => ANYTHING, {
  // Whoever awaits it gets it at once.
  get: (_, key) => (key === 'then' ? undefined : key === Symbol.iterator ? [][Symbol.iterator].bind([]) : ANYTHING),
  apply: () => ANYTHING,
});

/** Stands for every part of the service where routes are only described and none of them does any work. */
export function anything<Parts>(): Parts {
  return ANYTHING as Parts;
}
