import { defineLanguage } from '../walk/language.ts';

export const SQL_LANGUAGE = defineLanguage({
  parser: 'sql',
  names: [['SQL', 'sql ddl']],
  reader: { text: async () => (await import('./sql.ts')).extractSql },
});
