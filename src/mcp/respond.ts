import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ServiceError } from '../kernel/errors.ts';
import { visible, visibleLines } from '../kernel/visible.ts';
import type { CallResult } from './call.ts';

/** A result as clients get it. With `format=json` the text block holds the same object as `structuredContent`. */
export function toolResult(result: CallResult): CallToolResult {
  // Whatever made the text, no terminal obeys what is quoted in it. The object itself is exact data.
  const text = visibleLines(result.format === 'text' ? result.text : JSON.stringify(result.json));
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  return result.format === 'text' ? { content } : { content, structuredContent: result.json };
}

/** An expected failure: the model reads what happened and the exact next call. */
export function toolError(error: ServiceError): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: errorLine(error) }] };
}

/** `error <code>: <message> | fix: <exact next call>`, one line whatever the parts hold. */
export function errorLine(error: ServiceError): string {
  return visible(`error ${error.code}: ${error.message} | fix: ${error.fix}`.replaceAll(/\s*\n\s*/g, ' '));
}
