import { defineLanguage } from '../walk/language.ts';

export const BASH_LANGUAGE = defineLanguage({
  parser: 'bash',
  names: [['Shell', 'sh bash zsh ksh bats', { text: 'commands' }]],
  hasHashComments: true,
  programs: /^(sh|bash|zsh|dash|ksh|bats)/,
  reader: { tree: async () => (await import('./bash.ts')).BASH },
});
