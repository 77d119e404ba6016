/** The views of the history page, in the order in which they stand. */
export const VIEWS = [
  { view: '', name: 'Hotspots' },
  { view: 'activity', name: 'Activity' },
  { view: 'together', name: 'Change together' },
  { view: 'changelog', name: 'Changelog' },
  { view: 'compare', name: 'Compare' },
  { view: 'owners', name: 'Owners' },
  { view: 'commits', name: 'Commits' },
] as const;
