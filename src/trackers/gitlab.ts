import { z } from 'zod';
import { PAGE_SIZE, type TrackerApi, type TrackerIssue } from './tracker-api.ts';
import { callTracker, readAnswer, type TrackerLine, unknownProject } from './tracker-call.ts';

/** Version 4 of https://docs.gitlab.com/api/issues. */
const Issue = z.object({
  iid: z.int(),
  web_url: z.url({ protocol: /^https?$/ }),
  state: z.string(),
  description: z.string().nullish(),
});

/** Issues of a project, `group/project` or its number. */
export function gitlab(line: TrackerLine): TrackerApi {
  const project = `/projects/${encodeURIComponent(line.project)}`;
  return {
    check: async () => {
      const { status } = await callTracker(line, { method: 'GET', path: project, isSafe: true });
      if (status >= 300) throw unknownProject(line);
    },
    create: async ({ title, body }) => {
      const sent = { title, description: body };
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
      const found = issues.find(({ description }) => description?.includes(marker) === true);
      return found === undefined ? undefined : issueOf(found);
    },
    read: async (externalId) => {
      const path = `${project}/issues/${encodeURIComponent(externalId)}`;
      const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
      return status >= 300 ? undefined : issueOf(readAnswer(line, Issue, json));
    },
  };
}

function issueOf({ iid, web_url: url, state }: z.output<typeof Issue>): TrackerIssue {
  const status = state === 'opened' ? 'open' : state;
  return { externalId: String(iid), label: `#${iid}`, url, status, isClosed: state === 'closed' };
}
