import type { HttpBindings } from '@hono/node-server';
import { createRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import type { Context, Env } from 'hono';
import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import { noteUnknownFields } from './unknown-fields.ts';
import { actorOf, type Requester, requireRight, type Right } from './rights.ts';

/** Variables that the guards at the edge put into every request before a route of a slice sees it. */
export interface WebVariables {
  requestId: string;
  /** Code of the error that the request was answered with. */
  refusal: string | undefined;
  /** Network address under which attempts of the client are counted. */
  address: () => string;
  requester: Requester;
  /** Name under which the request is counted. Routes that set nothing are counted as `GET /v1/repositories`. */
  operation: string | undefined;
}

export interface WebEnv {
  /** Absent in tests that call the application without a listener. */
  Bindings: Partial<HttpBindings>;
  Variables: WebVariables;
}

/** Routes that describe themselves in the OpenAPI document of the door that serves them. */
export type Routes = OpenAPIHono<WebEnv>;

/**
 * The routes of a slice, written once, and below which path each door serves them: `v1` below `/v1` to keys, `app` below
 * `/app/api` to who is signed in to the web application. A door that is not named does not serve them.
 */
export interface SliceRoutes<E extends Env = WebEnv> {
  routes: OpenAPIHono<E>;
  v1?: string;
  app?: string;
}

/** Path of the API of the web application. */
export const APP_API = '/app/api';

/** Query of a page that names its product. */
export const ProductQuery = z.object({
  product: z.string().optional().describe('Id or name; default: the first'),
});

/** An empty set of routes whose faulty input is answered like every other failure. */
export function newRoutes<E extends { Variables: object } = WebEnv>(): OpenAPIHono<E> {
  return new OpenAPIHono<E>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const { issues } = result.error;
      const faults = issues.map((issue) => `${issue.path.join('.') || 'the body'}: ${issue.message}`);
      const door = c.req.path.startsWith(`${APP_API}/`) ? APP_API : '/v1';
      throw new ServiceError('bad_argument', faults.join('; '), {
        fix: `See the description of this route in ${door}/openapi.json.`,
        ...(result.target === 'json' && { fields: faultsByField(issues) }),
      });
    },
  });
}

/** The first fault of each field of a body; what is wrong inside a field is a fault of the field. */
function faultsByField(issues: readonly { path: readonly PropertyKey[]; message: string }[]): Record<string, string> {
  const named = issues.flatMap(({ path: [field], message }) =>
    field === undefined ? [] : [[String(field), message] as const],
  );
  return Object.fromEntries(named.toReversed());
}

/**
 * Returns the account and the product of a request, and the actor that changes are recorded for.
 *
 * @throws ServiceError `scope_denied` for a requester without the right.
 */
export function authorize(
  { var: { requester } }: Context<WebEnv>,
  right: Right,
): { accountId: string; productId: string; actor: ReturnType<typeof actorOf> } {
  requireRight(requester, right);
  const { accountId, productId } = requester;
  return { accountId, productId, actor: actorOf(requester) };
}

/** The description of an answer, or of a body that has to be sent. */
export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

export function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** Form of every failure on REST. */
const ErrorBody = z.object({
  error: z.object({
    code: z.string().describe('One of the codes of docs/errors.md'),
    message: z.string().describe('What happened'),
    fix: z.string().describe('What to do now'),
    request_id: z.string().describe('Also appears in the log of the service'),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe('What is wrong with fields of the body, by their names'),
  }),
});

/** The failure answer for the OpenAPI description of a route. */
export const failures = {
  default: { description: 'A failure', content: { 'application/json': { schema: ErrorBody } } },
} as const;

/** The answers of a route that changes something and returns nothing. */
const done = { 204: { description: 'Done' }, ...failures } as const;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Request = NonNullable<RouteConfig['request']>;

/** Input of a route, and its answers besides failures: without `answers`, 204. */
interface RouteContract extends Request {
  description?: string;
  answers?: RouteConfig['responses'];
}

/** A type, as an interface has no place for the extensions (`x-…`) that OpenAPI allows. */
type DescribedRoute<M extends Method, P extends string, C extends RouteContract> = {
  method: M;
  path: P;
  tags: string[];
  summary: string;
  description?: string;
  request: Omit<C, 'answers' | 'description'> extends infer R extends Request ? R : never;
  responses: C extends { answers: infer A } ? A & typeof failures : typeof done;
};

/**
 * Describes the routes of one group, which is how the OpenAPI document sorts them: method, path, what the route does in a
 * line, then what it takes and answers. The handler's input and answer get their types from it.
 */
export function describeRoutes(group: string) {
  return <M extends Method, P extends string, C extends RouteContract>(
    method: M,
    path: P,
    summary: string,
    contract: C,
  ) => {
    const { answers, description, ...request }: RouteContract = contract;
    const described: RouteConfig = {
      method,
      path,
      tags: [group],
      summary,
      ...(description !== undefined && { description }),
      request,
      middleware: noteUnknownFields({ query: zodSchema(request.query), body: bodySchemaOf(request) }),
      responses: answers === undefined ? done : { ...answers, ...failures },
    };
    // TypeScript cannot follow what was taken out of the contract, or which answers it leaves.
    return createRoute<P, DescribedRoute<M, P, C>>(described as DescribedRoute<M, P, C>);
  };
}

/** The schema of the JSON body that a route takes. */
function bodySchemaOf({ body: described }: Request): z.ZodType | undefined {
  const content: object | undefined = described?.content['application/json'];
  return content !== undefined && 'schema' in content ? zodSchema(content.schema) : undefined;
}

function zodSchema(schema: unknown): z.ZodType | undefined {
  return schema instanceof z.ZodType ? schema : undefined;
}
