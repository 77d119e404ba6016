import { definitionOf } from '../../languages/languages.ts';
import { endOf, splitTop } from './brackets.ts';
import { withBoundsLast } from './bounds-rust.ts';

interface Parameter {
  /** Without its annotation and what it is when it is left out. */
  name: string;
  annotation: string;
  /** A call may leave it out, or give any number of it. */
  isOptional: boolean;
}

interface Head {
  /** Text before the parameters: modifiers and the name. */
  start: string;
  parameters: Parameter[];
  /** Text behind them: the result. */
  end: string;
}

/**
 * True if all calls of a function with the old declaration fit the new one: it only takes more optional parameters. Where
 * nothing checks annotations they do not count. Judged by the heads alone, so an unclear case is not compatible.
 */
export function isCompatible(path: string, before: string, after: string): boolean {
  const read = (signature: string): Head | undefined => headOf(withBoundsLast(path, signature));
  const [was, is] = [read(before), read(after)];
  if (was === undefined || is === undefined || was.start !== is.start) return false;
  const isTyped = definitionOf(path)?.isUntyped !== true;
  if (isTyped && was.end !== is.end) return false;
  const further = is.parameters.slice(was.parameters.length);
  return (
    further.every(({ isOptional }) => isOptional) &&
    was.parameters.every((old, at) => {
      const now = is.parameters[at];
      if (now === undefined || now.name !== old.name || (old.isOptional && !now.isOptional)) return false;
      return !isTyped || now.annotation === old.annotation;
    })
  );
}

/** Undefined for what takes no parameters, or has another form. */
function headOf(signature: string): Head | undefined {
  const open = signature.indexOf('(');
  const close = open === -1 ? -1 : endOf(signature, open);
  if (close === -1) return undefined;
  const parameters = splitTop(signature.slice(open + 1, close)).map(parameterOf);
  return { start: signature.slice(0, open), parameters, end: signature.slice(close + 1) };
}

function parameterOf(text: string): Parameter {
  const [, spread = '', name = '', mark = '', further = ''] = /^(\*{1,2}|\.{3}|)([^:=?]+)(\?)?(.*)$/.exec(text) ?? [];
  const value = /(?:^|\s)=(?!>)/.exec(further);
  return {
    name: spread + name.trim(),
    annotation: (value === null ? further : further.slice(0, value.index)).trim(),
    // Python's marks between kinds of parameters take nothing.
    isOptional: text === '*' || text === '/' || spread !== '' || mark !== '' || value !== null,
  };
}
