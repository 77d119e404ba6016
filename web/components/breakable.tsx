import { Fragment } from 'react';
import { breakableParts } from '../code-words.ts';

/** A name or path that breaks between its words, and inside of one only where not even that has room. */
export function Breakable({ text }: { text: string }) {
  return breakableParts(text).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
