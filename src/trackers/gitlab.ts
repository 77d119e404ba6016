import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import { type IssueFields, PAGE_SIZE, type TrackerApi, type TrackerIssue } from './tracker-api.ts';
import { callTracker, listOf, readAnswer, type TrackerLine, unknownProject, withoutLinks } from './tracker-call.ts';

/** Version 4 of https://docs.gitlab.com/api/issues. */
const Issue = z.object({
  iid: z.int(),
  web_url: z.url({ protocol: /^https?$/ }),
  state: z.string(),
  description: z.string().nullish(),
});

const Linked = z.array(z.object({ iid: z.int() }));
const Labels = z.array(z.object({ name: z.string() }));
const Members = z.array(z.object({ id: z.int(), username: z.string() }));
const Milestones = z.array(z.object({ id: z.int(), title: z.string() }));

type LinkType = 'blocks' | 'relates_to';

/** Issues of a project, `group/project` or its number. */
export function gitlab(line: TrackerLine): TrackerApi {
  const project = `/projects/${encodeURIComponent(line.project)}`;
  const read = async (externalId: string): Promise<TrackerIssue | undefined> => {
    const path = `${project}/issues/${encodeURIComponent(externalId)}`;
    const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
    return status >= 300 ? undefined : issueOf(readAnswer(line, Issue, json));
  };
  return {
    check: async () => {
      const { status } = await callTracker(line, { method: 'GET', path: project, isSafe: true });
      if (status >= 300) throw unknownProject(line);
    },
    choices: async () => {
      const page = `per_page=${PAGE_SIZE}`;
      const labels = await listOf(line, `${project}/labels?${page}`, Labels);
      const members = await listOf(line, `${project}/members/all?${page}`, Members);
      const path = `${project}/milestones?state=active&include_ancestors=true&${page}`;
      const milestones = await listOf(line, path, Milestones);
      return {
        labels: labels.map(({ name }) => ({ id: name, name })),
        assignees: members.map(({ id, username }) => ({ id: String(id), name: username })),
        milestones: milestones.map(({ id, title }) => ({ id: String(id), name: title })),
      };
    },
    update: async (externalId, { title, body, ...fields }) => {
      const path = `${project}/issues/${encodeURIComponent(externalId)}`;
      const sent = { title, description: body, ...fieldsOf(fields) };
      const { status, json } = await callTracker(line, { method: 'PUT', path, body: sent, isSafe: true });
      return status >= 300 ? undefined : issueOf(readAnswer(line, Issue, json));
    },
    create: async ({ title, body, ...fields }) => {
      const sent = { title, description: body, ...fieldsOf(fields) };
      const path = `${project}/issues`;
      const { status, json } = await callTracker(line, { method: 'POST', path, body: sent, isSafe: false });
      if (status >= 300) throw unknownProject(line);
      return issueOf(readAnswer(line, Issue, json));
    },
    find: async ({ marker, since }) => {
      const query = `search=${marker}&in=description&created_after=${since.toISOString()}&per_page=${PAGE_SIZE}`;
      const path = `${project}/issues?${query}`;
      const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
      if (status >= 300) throw unknownProject(line);
      const issues = readAnswer(line, z.array(Issue), json);
      const issue = issues.find(({ description }) => description?.includes(marker) === true);
      return issue === undefined ? undefined : issueOf(issue);
    },
    read,
    identify: async (name) => (/^#?\d+$/.test(name) ? read(name.replace('#', '')) : undefined),
    // Its issues have tasks below them, but no issues.
    nest: (externalId, parent) => link(line, { from: parent, to: externalId, types: ['relates_to'] }),
    block: async (externalId, blockers) => {
      for (const from of blockers) await link(line, { from, to: externalId, types: ['blocks', 'relates_to'] });
    },
  };
}

/** Links two issues that are not linked yet, by the first type that there is: blocking ones are not in every edition. */
async function link(
  line: TrackerLine,
  { from, to, types: [type, ...others] }: { from: string; to: string; types: [LinkType, ...LinkType[]] },
): Promise<void> {
  const path = `/projects/${encodeURIComponent(line.project)}/issues/${encodeURIComponent(from)}/links`;
  const linkAnswer = await callTracker(line, { method: 'GET', path, isSafe: true });
  if (linkAnswer.status >= 300) throw withoutLinks(line);
  if (readAnswer(line, Linked, linkAnswer.json).some(({ iid }) => String(iid) === to)) return;
  const body = { target_project_id: line.project, target_issue_iid: to, link_type: type };
  try {
    const { status } = await callTracker(line, { method: 'POST', path, body, isSafe: false });
    if (status >= 300) throw withoutLinks(line);
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !(error instanceof ServiceError) || error.code !== 'conflict') throw error;
    await link(line, { from, to, types: [next, ...rest] });
  }
}

function fieldsOf({ labels, assignee, milestone }: IssueFields): object {
  return {
    ...(labels !== undefined && { labels: labels.join(',') }),
    ...(assignee !== undefined && { assignee_ids: [Number(assignee)] }),
    ...(milestone !== undefined && { milestone_id: Number(milestone) }),
  };
}

function issueOf({ iid, web_url: url, state }: z.output<typeof Issue>): TrackerIssue {
  const status = state === 'opened' ? 'open' : state;
  return { externalId: String(iid), label: `#${iid}`, url, status, isClosed: state === 'closed' };
}
