import { z } from 'zod';
import { type IssueFields, MOST_PAGES, PAGE_SIZE, type TrackerApi, type TrackerIssue } from './tracker-api.ts';
import { callTracker, listOf, readAnswer, type TrackerLine, unknownProject, withoutLinks } from './tracker-call.ts';

/** Version 2022-11-28 of https://docs.github.com/rest/issues/issues. */
export const GITHUB_HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

const Issue = z.object({
  id: z.int(),
  number: z.int(),
  html_url: z.url({ protocol: /^https?$/ }),
  state: z.string(),
  state_reason: z.string().nullish(),
  body: z.string().nullish(),
});

const Linked = z.array(z.object({ number: z.int() }));
const Labels = z.array(z.object({ name: z.string() }));
const Assignees = z.array(z.object({ login: z.string() }));
const Milestones = z.array(z.object({ number: z.int(), title: z.string() }));

/** Issues of a repository, `owner/name`. */
export function github(line: TrackerLine): TrackerApi {
  const repository = `/repos/${line.project}`;
  const get = async (externalId: string): Promise<z.output<typeof Issue> | undefined> => {
    const path = `${repository}/issues/${encodeURIComponent(externalId)}`;
    const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
    return status >= 300 ? undefined : readAnswer(line, Issue, json);
  };
  const read = async (externalId: string): Promise<TrackerIssue | undefined> => {
    const issue = await get(externalId);
    return issue && issueOf(issue);
  };
  /** Links name issues by another id than everything else. */
  const idOf = async (externalId: string): Promise<number> => {
    const issue = await get(externalId);
    if (issue === undefined) throw unknownProject(line);
    return issue.id;
  };
  return {
    check: async () => {
      const { status } = await callTracker(line, { method: 'GET', path: repository, isSafe: true });
      if (status >= 300) throw unknownProject(line);
    },
    choices: async () => {
      const labels = await listOf(line, `${repository}/labels?per_page=${PAGE_SIZE}`, Labels);
      const assignees = await listOf(line, `${repository}/assignees?per_page=${PAGE_SIZE}`, Assignees);
      const milestones = await listOf(line, `${repository}/milestones?state=open&per_page=${PAGE_SIZE}`, Milestones);
      return {
        labels: labels.map(({ name }) => ({ id: name, name })),
        assignees: assignees.map(({ login }) => ({ id: login, name: login })),
        milestones: milestones.map(({ number, title }) => ({ id: String(number), name: title })),
      };
    },
    create: async ({ title, body, ...fields }) => {
      const path = `${repository}/issues`;
      const sent = { title, body, ...fieldsOf(fields) };
      const { status, json } = await callTracker(line, { method: 'POST', path, body: sent, isSafe: false });
      if (status >= 300) throw unknownProject(line);
      return issueOf(readAnswer(line, Issue, json));
    },
    update: async (externalId, { title, body, ...fields }) => {
      const path = `${repository}/issues/${encodeURIComponent(externalId)}`;
      const sent = { title, body, ...fieldsOf(fields) };
      const { status, json } = await callTracker(line, { method: 'PATCH', path, body: sent, isSafe: true });
      return status >= 300 ? undefined : issueOf(readAnswer(line, Issue, json));
    },
    find: (sought) => findByMarker(line, repository, sought),
    read,
    identify: async (name) => (/^#?\d+$/.test(name) ? read(name.replace('#', '')) : undefined),
    nest: (externalId, parent) =>
      link(line, `${repository}/issues/${parent}/sub_issues`, [externalId], async () => ({
        sub_issue_id: await idOf(externalId),
        replace_parent: true,
      })),
    block: (externalId, blockers) =>
      link(line, `${repository}/issues/${externalId}/dependencies/blocked_by`, blockers, async (blocker) => ({
        issue_id: await idOf(blocker),
      })),
  };
}

async function findByMarker(
  line: TrackerLine,
  repository: string,
  { marker, since }: { marker: string; since: Date },
): Promise<TrackerIssue | undefined> {
  // The list is read, not the search, whose index is minutes behind.
  const query = `state=all&sort=created&direction=desc&per_page=${PAGE_SIZE}&since=${since.toISOString()}`;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const path = `${repository}/issues?${query}&page=${page}`;
    const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
    if (status >= 300) throw unknownProject(line);
    const issues = readAnswer(line, z.array(Issue), json);
    const issue = issues.find(({ body }) => body?.includes(marker) === true);
    if (issue !== undefined) return issueOf(issue);
    if (issues.length < PAGE_SIZE) return undefined;
  }
  return undefined;
}

/** Adds those to a list of issues that it does not have yet. */
async function link(
  line: TrackerLine,
  path: string,
  externalIds: readonly string[],
  bodyOf: (externalId: string) => Promise<object>,
): Promise<void> {
  const linkAnswer = await callTracker(line, { method: 'GET', path: `${path}?per_page=${PAGE_SIZE}`, isSafe: true });
  if (linkAnswer.status >= 300) throw withoutLinks(line);
  const numbers = new Set(readAnswer(line, Linked, linkAnswer.json).map(({ number }) => String(number)));
  for (const externalId of externalIds) {
    if (numbers.has(externalId)) continue;
    const body = await bodyOf(externalId);
    const { status } = await callTracker(line, { method: 'POST', path, body, isSafe: false });
    if (status >= 300) throw withoutLinks(line);
  }
}

function fieldsOf({ labels, assignee, milestone }: IssueFields): object {
  return {
    ...(labels !== undefined && { labels }),
    ...(assignee !== undefined && { assignees: [assignee] }),
    ...(milestone !== undefined && { milestone: Number(milestone) }),
  };
}

function issueOf({ number, html_url: url, state, state_reason: reason }: z.output<typeof Issue>): TrackerIssue {
  const isClosed = state === 'closed';
  const status = isClosed && reason === 'not_planned' ? 'closed as not planned' : state;
  return { externalId: String(number), label: `#${number}`, url, status, isClosed };
}
