/** The views of the graph page, in the order in which they stand. */
export const VIEWS = [
  { view: '', name: 'Neighbours' },
  { view: 'path', name: 'Path' },
  { view: 'features', name: 'Features and layers' },
  { view: 'services', name: 'Services' },
] as const;
