import { expect, test } from 'vitest';
import { partReport } from './part-report.ts';

const TEMPLATE = `Mails go out twice

### Prerequisites

- [x] I have searched existing issues
- [ ] I can reproduce it with the newest version

### Node version

20.1

### What happens

The queue is flushed again after a restart.

### Anything else

_No response_

### Log

\`\`\`
12:30:01 INFO worker started
2026-01-02T12:30:02 delivered
queue.flush(order)
\`\`\`

**Environment**

- **OS**: Linux 6.1
- **Shell**: zsh
- Package manager: pnpm
`;

test('answers stay, and boxes, empty answers, versions and lists of the environment go', () => {
  const { prose, code } = partReport(TEMPLATE);

  expect(prose).toContain('Mails go out twice');
  expect(prose).toContain('The queue is flushed again after a restart.');
  expect(prose).not.toMatch(/searched|Prerequisites|Node version|20\.1|Anything else|response|Linux|zsh|pnpm/);
  expect(code).toBe('queue.flush(order)');
});

test('a heading that holds code is answered, and the first heading is the title', () => {
  expect(partReport(TEMPLATE).prose).toContain('### Log');
  expect(partReport('# Mails go out twice\n\n## Why\n\nThe queue is flushed twice.').prose).toContain(
    '# Mails go out twice',
  );
});

test('two keys with values are sentences, three in a row are a list', () => {
  const entries = ['Expected: one mail', 'Actual: two mails', 'Since: last week'];

  expect(partReport(`Mails are sent twice\n${entries.slice(0, 2).join('\n')}\n`).prose).toContain('Actual: two mails');
  expect(partReport(`Mails are sent twice\n${entries.join('\n')}\n`).prose).not.toContain('Actual');
});

test('a template in another language is cut the same', () => {
  const { prose } = partReport(
    'Les courriels partent deux fois\n\n### Version\n\n2.3\n\n### Description\n\nLa file est vidée deux fois après un redémarrage.\n\n### Autre\n\n_Aucune réponse_\n',
  );

  expect(prose).toContain('La file est vidée');
  expect(prose).not.toMatch(/Version|2\.3|Autre|Aucune/);
});
