import { defineLanguage } from '../walk/language.ts';

export const SQL_LANGUAGE = defineLanguage({
  parser: 'sql',
  names: [['SQL', 'sql ddl']],
  declaresData: true,
  isResolvedWhole: true,
  reader: { text: async () => (await import('./sql.ts')).extractSql },
});
