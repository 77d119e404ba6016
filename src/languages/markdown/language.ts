import { defineLanguage } from '../walk/language.ts';

export const MARKDOWN_LANGUAGE = defineLanguage({
  parser: 'markdown',
  isProse: true,
  names: [
    ['Markdown', 'md markdown'],
    ['MDX', 'mdx'],
  ],
  reader: { text: async () => (await import('./markdown.ts')).extractMarkdown },
});
