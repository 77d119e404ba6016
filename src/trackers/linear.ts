import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import { type IssueFields, PAGE_SIZE, type TrackerApi, type TrackerIssue } from './tracker-api.ts';
import { callTracker, readAnswer, type TrackerLine, unknownProject } from './tracker-call.ts';

/** The GraphQL API of https://linear.app/developers. */
const FIELDS = 'id identifier url trashed state { name type }';
const TEAM = 'query Team($key: String!) { teams(filter: { key: { eq: $key } }, first: 1) { nodes { id } } }';
const CREATE = `mutation Create($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${FIELDS} } } }`;
const UPDATE = `mutation Update($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { ${FIELDS} } } }`;
const CHOICES = `query Choices($key: String!) { teams(filter: { key: { eq: $key } }, first: 1) { nodes { labels(first: ${PAGE_SIZE}) { nodes { id name } } members(first: ${PAGE_SIZE}) { nodes { id displayName } } } } }`;
const READ = `query Read($id: ID!) { issues(filter: { id: { eq: $id } }, first: 1, includeArchived: true) { nodes { ${FIELDS} } } }`;

const NAMED = `query Named($key: String!, $number: Float!) { issues(filter: { team: { key: { eq: $key } }, number: { eq: $number } }, first: 1) { nodes { ${FIELDS} } } }`;
const RELATIONS = `query Relations($id: ID!) { issues(filter: { id: { eq: $id } }, first: 1) { nodes { inverseRelations(first: ${PAGE_SIZE}) { nodes { type issue { id } } } } } }`;
const RELATE = 'mutation Relate($input: IssueRelationCreateInput!) { issueRelationCreate(input: $input) { success } }';

/** Types of states in which nothing is left to do. */
const CLOSED: ReadonlySet<string> = new Set(['completed', 'canceled', 'duplicate']);

const Issue = z.object({
  id: z.string(),
  identifier: z.string(),
  url: z.url({ protocol: /^https?$/ }),
  trashed: z.boolean().nullish(),
  state: z.object({ name: z.string(), type: z.string() }),
});
const Teams = z.object({ teams: z.object({ nodes: z.array(z.object({ id: z.string() })) }) });
const Named = z.object({ id: z.string(), name: z.string() });
const Member = z.object({ id: z.string(), displayName: z.string() });
const Choices = z.object({
  teams: z.object({
    nodes: z.array(
      z.object({ labels: z.object({ nodes: z.array(Named) }), members: z.object({ nodes: z.array(Member) }) }),
    ),
  }),
});
const Updated = z.object({ issueUpdate: z.object({ success: z.boolean(), issue: Issue }) });
const Created = z.object({ issueCreate: z.object({ success: z.boolean(), issue: Issue }) });
const IssuePage = z.object({ issues: z.object({ nodes: z.array(Issue) }) });
const Relation = z.object({ type: z.string(), issue: z.object({ id: z.string() }) });
const Relations = z.object({
  issues: z.object({
    nodes: z.array(z.object({ inverseRelations: z.object({ nodes: z.array(Relation) }) })),
  }),
});
const Related = z.object({ issueRelationCreate: z.object({ success: z.boolean() }) });
const Answer = z.object({
  data: z.unknown(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }).partial().optional() }))
    .optional(),
});

/** Issues of a team, by its key. The issue gets the marker as its id, so Linear itself refuses a second one. */
export function linear(line: TrackerLine): TrackerApi {
  const teamId = async (): Promise<string> => {
    const { teams } = await ask(line, { query: TEAM, variables: { key: line.project } }, Teams);
    const [team] = teams.nodes;
    if (team === undefined) throw unknownProject(line);
    return team.id;
  };
  const read = async (id: string): Promise<TrackerIssue | undefined> => {
    const { issues } = await ask(line, { query: READ, variables: { id } }, IssuePage);
    const [issue] = issues.nodes;
    return issue === undefined || issue.trashed === true ? undefined : issueOf(issue);
  };
  return {
    check: async () => void (await teamId()),
    choices: async () => {
      const { teams } = await ask(line, { query: CHOICES, variables: { key: line.project } }, Choices);
      const [team] = teams.nodes;
      if (team === undefined) throw unknownProject(line);
      const assignees = team.members.nodes.map(({ id, displayName }) => ({ id, name: displayName }));
      return { labels: team.labels.nodes, assignees, milestones: [] };
    },
    update: async (id, { title, body, ...fields }) => {
      if ((await read(id)) === undefined) return undefined;
      const variables = { id, input: { title, description: body, ...fieldsOf(fields) } };
      const { issueUpdate } = await ask(line, { query: UPDATE, variables }, Updated);
      return issueOf(issueUpdate.issue);
    },
    create: async ({ title, body, marker, ...fields }) => {
      const input = { id: marker, teamId: await teamId(), title, description: body, ...fieldsOf(fields) };
      const { issueCreate } = await ask(line, { query: CREATE, variables: { input }, isSafe: false }, Created);
      return issueOf(issueCreate.issue);
    },
    find: ({ marker }) => read(marker),
    read,
    identify: async (name) => {
      const [, key = '', number] = /^([a-z][a-z0-9]*)-(\d+)$/i.exec(name) ?? [];
      if (key.toUpperCase() !== line.project) return undefined;
      const variables = { key: line.project, number: Number(number) };
      const { issues } = await ask(line, { query: NAMED, variables }, IssuePage);
      const [issue] = issues.nodes;
      return issue && issueOf(issue);
    },
    block: async (id, blockers) => {
      const { issues } = await ask(line, { query: RELATIONS, variables: { id } }, Relations);
      const relations = issues.nodes.flatMap(({ inverseRelations }) => inverseRelations.nodes);
      const blockerIds = new Set(relations.filter(({ type }) => type === 'blocks').map(({ issue }) => issue.id));
      for (const blocker of blockers) {
        if (blockerIds.has(blocker)) continue;
        const input = { issueId: blocker, relatedIssueId: id, type: 'blocks' };
        await ask(line, { query: RELATE, variables: { input }, isSafe: false }, Related);
      }
    },
  };
}

async function ask<Value>(
  line: TrackerLine,
  { query, variables, isSafe = true }: { query: string; variables: object; isSafe?: boolean },
  schema: z.ZodType<Value>,
): Promise<Value> {
  const body = { query, variables };
  const { status, json } = await callTracker(line, { method: 'POST', path: '/graphql', body, isSafe });
  const { data, errors = [] } = readAnswer(line, Answer, status >= 300 ? undefined : json);
  const [error] = errors;
  if (error === undefined) return readAnswer(line, schema, data);
  // GraphQL answers 200 with errors too.
  if (error.extensions?.code === 'AUTHENTICATION_ERROR' || error.extensions?.code === 'FORBIDDEN') {
    throw new ServiceError('conflict', `Linear does not accept the token: ${error.message.slice(0, 300)}.`, {
      fix: 'Make a new API key there and connect the tracker again with it.',
    });
  }
  const isInput = error.extensions?.code === 'INVALID_INPUT' || error.extensions?.code === 'GRAPHQL_VALIDATION_FAILED';
  throw new ServiceError(isInput ? 'bad_argument' : 'upstream_failed', `Linear: ${error.message.slice(0, 300)}.`, {
    fix: isInput ? 'Change what it complains about, then try again.' : 'Try again in a few minutes.',
  });
}

function fieldsOf({ labels, assignee, parent }: IssueFields): object {
  return {
    ...(parent !== undefined && { parentId: parent }),
    ...(labels !== undefined && { labelIds: labels }),
    ...(assignee !== undefined && { assigneeId: assignee }),
  };
}

function issueOf({ id, identifier, url, state }: z.output<typeof Issue>): TrackerIssue {
  const isClosed = CLOSED.has(state.type);
  return { externalId: id, label: identifier, url, status: state.name, isClosed };
}
