import { defineLanguage } from '../walk/language.ts';

export const MARKDOWN_LANGUAGE = defineLanguage({
  parser: 'markdown',
  isProse: true,
  isResolvedWhole: true,
  names: [
    ['Markdown', 'md markdown', { text: 'document', content: 'prose' }],
    ['MDX', 'mdx', { text: 'markup', importsModules: true, content: 'prose' }],
  ],
  reader: { text: async () => (await import('./markdown.ts')).extractMarkdown },
});
