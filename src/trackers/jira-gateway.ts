import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import { callTracker, readAnswer, type TrackerAnswer, type TrackerLine, type TrackerRequest } from './tracker-call.ts';

const Tenant = z.object({ cloudId: z.string().regex(/^[\w-]+$/) });

/**
 * Calls a site of Jira Cloud. A token with scopes counts for nothing there, and only the gateway of Atlassian takes it, under
 * the id of the site: where there is a gateway, it is asked too as long as the site has answered nothing.
 */
export function callerOf(
  line: TrackerLine,
  gateway: string | undefined,
): (request: TrackerRequest) => Promise<TrackerAnswer> {
  let workingLine = gateway === undefined ? line : undefined;
  return async (request) => {
    if (workingLine !== undefined) return callTracker(workingLine, request);
    const answer = await unlessRefused(callTracker(line, request));
    if (!(answer instanceof ServiceError) && answer.status < 300) {
      workingLine = line;
      return answer;
    }
    // Nothing was done by a request that was refused, or whose project the token does not see.
    const behind = await lineBehind(line, gateway ?? '');
    const second = await unlessRefused(callTracker(behind, request));
    if (!(second instanceof ServiceError) && second.status < 300) workingLine = behind;
    if (!(second instanceof ServiceError)) return second;
    if (!(answer instanceof ServiceError)) return answer;
    throw answer;
  };
}

async function unlessRefused(answer: Promise<TrackerAnswer>): Promise<TrackerAnswer | ServiceError> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'conflict') return error;
    throw error;
  }
}

async function lineBehind(line: TrackerLine, gateway: string): Promise<TrackerLine> {
  const plainLine = { ...line, secretHeaders: {} };
  const { json } = await callTracker(plainLine, { method: 'GET', path: '/_edge/tenant_info', isSafe: true });
  const { cloudId } = readAnswer(line, Tenant, json);
  return { ...line, baseUrl: `${gateway}/ex/jira/${cloudId}` };
}
