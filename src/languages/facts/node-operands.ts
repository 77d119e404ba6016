import { NodeOp } from './facts.ts';

/** `.` a scope, `d` a definition or -1, `#` another number, `s` a string, `n` a node, `S` and `N` lists of them. */
export type Operand = '.' | 'd' | '#' | 's' | 'n' | 'S' | 'N';

/** Operands of nodes. A node that is not here has one node. */
const OPERANDS: Readonly<Partial<Record<keyof typeof NodeOp, string>>> = {
  None: '',
  Primitive: 's',
  TypeName: '.SN',
  ImportType: 'sS',
  Union: 'N',
  TupleType: 'N',
  MembersType: 'd',
  FunctionType: 'nN#',
  IndexedType: 'ns',
  ThisType: '.',
  Parameter: 'nd',
  Discriminant: 'sS',
  HasMember: 's',
  Identifier: 's.',
  This: '.',
  Super: '.',
  Module: 's',
  MemberOf: 'ns',
  Call: 'nNN',
  New: 'nNN',
  ElementAt: 'n#',
  ObjectLiteral: 'd',
  FunctionValue: 'd',
  ClassValue: 'd',
  ArrayLiteral: 'N',
  TupleLiteral: 'N',
  Either: 'N',
  Literal: 's',
  Zip: 'N',
  ContextParameter: 'n#',
  ContextProperty: 'ns',
  ContextArgument: 'n#',
  ContextNewArgument: 'n#',
  Operation: 'ns',
};

const BY_CODE: ReadonlyMap<number, readonly Operand[]> = new Map(
  // The keys of OPERANDS are those of NodeOp, and its letters are operands.
  Object.entries(NodeOp).map(([name, code]) => [
    code,
    (OPERANDS[name as keyof typeof NodeOp] ?? 'n').split('') as Operand[],
  ]),
);

const UNKNOWN: readonly Operand[] = [];

/** The operands of an operation by its code. */
export function operandsOf(code: number): readonly Operand[] {
  return BY_CODE.get(code) ?? UNKNOWN;
}
