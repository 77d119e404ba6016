/** A command of `svc`, as it is typed where it is installed and in a checkout: the page cannot know which it is. */
export function OwnCommand({ words }: { words: string }) {
  return (
    <>
      <code className="font-mono text-ink">svc {words}</code> (in a checkout{' '}
      <code className="font-mono text-ink">npm run -s svc -- {words}</code>)
    </>
  );
}
