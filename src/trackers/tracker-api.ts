/** An issue as its tracker shows it. */
export interface TrackerIssue {
  /** How the API calls it within its project. */
  externalId: string;
  /** `#12`, `ENG-12`. */
  label: string;
  /** http or https. */
  url: string;
  /** As the tracker calls it. */
  status: string;
  isClosed: boolean;
}

interface NewIssue {
  title: string;
  body: string;
  /** Stands in the body; UUID. */
  marker: string;
}

/** What is asked of a tracker. All throw what `callTracker` throws. */
export interface TrackerApi {
  /** Does nothing when the project is there for the token. @throws ServiceError `conflict` otherwise. */
  check(): Promise<void>;
  /** Makes an issue, trying once where its outcome may stay unknown. */
  create(issue: NewIssue): Promise<TrackerIssue>;
  /** The issue whose body has the marker, among those made since then. */
  find(sought: { marker: string; since: Date }): Promise<TrackerIssue | undefined>;
  /** Undefined when it is not there. */
  read(externalId: string): Promise<TrackerIssue | undefined>;
}

/** Issues that are looked through for a marker, at most, in pages of 100: what was made in the minutes since. */
export const MOST_PAGES = 5;
export const PAGE_SIZE = 100;
