import type { z } from 'zod';

/** `created_at` is `createdAt`. */
type RowName<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<RowName<Rest>>}` : Name;
/** A value of a row as it is sent: times as text, and null for what is absent. */
type Sent<Value> = Value extends Date ? string : Value extends undefined ? null : Value;

/** The fields of a body that a row does not have, or has otherwise. */
type OwnFields<Body, Row> = {
  [
    Name in keyof Body as RowName<Name> extends keyof Row
      ? Sent<Row[RowName<Name>]> extends Body[Name]
        ? never
        : Name
      : Name
  ]: Body[Name];
};

/**
 * Makes the body that a schema describes of a row: each field is the column of its name, `created_at` of `createdAt`, with times in
 * ISO 8601 and null for undefined. `own` are the fields that no column is, or
 * that say something else than the column of their name.
 */
export function bodyOfRow<Schema extends z.ZodObject, Row extends object>(
  schema: Schema,
  row: Row,
  own: OwnFields<z.output<Schema>, Row> & Partial<z.output<Schema>>,
): z.output<Schema> {
  const columns = row as Readonly<Record<string, unknown>>;
  const given = own as Readonly<Record<string, unknown>>;
  const fields = Object.keys(schema.shape).flatMap((name) => {
    if (Object.hasOwn(given, name)) return [[name, given[name]]];
    const column = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (!Object.hasOwn(columns, column)) return [];
    const value = columns[column];
    return [[name, value instanceof Date ? value.toISOString() : (value ?? null)]];
  });
  // The types of the parameters make sure that each field of the schema is in one of them.
  return Object.fromEntries(fields) as z.output<Schema>;
}
