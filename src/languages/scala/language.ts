import { defineLanguage } from '../walk/language.ts';

export const SCALA_LANGUAGE = defineLanguage({
  parser: 'scala',
  names: [['Scala', 'scala sc sbt']],
  publicFiles: 'all',
  startsInClass: true,
  reader: { tree: async () => (await import('./scala.ts')).SCALA },
});
