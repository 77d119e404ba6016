import { z } from 'zod';
import { MOST_PAGES, PAGE_SIZE, type TrackerApi, type TrackerIssue } from './tracker-api.ts';
import { callTracker, readAnswer, type TrackerLine, unknownProject } from './tracker-call.ts';

/** Version 2022-11-28 of https://docs.github.com/rest/issues/issues. */
export const GITHUB_HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

const Issue = z.object({
  number: z.int(),
  html_url: z.url({ protocol: /^https?$/ }),
  state: z.string(),
  state_reason: z.string().nullish(),
  body: z.string().nullish(),
});

/** Issues of a repository, `owner/name`. */
export function github(line: TrackerLine): TrackerApi {
  const repository = `/repos/${line.project}`;
  return {
    check: async () => {
      const { status } = await callTracker(line, { method: 'GET', path: repository, isSafe: true });
      if (status >= 300) throw unknownProject(line);
    },
    create: async ({ title, body }) => {
      const path = `${repository}/issues`;
      const { status, json } = await callTracker(line, { method: 'POST', path, body: { title, body }, isSafe: false });
      if (status >= 300) throw unknownProject(line);
      return issueOf(readAnswer(line, Issue, json));
    },
    find: async ({ marker, since }) => {
      // The list is read, not the search, whose index is minutes behind.
      const query = `state=all&sort=created&direction=desc&per_page=${PAGE_SIZE}&since=${since.toISOString()}`;
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const path = `${repository}/issues?${query}&page=${page}`;
        const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
        if (status >= 300) throw unknownProject(line);
        const issues = readAnswer(line, z.array(Issue), json);
        const found = issues.find(({ body }) => body?.includes(marker) === true);
        if (found !== undefined) return issueOf(found);
        if (issues.length < PAGE_SIZE) return undefined;
      }
      return undefined;
    },
    read: async (externalId) => {
      const path = `${repository}/issues/${encodeURIComponent(externalId)}`;
      const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
      return status >= 300 ? undefined : issueOf(readAnswer(line, Issue, json));
    },
  };
}

function issueOf({ number, html_url: url, state, state_reason: reason }: z.output<typeof Issue>): TrackerIssue {
  const isClosed = state === 'closed';
  const status = isClosed && reason === 'not_planned' ? 'closed as not planned' : state;
  return { externalId: String(number), label: `#${number}`, url, status, isClosed };
}
