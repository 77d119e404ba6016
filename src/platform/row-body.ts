import type { z } from 'zod';

/** `created_at` is `createdAt`. */
type RowName<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<RowName<Rest>>}` : Name;
/** A value of a row as it is sent: times as text, and what is absent as nothing where the field may be missing, else as null. */
type Sent<Value, Field> = Value extends Date
  ? string
  : Value extends undefined
    ? undefined extends Field
      ? undefined
      : null
    : Value;

/** The fields of a body for which a row has a column of another type. */
type Mismatch<Body, Row> = {
  [Name in keyof Body]-?: RowName<Name> extends keyof Row
    ? Sent<Row[RowName<Name>], Body[Name]> extends Body[Name]
      ? never
      : Name
    : never;
}[keyof Body];

/** The fields of a body that a row does not have, or has otherwise. */
type OwnFields<Body, Row> = {
  [Name in keyof Body as RowName<Name> extends keyof Row ? never : Name]: Body[Name];
} & {
  [Name in Mismatch<Body, Row>]-?: Body[Name];
};

/**
 * Makes the body that a schema describes of a row: each field is the column of its name, `created_at` of `createdAt`, with times in
 * ISO 8601. What is undefined is left out where the schema lets it, and null elsewhere. `own` are the fields that no column is, or
 * that say something else than the column of their name.
 */
export function bodyOfRow<Schema extends z.ZodObject, Row extends object>(
  schema: Schema,
  row: Row,
  own: OwnFields<z.output<Schema>, Row> & Partial<z.output<Schema>>,
): z.output<Schema> {
  const columns = row as Readonly<Record<string, unknown>>;
  const given = own as Readonly<Record<string, unknown>>;
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const column = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = Object.hasOwn(given, name) ? given[name] : columns[column];
    if (value !== undefined) body[name] = value instanceof Date ? value.toISOString() : value;
    else if (field.def.type !== 'optional') body[name] = null;
  }
  // The types of the parameters make sure that each field of the schema is in one of them.
  return body as z.output<Schema>;
}
