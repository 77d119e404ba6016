import type { NodeOp } from './facts.ts';

/**
 * Operands of nodes: `.` a scope, `d` a definition or -1, `#` another number, `s` a string, `n` a node, `S` and `N` lists of them. A node that
 * is not here has one node.
 */
export const OPERANDS: Readonly<Partial<Record<keyof typeof NodeOp, string>>> = {
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
