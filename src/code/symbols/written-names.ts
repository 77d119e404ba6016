/**
 * The name without what people write around it: quotes, and words such as `class` and `def`.
 */
export function bareName(query: string): string {
  return stripQuotes(query).replace(
    /^(?:(?:export|public|async|new|class|def|function|func|fun|fn|interface|struct|enum|trait)\s+)+(?=\S)/,
    '',
  );
}

/**
 * Names that a text may mean when nothing is called as it is written, the nearest first: a method as Go and its traces write it
 * (`(*Memory).Pop`, `func (m *Memory) Pop() error`), the head of a declaration (`type Job struct`), a member from within
 * (`self.balance`), a place to start (`shop.cli:main`), a member of PHP or C++ (`$mailer->send`).
 */
export function looserNames(query: string): string[] {
  const text = stripQuotes(query);
  const names = [
    text.replace(/^func\s*\(\s*(?:\w+\s+)?\*?(\w+)[^)]*\)\s*(\w+).*$/s, '$1.$2'),
    text.replaceAll(/\(\*?(\w+)\)\./g, '$1.'),
    text.replace(/^(?:(?:pub|static|abstract|final|type|const|let|var|val)\s+)+([\w$]+)\b.*$/s, '$1'),
    text.replace(/^(?:self|Self|this|cls|super)(?:\.|->|::)(?=\S)/, ''),
    text.replace(/^([\w.]+):([\w.]+)$/, '$1.$2'),
    text.replace(/^\$/, '').replaceAll('->', '.'),
  ];
  return [...new Set(names)].filter((name) => name !== text && name !== '');
}

function stripQuotes(query: string): string {
  return query.trim().replaceAll(/^[`'"]+|[`'";]+$/g, '');
}
