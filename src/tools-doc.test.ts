import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeTool } from './mcp/tool-schema.ts';
import { type OperationParts, OPERATIONS } from './operations.ts';
import type { AnyOperation } from './platform/operation/operation.ts';

/** Nothing is called here, so the operations need nothing to work with. */
const offered = OPERATIONS.map((build) => build({} as OperationParts));

interface Property {
  type: string;
  description?: string;
  enum?: string[];
  default?: string | number | boolean;
  minimum?: number;
  maximum?: number;
}

test('docs/tools.md says what clients are offered (npx vitest -u writes it anew)', async () => {
  const page = ['# Tools', INTRODUCTION, ...offered.map(section)].join('\n\n');

  await expect(`${page}\n`).toMatchFileSnapshot('../docs/tools.md');
});

const INTRODUCTION = `What an MCP client sees in \`tools/list\`, and what \`POST /v1/tools/{name}\` takes. How answers read (header, freshness,
grades, budget, cursors, handles, errors) stands in [api.md](api.md) and [errors.md](errors.md).`;

function section(operation: AnyOperation): string {
  const { name, description = '', inputSchema } = describeTool(operation);
  const required = new Set(inputSchema.required);
  // The schema is made from zod, so its properties have these fields.
  const properties = Object.entries((inputSchema.properties ?? {}) as unknown as Record<string, Property>);
  const rows = properties.map(([key, property]) => row(key, property, required.has(key)));
  return [
    `## ${name}`,
    description,
    ['| argument | type | default | meaning |', '|---|---|---|---|', ...rows].join('\n'),
    aliases(operation),
  ].join('\n\n');
}

function row(key: string, property: Property, isRequired: boolean): string {
  const range = property.minimum === undefined ? '' : ` ${property.minimum} to ${property.maximum ?? 'any'}`;
  const type =
    property.enum === undefined ? `${property.type}${range}` : property.enum.map((value) => `\`${value}\``).join(', ');
  const fallback = isRequired ? 'required' : property.default === undefined ? '' : `\`${String(property.default)}\``;
  return `| \`${key}\` | ${type} | ${fallback} | ${property.description ?? ''} |`;
}

function aliases(operation: AnyOperation): string {
  const list = Object.entries(operation.aliases).map(([key, others]) => `\`${key}\` (${others.join(', ')})`);
  const known = `Other spellings are understood: ${list.join('; ')}. Unknown arguments are ignored with a note.`;
  return [known, ...otherActions(operation)].join('\n\n');
}

/** Only words for actions that there are. */
function otherActions({ input, synonyms }: AnyOperation): string[] {
  const { action } = input.shape;
  const given = Object.entries(synonyms?.['action'] ?? {}).filter(
    ([, meant]) => action instanceof z.ZodType && action.safeParse(meant['action']).success,
  );
  const groups = Map.groupBy(given, ([, meant]) =>
    Object.entries(meant)
      .map(([key, value]) => (key === 'action' ? `\`${String(value)}\`` : `\`${key}=${String(value)}\``))
      .join(' with '),
  );
  if (groups.size === 0) return [];
  const list = Array.from(groups, ([meant, words]) => `${meant} (${words.map(([word]) => word).join(', ')})`);
  return [`Other words for an action are read as it, with a note: ${list.join('; ')}.`];
}
