import { z } from 'zod';
import { callerOf } from './jira-gateway.ts';
import { type Get, issueTypeOf } from './jira-types.ts';
import { type IssueChoices, type IssueFields, PAGE_SIZE, type TrackerApi, type TrackerIssue } from './tracker-api.ts';
import { readAnswer, type TrackerLine, unknownProject, withoutLinks } from './tracker-call.ts';

/** Version 2 of the REST API, which Jira Cloud and Jira Data Center share; descriptions are wiki markup. */
const API = '/rest/api/2';

const Created = z.object({ id: z.string(), key: z.string() });
const Status = z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }) });
const Issue = z.object({ key: z.string(), fields: z.object({ status: Status, description: z.string().nullish() }) });
const IssuePage = z.object({ issues: z.array(Issue) });
const Assignable = z.array(
  z.object({ accountId: z.string().optional(), name: z.string().optional(), displayName: z.string() }),
);
const Versions = z.array(z.object({ id: z.string(), name: z.string(), released: z.boolean(), archived: z.boolean() }));
const Links = z.object({
  fields: z.object({
    issuelinks: z
      .array(z.object({ type: z.object({ name: z.string() }), inwardIssue: z.object({ key: z.string() }).optional() }))
      .default([]),
  }),
});
const LinkTypes = z.object({ issueLinkTypes: z.array(z.object({ name: z.string(), outward: z.string() })) });
const Labels = z.object({ values: z.array(z.string()) });

interface JiraSettings {
  issueType: string;
  isCloud: boolean;
  /**
   * The address at which Jira Cloud takes tokens with scopes, which the address of the site refuses; absent on self-hosted
   * installations.
   */
  gateway?: string | undefined;
}

/** Issues of a project, by its key. Data Center has other paths for searching than Jira Cloud. */
export function jira(line: TrackerLine, settings: JiraSettings): TrackerApi {
  const call = callerOf(line, settings.gateway);
  const issueOf = (key: string, status: z.output<typeof Status>): TrackerIssue => ({
    externalId: key,
    label: key,
    url: `${line.baseUrl}/browse/${encodeURIComponent(key)}`,
    status: status.name,
    isClosed: status.statusCategory.key === 'done',
  });
  const get = async <Value>(path: string, schema: z.ZodType<Value>): Promise<Value | undefined> => {
    const { status, json } = await call({ method: 'GET', path: `${API}${path}`, isSafe: true });
    return status >= 300 ? undefined : readAnswer(line, schema, json);
  };
  const project = encodeURIComponent(line.project);
  const read = async (key: string): Promise<TrackerIssue | undefined> => {
    const issue = await get(`/issue/${encodeURIComponent(key)}?fields=status`, Issue);
    return issue === undefined ? undefined : issueOf(issue.key, issue.fields.status);
  };
  return {
    check: async () => {
      if ((await get(`/project/${project}`, z.unknown())) === undefined) throw unknownProject(line);
      await issueTypeOf(line, get, settings.issueType);
    },
    choices: () => choicesOf(line, get, settings),
    create: async ({ title, body, ...chosen }) => {
      const given = fieldsOf(chosen, settings);
      const issuetype = await issueTypeOf(line, get, settings.issueType, Object.keys(given));
      const fields = { project: { key: line.project }, issuetype, summary: title, description: body, ...given };
      const { status, json } = await call({ method: 'POST', path: `${API}/issue`, body: { fields }, isSafe: false });
      if (status >= 300) throw unknownProject(line);
      const { key } = readAnswer(line, Created, json);
      // Jira tells the key alone; the status is that of a new issue until it is read.
      return issueOf(key, { name: 'new', statusCategory: { key: 'new' } });
    },
    update: async (key, { title, body, ...chosen }) => {
      const path = `${API}/issue/${encodeURIComponent(key)}`;
      const fields = { summary: title, description: body, ...fieldsOf(chosen, settings) };
      const { status } = await call({ method: 'PUT', path, body: { fields }, isSafe: true });
      return status >= 300 ? undefined : read(key);
    },
    find: async ({ marker, since }) => {
      // Those of the last days are compared here: how the marker is cut into words there does not matter then.
      const days = Math.min(30, Math.ceil((line.now().getTime() - since.getTime()) / 86_400_000) + 1);
      const jql = `project = "${line.project}" AND created >= "-${days}d" ORDER BY created DESC`;
      const query = new URLSearchParams({ jql, fields: 'status,description', maxResults: String(PAGE_SIZE) });
      const page = await get(`/search${settings.isCloud ? '/jql' : ''}?${query.toString()}`, IssuePage);
      if (page === undefined) throw unknownProject(line);
      const issue = page.issues.find(({ fields }) => fields.description?.includes(marker) === true);
      return issue === undefined ? undefined : issueOf(issue.key, issue.fields.status);
    },
    read,
    identify: async (name) => (/^[a-z][a-z0-9_]*-\d+$/i.test(name) ? read(name.toUpperCase()) : undefined),
    block: (key, blockers) => linkBlockers({ line, call, get }, key, blockers),
  };
}

async function linkBlockers(
  { line, call, get }: { line: TrackerLine; call: ReturnType<typeof callerOf>; get: Get },
  key: string,
  blockers: readonly string[],
): Promise<void> {
  const type = await blockingType(line, get);
  const issue = await get(`/issue/${encodeURIComponent(key)}?fields=issuelinks`, Links);
  const links = issue?.fields.issuelinks.filter((link) => link.type.name === type) ?? [];
  for (const blocker of blockers) {
    if (links.some(({ inwardIssue }) => inwardIssue?.key === blocker)) continue;
    const body = { type: { name: type }, inwardIssue: { key: blocker }, outwardIssue: { key } };
    const { status } = await call({ method: 'POST', path: `${API}/issueLink`, body, isSafe: false });
    if (status >= 300) throw withoutLinks(line);
  }
}

/** The name of the links that say that one issue blocks another, which administrators may change. */
async function blockingType(line: TrackerLine, get: Get): Promise<string> {
  const { issueLinkTypes: types } = (await get('/issueLinkType', LinkTypes)) ?? { issueLinkTypes: [] };
  const type =
    types.find(({ name }) => name.toLowerCase() === 'blocks') ??
    types.find(({ outward }) => outward.toLowerCase() === 'blocks');
  if (type === undefined) throw withoutLinks(line);
  return type.name;
}

async function choicesOf(line: TrackerLine, get: Get, { isCloud }: JiraSettings): Promise<IssueChoices> {
  const project = encodeURIComponent(line.project);
  const people = (await get(`/user/assignable/search?project=${project}&maxResults=${PAGE_SIZE}`, Assignable)) ?? [];
  const versions = (await get(`/project/${project}/versions`, Versions)) ?? [];
  // Data Center lists no labels.
  const labels = isCloud ? await get(`/label?maxResults=${PAGE_SIZE}`, Labels) : undefined;
  return {
    labels: (labels?.values ?? []).map((name) => ({ id: name, name })),
    assignees: people.flatMap(({ accountId, name, displayName }) => {
      const id = isCloud ? accountId : name;
      return id === undefined ? [] : [{ id, name: displayName }];
    }),
    milestones: versions
      .filter(({ released, archived }) => !released && !archived)
      .slice(0, PAGE_SIZE)
      .map(({ id, name }) => ({ id, name })),
  };
}

function fieldsOf({ labels, assignee, milestone, parent }: IssueFields, { isCloud }: JiraSettings): object {
  return {
    ...(labels !== undefined && { labels }),
    ...(assignee !== undefined && { assignee: isCloud ? { accountId: assignee } : { name: assignee } }),
    ...(parent !== undefined && { parent: { key: parent } }),
    ...(milestone !== undefined && { fixVersions: [{ id: milestone }] }),
  };
}
