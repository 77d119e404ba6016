import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '../platform/operation/operation.ts';
import { describeTool } from './tool-schema.ts';

/** One argument of every kind that the contract's tools have. */
const decide = defineOperation({
  name: 'record-decision-tool',
  description: 'Record a decision.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  scope: 'decisions:write',
  input: z.object({
    title: z.string().describe('Short noun phrase'),
    status: z.enum(['proposed', 'accepted']).default('accepted').describe('State'),
    options: z
      .array(
        z.object({
          name: z.string().describe('Name'),
          pros: z.array(z.string()).optional().describe('For'),
        }),
      )
      .optional()
      .describe('Considered options'),
    include: z
      .array(z.enum(['code', 'history']))
      .optional()
      .describe('Extra context'),
    limit: z.int().min(1).max(100).default(20).describe('Rows per page'),
    dry_run: z.boolean().default(false).describe('Only check'),
  }),
  aliases: {},
  run: async () => ({ text: '', json: {} }),
});

test('a tool is published key by key as the contract writes it', () => {
  const tool = describeTool(decide);

  // Compared as text, so that the order of keys counts.
  expect(JSON.stringify(tool, undefined, 1)).toBe(
    JSON.stringify(
      {
        name: 'record-decision-tool',
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        description: 'Record a decision.',
        inputSchema: {
          type: 'object',
          properties: {
            title: { type: 'string', description: 'Short noun phrase' },
            status: { type: 'string', description: 'State', enum: ['proposed', 'accepted'], default: 'accepted' },
            options: {
              type: 'array',
              description: 'Considered options',
              items: {
                type: 'object',
                properties: {
                  name: { type: 'string', description: 'Name' },
                  pros: { type: 'array', description: 'For', items: { type: 'string' } },
                },
                required: ['name'],
              },
            },
            include: {
              type: 'array',
              description: 'Extra context',
              items: { type: 'string', enum: ['code', 'history'] },
            },
            limit: { type: 'integer', description: 'Rows per page', default: 20, minimum: 1, maximum: 100 },
            dry_run: { type: 'boolean', description: 'Only check', default: false },
          },
          required: ['title'],
        },
      },
      undefined,
      1,
    ),
  );
});

test('a tool that needs nothing still says so, and integers without bounds have none', () => {
  const tool = describeTool({ ...decide, input: z.object({ top: z.int().optional() }) });

  expect(tool.inputSchema).toEqual({ type: 'object', properties: { top: { type: 'integer' } }, required: [] });
});
