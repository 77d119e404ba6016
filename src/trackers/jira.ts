import { z } from 'zod';
import { PAGE_SIZE, type TrackerApi, type TrackerIssue } from './tracker-api.ts';
import { callTracker, readAnswer, type TrackerLine, unknownProject } from './tracker-call.ts';

/** Version 2 of the REST API, which Jira Cloud and Jira Data Center share; descriptions are wiki markup. */
const API = '/rest/api/2';

const Created = z.object({ id: z.string(), key: z.string() });
const Status = z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }) });
const Issue = z.object({ key: z.string(), fields: z.object({ status: Status, description: z.string().nullish() }) });
const Found = z.object({ issues: z.array(Issue) });

/** Issues of a project, by its key. Data Center has another path for searching than Jira Cloud. */
export function jira(line: TrackerLine, settings: { issueType: string; isCloud: boolean }): TrackerApi {
  const issueOf = (key: string, status: z.output<typeof Status>): TrackerIssue => ({
    externalId: key,
    label: key,
    url: `${line.baseUrl}/browse/${encodeURIComponent(key)}`,
    status: status.name,
    isClosed: status.statusCategory.key === 'done',
  });
  const read = async (key: string): Promise<TrackerIssue | undefined> => {
    const path = `${API}/issue/${encodeURIComponent(key)}?fields=status`;
    const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
    if (status >= 300) return undefined;
    const issue = readAnswer(line, Issue, json);
    return issueOf(issue.key, issue.fields.status);
  };
  return {
    check: async () => {
      const path = `${API}/project/${encodeURIComponent(line.project)}`;
      const { status } = await callTracker(line, { method: 'GET', path, isSafe: true });
      if (status >= 300) throw unknownProject(line);
    },
    create: async ({ title, body }) => {
      const fields = {
        project: { key: line.project },
        issuetype: { name: settings.issueType },
        summary: title,
        description: body,
      };
      const path = `${API}/issue`;
      const { status, json } = await callTracker(line, { method: 'POST', path, body: { fields }, isSafe: false });
      if (status >= 300) throw unknownProject(line);
      const { key } = readAnswer(line, Created, json);
      // Jira tells the key alone; the status is that of a new issue until it is read.
      return issueOf(key, { name: 'new', statusCategory: { key: 'new' } });
    },
    find: async ({ marker, since }) => {
      // Those of the last days are compared here: how the marker is cut into words there does not matter then.
      const days = Math.min(30, Math.ceil((line.now().getTime() - since.getTime()) / 86_400_000) + 1);
      const jql = `project = "${line.project}" AND created >= "-${days}d" ORDER BY created DESC`;
      const query = new URLSearchParams({ jql, fields: 'status,description', maxResults: String(PAGE_SIZE) });
      const path = `${API}/search${settings.isCloud ? '/jql' : ''}?${query.toString()}`;
      const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
      if (status >= 300) throw unknownProject(line);
      const { issues } = readAnswer(line, Found, json);
      const found = issues.find(({ fields }) => fields.description?.includes(marker) === true);
      return found === undefined ? undefined : issueOf(found.key, found.fields.status);
    },
    read,
  };
}
