import { ERROR_CODES } from '../../src/kernel/errors.ts';
import { page } from './markdown.ts';

const INTRODUCTION = `Every expected failure has a code, a message that says what happened with which value, and a fix that says what to do now.

- REST answers \`{"error": {"code", "message", "fix", "request_id", "fields"?}}\` with the status below; \`fields\` names each wrong field of the body. It has fewer codes than tools; where it differs, its code is given.
- A tool answers \`isError: true\` with the text \`error <code>: <message> | fix: <exact next call>\`.
- Anything else is a fault of the service: the client gets a request id, and the log has the whole cause under that id.`;

export function errorsPage(): string {
  const sections = Object.entries(ERROR_CODES).map(([code, entry]) => {
    const rest = 'rest' in entry ? `, on REST \`${entry.rest}\`` : '';
    return [
      `## ${code}`,
      `${entry.title}. Status ${entry.status}${rest}.`,
      `**What happened.** ${entry.happened}`,
      `**How to fix.** ${entry.remedy}`,
    ].join('\n\n');
  });
  return page('Errors', INTRODUCTION, ...sections);
}
