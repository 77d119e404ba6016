import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { importLine } from './depending-line.ts';

async function lineIn(text: string, target: string): Promise<number | undefined> {
  const { tools } = scriptedTools(() => [{ path: 'a/b.ts', start: 1, body: text }]);
  return (await importLine(tools, 'a/b.ts', target))?.line;
}

test('the import of a package is told from one that another owner calls alike', async () => {
  const imports = "import { dom } from 'react-dom';\nimport { place } from '@shop/react-dom';";

  expect(await lineIn(imports, 'packages/react-dom/src/index.ts')).toBe(2);
  expect(await lineIn("import { dom } from 'react-dom';", 'packages/react-dom/src/index.ts')).toBe(1);
});

test('a folder is imported by its own name, a file by that or the one of its folder', async () => {
  const imports = 'from shop.report import total\n';

  expect(await lineIn(imports, 'src/shop/config')).toBeUndefined();
  expect(await lineIn(imports, 'src/shop/config.py')).toBe(1);
  expect(await lineIn(imports, 'src/shop/report')).toBe(1);
});
