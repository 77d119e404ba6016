import type { Parser } from '../../languages/languages.ts';
import type { LanguageGroup } from '../resolve/program.ts';

/** Parsers of files that can name each other. */
export function groupOf(parser: Parser | undefined): LanguageGroup | undefined {
  switch (parser) {
    case 'declaration':
    case 'tsx':
    case 'javascript':
    case 'vue':
    case 'svelte':
      return 'typescript';
    default:
      return parser;
  }
}
