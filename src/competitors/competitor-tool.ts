import { type AnyOperation, defineOperation, sameMeaning } from '../platform/operation/operation.ts';
import { answerAction, checkQuery } from '../platform/operation/paged-tool.ts';
import { listChanges } from './ask/changes.ts';
import { checkNow } from './ask/check.ts';
import { type CallResult, ChangesOutput, type CompetitorCall, CompetitorInput } from './ask/competitor-call.ts';
import { listPages } from './ask/list.ts';
import { showSnapshot } from './ask/snapshot.ts';
import { countTrends } from './ask/trends.ts';
import type { Competitors } from './watch/context.ts';

/** `competitor-tool`: watched pages of competitors, what changed on them, and trends. Only `check` needs more than `read`. */
export function competitorTool(competitors: Competitors): AnyOperation {
  return defineOperation({
    name: 'competitor-tool',
    description:
      'Competitive intelligence: watched pages, detected changes, market trends. check fetches watched pages now (obeys robots.txt and rate limits); the others read stored snapshots.',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    scope: 'read',
    input: CompetitorInput,
    output: { changes: ChangesOutput },
    readingActions: ['list', 'changes', 'snapshot', 'trends'],
    commands: {
      heading: 'Knowledge:',
      actions: {
        list: { name: 'competitors', description: 'Competitors and their watched pages', subject: 'competitor' },
        changes: { name: 'competitor-changes', description: 'What competitors changed', subject: 'competitor' },
        snapshot: { name: 'competitor-text', description: 'The text of a watched page', subject: 'competitor' },
        check: { name: 'competitor-check', description: 'Check watched pages now', subject: 'competitor' },
        trends: { name: 'competitor-trends', description: 'Changes of competitors by month', subject: 'competitor' },
      },
    },
    aliases: {
      competitor: ['name', 'company', 'vendor'],
      url: ['page', 'link', 'uri'],
      kinds: ['kind', 'types', 'type'],
      min_severity: ['severity', 'minSeverity'],
      query: ['q', 'text', 'question', 'search', 'words'],
      since: ['after', 'from'],
      limit: ['max_results', 'count'],
      max_tokens: ['maxTokens'],
    },
    synonyms: {
      action: {
        ...sameMeaning('pages competitors', { action: 'list' }),
        ...sameMeaning('diff diffs changelog search', { action: 'changes' }),
        ...sameMeaning('show get read', { action: 'snapshot' }),
        ...sameMeaning('fetch scrape refresh', { action: 'check' }),
        ...sameMeaning('trend', { action: 'trends' }),
      },
    },
    run(context, args) {
      checkQuery(args.query, 'Send only the words that matter.');
      const request = {
        operation: 'competitor-tool',
        input: CompetitorInput,
        args,
        sources: { provenances: [], generation: context.caller.productId },
        detail: 'body' as const,
      };
      return answerAction(request, (offset) => find({ competitors, context, args }, offset));
    },
  });
}

function find(call: CompetitorCall, offset: number): Promise<CallResult> {
  switch (call.args.action) {
    case 'list':
      return listPages(call, offset);
    case 'changes':
      return listChanges(call, offset);
    case 'snapshot':
      return showSnapshot(call, offset);
    case 'check':
      return checkNow(call);
    case 'trends':
      return countTrends(call, offset);
  }
}
