import type { HttpBindings } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import type { Caller, KeyScope } from './operation/operation.ts';

/** What the guards at the edge put into every request under `/v1` before a route sees it. */
export interface WebVariables {
  requestId: string;
  caller: Caller;
  /** The credential was the owner's token, not an API key: it may manage everything. `caller.keyId` is then the owner's id. */
  byOwner: boolean;
  /** As whom changes are recorded. */
  actor: `person:${string}` | `key:${string}`;
  /** Under which name the request is counted. Routes that set nothing are counted as `GET /v1/repositories`. */
  operation: string | undefined;
}

export interface WebEnv {
  /** Absent in tests that call the application without a listener. */
  Bindings: Partial<HttpBindings>;
  Variables: WebVariables;
}

/** Routes that describe themselves in the OpenAPI document. */
export type Routes = OpenAPIHono<WebEnv>;

/** An empty set of routes whose faulty input is answered like every other failure. `document` describes the routes. */
export function newRoutes<Env extends { Variables: object } = WebEnv>(document = '/v1/openapi.json'): OpenAPIHono<Env> {
  return new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return;
      const faults = result.error.issues.map((issue) => `${issue.path.join('.') || 'the body'}: ${issue.message}`);
      throw new ServiceError('bad_argument', faults.join('; '), {
        fix: `See the description of this route in ${document}.`,
      });
    },
  });
}

/** How every failure on REST looks. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string().describe('One of the codes of docs/errors.md'),
    message: z.string().describe('What happened'),
    fix: z.string().describe('What to do now'),
    request_id: z.string().describe('Also appears in the log of the service'),
  }),
});

/** The failure answer for the OpenAPI description of a route. */
export const failures = {
  default: { description: 'A failure', content: { 'application/json': { schema: ErrorBody } } },
} as const;

/** @throws ServiceError `scope_denied` unless the owner's token was sent. */
export function requireOwner(variables: Pick<WebVariables, 'byOwner'>): void {
  if (variables.byOwner) return;
  throw new ServiceError('scope_denied', 'Only the owner may do this; API keys may not.', {
    fix: 'Send the owner\'s token as "Authorization: Bearer <token>", or use the svc command, which has it.',
  });
}

/** @throws ServiceError `scope_denied` unless the owner's token or a key with the scope was sent. */
export function requireScope(variables: Pick<WebVariables, 'byOwner' | 'caller'>, scope: KeyScope): void {
  if (variables.byOwner || variables.caller.scopes.includes(scope)) return;
  throw new ServiceError('scope_denied', `This API key has no scope "${scope}".`, {
    fix: `Use an API key with the scope "${scope}", or the owner's token.`,
  });
}
