import { answerJson, answerText, type Draft } from '../kernel/answer.ts';
import { type AnyOperation, defineOperation, sameMeaning } from '../platform/operation/operation.ts';
import { checkQuery, omitDefaults, subjectOf } from '../platform/operation/paged-tool.ts';
import { type DocumentCall, type DocumentFindings, DocumentSearchInput } from './document-call.ts';
import { countAnswer } from './document-count.ts';
import { getAnswer } from './document-get.ts';
import { DOCUMENT_OUTPUTS } from './document-output.ts';
import { searchAnswer } from './document-hits.ts';
import { newAnswer } from './document-new.ts';
import type { SearchParts } from './parts.ts';
import { themesAnswer } from './document-themes.ts';

/** `document-search-tool`: uploads, product docs, plans and what customers say. */
export function documentSearchTool(parts: SearchParts): AnyOperation {
  return defineOperation({
    name: 'document-search-tool',
    description:
      'Search, read and count uploads, plans, customer signals and product docs. themes: subjects with the number of customers. new: subjects that appeared lately. count: exact numbers by a field.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: DocumentSearchInput,
    output: DOCUMENT_OUTPUTS,
    commands: {
      heading: 'Knowledge:',
      actions: {
        search: { name: 'texts', description: 'Documents, plans and signals that fit words', subject: 'query' },
        get: { name: 'text', description: 'One document, plan or signal', subject: 'query' },
        themes: { name: 'themes', description: 'What signals are about, most customers first', subject: 'query' },
        new: { name: 'new-subjects', description: 'Subjects that appeared lately', subject: 'query' },
        count: { name: 'count', description: 'Signals counted by a field', subject: 'query' },
      },
    },
    aliases: {
      query: ['q', 'text', 'question', 'id', 'name', 'pattern'],
      limit: ['max_results', 'count'],
      max_tokens: ['maxTokens'],
    },
    synonyms: {
      action: {
        ...sameMeaning('find list', { action: 'search' }),
        ...sameMeaning('read open fetch view', { action: 'get' }),
        ...sameMeaning('theme topics', { action: 'themes' }),
        ...sameMeaning('trending', { action: 'new' }),
        ...sameMeaning('stats aggregate', { action: 'count' }),
      },
    },
    async run(context, args) {
      const { extra, ...draft } = await answer({ parts, context, args });
      return { text: answerText(draft), json: { ...answerJson(draft), ...extra } };
    },
  });
}

async function answer(call: DocumentCall): Promise<Draft & { extra?: Record<string, unknown> }> {
  const { args } = call;
  const query = (args.query ?? '').trim();
  checkQuery(query, 'Send only the words or the id that matter.');
  return {
    operation: 'document-search-tool',
    action: args.action,
    subject: subjectOf(query),
    sources: [],
    maxTokens: args.max_tokens,
    arguments: omitDefaults(DocumentSearchInput, args),
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
    case 'new':
      return newAnswer(call);
    case 'count':
      return countAnswer(call);
  }
}
