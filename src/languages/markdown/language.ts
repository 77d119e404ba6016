import { defineLanguage } from '../walk/language.ts';

export const MARKDOWN_LANGUAGE = defineLanguage({
  parser: 'markdown',
  names: [
    ['Markdown', 'md markdown'],
    ['MDX', 'mdx'],
  ],
  reader: { text: async () => (await import('./markdown.ts')).extractMarkdown },
});
