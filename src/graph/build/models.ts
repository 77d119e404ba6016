import type { BuildFile, GraphInput } from './repository-graph.ts';
import type { TextFindings } from './text-findings.ts';

/**
 * Patterns by which frameworks declare what an application stores, by language. Each pattern has the name in its first group
 * that takes part.
 */
const MODELS: Readonly<Record<string, RegExp>> = {
  TypeScript:
    /@Entity\([^)]*\)[\s\S]{0,200}?\bclass\s+(\w+)|\bmongoose\.model(?:<[^>]*>)?\(\s*["'`](\w+)|\bclass\s+(\w+)\s+extends\s+(?:Sequelize\.)?Model\b|\.define\(\s*["'`](\w+)["'`]\s*,\s*\{/g,
  Python: /^class\s+(\w+)\([^)]*\b(?:models\.Model|db\.Model|SQLModel\s*,\s*table\s*=\s*True)\b[^)]*\)/gm,
  Java: /@Entity\b[\s\S]{0,300}?\bclass\s+(\w+)/g,
  Kotlin: /@Entity\b[\s\S]{0,300}?\bclass\s+(\w+)/g,
  Go: /\btype\s+(\w+)\s+struct\s*\{\s*(?:gorm|bun)\.(?:Base)?Model\b/g,
  Ruby: /\bclass\s+(\w+)\s*<\s*(?:ApplicationRecord|ActiveRecord::Base)\b/g,
  PHP: /#\[ORM\\Entity\b[\s\S]{0,300}?\bclass\s+(\w+)|\bclass\s+(\w+)\s+extends\s+(?:Model|Authenticatable)\b/g,
  'C#': /\bDbSet<(\w+)>/g,
  Prisma: /^model\s+(\w+)\s*\{/gm,
};
const SAME: Readonly<Record<string, string>> = { JavaScript: 'TypeScript' };

/** Models of one file, at most: a file with more is generated. */
const MOST_IN_A_FILE = 200;

/** The domain models of a repository: what its code declares to be stored, with the file that declares each. */
export function findModels(
  { files, product }: GraphInput,
  findings: TextFindings,
): { name: string; file: BuildFile }[] {
  const own = new Set(product);
  // Schemas are no code; code that is an example stores nothing of the product.
  return files
    .filter((file) => own.has(file) || !file.isCode)
    .flatMap((file) => {
      const language = file.path.endsWith('.prisma') ? 'Prisma' : file.language;
      const pattern = MODELS[SAME[language] ?? language];
      if (pattern === undefined || file.isTest || (file.isGenerated && language !== 'Prisma')) return [];
      const names = findings.of('models', file.id, (text) => {
        const all = [...new Set([...text.matchAll(pattern)].flatMap((match) => match.slice(1).find(Boolean) ?? []))];
        return all.length === 0 || all.length > MOST_IN_A_FILE ? undefined : all;
      });
      return (names ?? []).map((name) => ({ name, file }));
    });
}
