import { z } from 'zod';
import { describeTool } from '../../src/mcp/tool-schema.ts';
import { type OperationParts, OPERATIONS } from '../../src/operations.ts';
import type { AnyOperation } from '../../src/platform/operation/operation.ts';
import { code, page, table } from './markdown.ts';

interface Property {
  type: string;
  description?: string;
  enum?: string[];
  items?: { enum?: string[] };
  default?: string | number | boolean;
  minimum?: number;
  maximum?: number;
}

const INTRODUCTION = `The operations as \`tools/list\` offers them to an MCP client and \`POST /v1/tools/{name}\` takes them. [api.md](api.md) says
how answers read, [errors.md](errors.md) what failures mean.`;

/** Every operation with its arguments and the other spellings that are understood. */
export function toolsPage(): string {
  // Nothing is called here, so the operations need nothing to work with.
  return page('Tools', INTRODUCTION, ...OPERATIONS.map((build) => section(build({} as OperationParts))));
}

function section(operation: AnyOperation): string {
  const { name, description = '', inputSchema } = describeTool(operation);
  const required = new Set(inputSchema.required);
  // The schema is made from zod, so its properties have these fields.
  const properties = Object.entries((inputSchema.properties ?? {}) as unknown as Record<string, Property>);
  const rows = properties.map(([key, property]) => argumentRow(key, property, required.has(key)));
  const parts = [
    `## ${name}`,
    description,
    table(['argument', 'type', 'default', 'meaning'], rows),
    aliases(operation),
  ];
  return [...parts, ...actionSynonyms(operation)].join('\n\n');
}

function argumentRow(key: string, property: Property, isRequired: boolean): string[] {
  const { type, minimum, maximum = 'any', items, default: usual, description = '' } = property;
  const range = minimum === undefined ? '' : ` ${minimum} to ${maximum}`;
  const choices = property.enum ?? items?.enum;
  const list = choices === undefined ? `${type}${range}` : choices.map(code).join(', ');
  const shownType = items?.enum === undefined ? list : `array of ${list}`;
  return [code(key), shownType, isRequired ? 'required' : usual === undefined ? '' : code(String(usual)), description];
}

function aliases({ aliases: spellings }: AnyOperation): string {
  const list = Object.entries(spellings).map(([key, others]) => `${code(key)} (${others.join(', ')})`);
  return `Other spellings are understood: ${list.join('; ')}. Unknown arguments are ignored with a note.`;
}

/** Other words for actions that exist. */
function actionSynonyms({ input, synonyms }: AnyOperation): string[] {
  const { action } = input.shape;
  const valid = Object.entries(synonyms?.['action'] ?? {}).filter(
    ([, meant]) => action instanceof z.ZodType && action.safeParse(meant['action']).success,
  );
  const groups = Map.groupBy(valid, ([, meant]) =>
    Object.entries(meant)
      .map(([key, value]) => code(key === 'action' ? String(value) : `${key}=${String(value)}`))
      .join(' with '),
  );
  if (groups.size === 0) return [];
  const list = Array.from(groups, ([meant, words]) => `${meant} (${words.map(([word]) => word).join(', ')})`);
  return [`Other words for an action are read as it, with a note: ${list.join('; ')}.`];
}
