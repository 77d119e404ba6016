import { defineLanguage } from '../walk/language.ts';

export const SCALA_LANGUAGE = defineLanguage({
  parser: 'scala',
  names: [['Scala', 'scala sc sbt']],
  publicFiles: 'all',
  reader: { tree: async () => (await import('./scala.ts')).SCALA },
});
