import { accountRoutes, openRoutes } from '../../src/accounts/routes.ts';
import { serviceRoutes } from '../../src/service-routes.ts';
import { anything } from './anything.ts';

/** The parts of a JSON schema that say what a field of a form may hold. */
interface Schema {
  type?: string | string[];
  format?: string;
  enum?: (string | null)[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
}

interface Document {
  paths?: object;
  components?: { schemas?: object };
}

interface Described {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/**
 * What each body of the application's own API demands of its fields, by method and path: `postSignals`. The forms of `web/`
 * read it, because the browser takes nothing but types from the service.
 */
export function formRules(): string {
  const bodies = [
    ...[...openRoutes(anything()), ...accountRoutes(anything())].map((routes) => ({ routes, app: '' })),
    ...serviceRoutes(anything()),
  ].flatMap(({ routes, app }) => {
    if (app === undefined) return [];
    const document: Document = routes.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } });
    return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Described>).map(([method, { requestBody }]) => {
        const schema = requestBody?.content['application/json']?.schema ?? {};
        return [nameOf(method, `${app}${path}`), rulesOf(schema, document)] as const;
      }),
    );
  });
  const lines = bodies
    .filter(([, rules]) => Object.keys(rules).length > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, rules]) => `  ${JSON.stringify(name)}: ${JSON.stringify(rules)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** `PATCH /work-items/{id}` is `patchWorkItems`. */
function nameOf(method: string, path: string): string {
  const words = path.replaceAll(/\{[^}]*\}/g, '').split(/[^a-z]+/i);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Rules of the fields that a person can enter. Of several forms of a body, those of the one with the most fields. */
function rulesOf(schema: Schema, document: Document): Record<string, object> {
  const [widest = {}] = [resolved(schema, document)]
    .flatMap((body) => body.anyOf ?? [body])
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return Object.fromEntries(
    Object.entries(widest.properties ?? {}).flatMap(([name, field]) => {
      const rule = ruleOf(resolved(field, document));
      if (rule === undefined) return [];
      return [[name, { ...(widest.required?.includes(name) === true && { required: true }), ...rule }]];
    }),
  );
}

const sizeOf = ({ properties = {} }: Schema): number => Object.keys(properties).length;

function resolved(schema: Schema, { components }: Document): Schema {
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '') ?? [];
  return name === undefined ? schema : ((components?.schemas as Record<string, Schema> | undefined)?.[name] ?? {});
}

/** The rule of a field; undefined where it holds what no single control enters. */
function ruleOf(field: Schema): object | undefined {
  const { format, enum: values, minLength, maxLength, minimum, maximum } = field;
  const types = [field.type ?? field.anyOf?.[0]?.type].flat();
  const type = types.find((one) => one !== 'null');
  const isDate = format === 'date' || field.anyOf?.some((one) => one.format === 'date') === true;
  const nullable = types.includes('null') || undefined;
  if (type === 'array')
    return field.items?.type === 'string' ? { kind: 'list', maxLength: field.items.maxLength } : undefined;
  if (type === 'boolean') return { kind: 'flag' };
  if (type === 'integer' || type === 'number') return { kind: type, nullable, min: minimum, max: maximum };
  if (type !== 'string') return undefined;
  return {
    kind: isDate ? 'date' : format === 'password' ? format : undefined,
    nullable,
    // Where a text is required or left out, it is not empty anyway.
    minLength: minLength === 1 ? undefined : minLength,
    maxLength,
    choices: values?.filter((value) => value !== null && value !== ''),
  };
}
