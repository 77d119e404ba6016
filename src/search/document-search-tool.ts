import { answerJson, answerText, type Draft } from '../kernel/answer.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type AnyOperation, defineOperation } from '../platform/operation.ts';
import {
  type DocumentCall,
  type DocumentFindings,
  type DocumentSearchArguments,
  DocumentSearchInput,
} from './document-call.ts';
import { getAnswer } from './document-get.ts';
import { searchAnswer } from './document-hits.ts';
import type { SearchParts } from './parts.ts';
import { themesAnswer } from './document-themes.ts';

const LONGEST_QUERY = 1_000;
const LONGEST_SUBJECT = 80;

/** `document-search-tool`: uploads, product docs, plans and what customers say. */
export function documentSearchTool(parts: SearchParts): AnyOperation {
  return defineOperation({
    name: 'document-search-tool',
    description:
      'Search or read uploads, plans, customer signals and product docs. themes groups matching signals and counts customers.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: DocumentSearchInput,
    aliases: {
      query: ['q', 'text', 'question', 'id', 'name', 'pattern'],
      limit: ['max_results', 'count'],
      max_tokens: ['maxTokens'],
    },
    async run(scope, args) {
      const { extra, ...draft } = await answer({ parts, scope, args });
      return { text: answerText(draft), json: { ...answerJson(draft), ...extra } };
    },
  });
}

async function answer(call: DocumentCall): Promise<Draft & { extra?: Record<string, unknown> }> {
  const { args } = call;
  const subject = (args.query ?? '').replaceAll(/\s+/g, ' ').trim();
  if (subject.length > LONGEST_QUERY) {
    throw new ServiceError('bad_argument', `The query is longer than ${LONGEST_QUERY} characters.`, {
      fix: 'Send the few words or the id that matter.',
    });
  }
  return {
    operation: 'document-search-tool',
    action: args.action,
    subject: subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT)}…` : subject,
    sources: [],
    maxTokens: args.max_tokens,
    arguments: given(args),
    ...(await findings(call)),
  };
}

function findings(call: DocumentCall): Promise<DocumentFindings> {
  switch (call.args.action) {
    case 'search':
      return searchAnswer(call);
    case 'get':
      return getAnswer(call);
    case 'themes':
      return themesAnswer(call);
  }
}

/** The arguments as a caller would write them: without defaults. */
function given(args: DocumentSearchArguments): Record<string, unknown> {
  const { action, query, types, customer, tags, since, section, limit } = args;
  return { action, query, types, customer, tags, since, section, limit: limit === 10 ? undefined : limit };
}
