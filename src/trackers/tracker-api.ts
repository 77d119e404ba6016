/** An issue as its tracker shows it. */
export interface TrackerIssue {
  /** Its id in the API, within its project. */
  externalId: string;
  /** `#12`, `ENG-12`. */
  label: string;
  /** http or https. */
  url: string;
  /** As the tracker calls it. */
  status: string;
  isClosed: boolean;
}

/** Something that can be chosen for an issue. `id` is what the API wants. */
interface IssueChoice {
  id: string;
  name: string;
}

/** The choices for issues of a project, each at most 100 and in the order of the tracker. */
export interface IssueChoices {
  labels: IssueChoice[];
  assignees: IssueChoice[];
  /** Versions of Jira; none at Linear, which has no milestones of a team. */
  milestones: IssueChoice[];
}

/** The id of the person whom a work item names, where the tracker has one of that name. */
export function namedAssignee({ assignees }: Pick<IssueChoices, 'assignees'>, written: string): string | undefined {
  const named = written.replace(/^@/, '').toLowerCase();
  return assignees.find(({ name }) => named !== '' && name.toLowerCase() === named)?.id;
}

/** The chosen values, by id. Absent ones are not changed there. */
export interface IssueFields {
  labels?: readonly string[] | undefined;
  assignee?: string | undefined;
  milestone?: string | undefined;
  /** The issue below which it goes. */
  parent?: string | undefined;
}

interface IssueContent extends IssueFields {
  title: string;
  body: string;
}

interface NewIssue extends IssueContent {
  /** Stands in the body; UUID. */
  marker: string;
}

/** The operations of a tracker. All throw what `callTracker` throws. */
export interface TrackerApi {
  /** Does nothing when the project is there for the token. @throws ServiceError `conflict` otherwise. */
  check(): Promise<void>;
  choices(): Promise<IssueChoices>;
  /** Makes an issue, trying once where its outcome may stay unknown. */
  create(issue: NewIssue): Promise<TrackerIssue>;
  /** Replaces the title, the text and the fields that are given. Undefined when the issue is not there. */
  update(externalId: string, content: IssueContent): Promise<TrackerIssue | undefined>;
  /** The issue whose body has the marker, among those made since then. */
  find(sought: { marker: string; since: Date }): Promise<TrackerIssue | undefined>;
  /** Undefined when it is not there. */
  read(externalId: string): Promise<TrackerIssue | undefined>;
  /** The issue of the project that people call so: `#12`, `ENG-7`. Undefined when it is not there. */
  identify(name: string): Promise<TrackerIssue | undefined>;
  /** Puts an issue below another one; absent where making and updating it do that. Safe twice. */
  nest?(externalId: string, parent: string): Promise<void>;
  /** Says there that an issue waits for others of the project; what is said already stays. Safe twice. */
  block(externalId: string, blockers: readonly string[]): Promise<void>;
}

/** Issues that are looked through for a marker, at most, in pages of 100: what was made in the minutes since. */
export const MOST_PAGES = 5;
export const PAGE_SIZE = 100;
