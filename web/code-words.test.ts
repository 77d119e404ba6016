import { expect, test } from 'vitest';
import { breakableParts, withoutIndent } from './code-words.ts';

test('a name breaks behind its marks and between its words, and nowhere else', () => {
  expect(breakableParts('supervisor/process.py')).toEqual(['supervisor/', 'process.py']);
  expect(breakableParts('Subprocess.give_all_up')).toEqual(['Subprocess.', 'give_', 'all_up']);
  expect(breakableParts('DefaultControllerPlugin')).toEqual(['Default', 'Controller', 'Plugin']);
  expect(breakableParts('Mail::send->then')).toEqual(['Mail::', 'send->', 'then']);
  expect(breakableParts('send')).toEqual(['send']);
});

test('code loses the space that all of its lines begin with', () => {
  expect(withoutIndent('    def go():\n\n        run()')).toBe('def go():\n\n    run()');
  expect(withoutIndent('\tgo {\n\t\trun()\n\t}')).toBe('go {\n\trun()\n}');
  expect(withoutIndent('go {\n  run()\n}')).toBe('go {\n  run()\n}');
  expect(withoutIndent('')).toBe('');
});
