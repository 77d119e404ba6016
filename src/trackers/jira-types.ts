import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import type { TrackerLine } from './tracker-call.ts';

const Type = z.object({ id: z.string(), name: z.string(), untranslatedName: z.string().optional() });
/** Jira Cloud and Data Center call their lists by other names. */
const Types = z.object({ issueTypes: z.array(Type).optional(), values: z.array(Type).optional() });
const Field = z.object({
  fieldId: z.string(),
  name: z.string(),
  required: z.boolean(),
  hasDefaultValue: z.boolean().optional(),
});
const Fields = z.object({ fields: z.array(Field).optional(), values: z.array(Field).optional() });

/** Fields that are always sent, or that Jira fills in itself. */
const GIVEN = ['project', 'issuetype', 'summary', 'description', 'reporter'];

/** Reads something below the address of the API; undefined where it is not. */
export type Get = <Value>(path: string, schema: z.ZodType<Value>) => Promise<Value | undefined>;

/**
 * The type of issues with this name, in the language of the site or in English, as it is sent. Installations that do not
 * tell their types take the name.
 *
 * @param chosen fields that are sent besides.
 * @throws ServiceError `bad_argument` when the project has no such type, or asks for fields that would not be sent.
 */
export async function issueTypeOf(
  line: TrackerLine,
  get: Get,
  name: string,
  chosen: readonly string[] = [],
): Promise<{ id: string } | { name: string }> {
  const meta = `/issue/createmeta/${encodeURIComponent(line.project)}/issuetypes`;
  const answer = await get(meta, Types);
  const types = answer?.issueTypes ?? answer?.values ?? [];
  if (types.length === 0) return { name };
  const lowerName = name.toLowerCase();
  const type =
    types.find((issueType) => issueType.name.toLowerCase() === lowerName) ??
    types.find(({ untranslatedName }) => untranslatedName?.toLowerCase() === lowerName);
  if (type === undefined) {
    const names = types.map((issueType) => issueType.name).join(', ');
    throw new ServiceError('bad_argument', `${line.project} has no issues of the type "${name}".`, {
      fix: `Connect the tracker again with one of its types: ${names}.`,
    });
  }
  const fields = await get(`${meta}/${encodeURIComponent(type.id)}`, Fields);
  const missing = (fields?.fields ?? fields?.values ?? []).filter(
    ({ fieldId, required, hasDefaultValue }) =>
      required && hasDefaultValue !== true && !GIVEN.includes(fieldId) && !chosen.includes(fieldId),
  );
  if (missing.length === 0) return { id: type.id };
  const names = missing.map((field) => field.name).join(', ');
  throw new ServiceError('bad_argument', `Issues of the type "${type.name}" in ${line.project} need: ${names}.`, {
    fix: 'Choose what can be chosen, give the other fields a default in Jira, or connect the tracker with another issue type.',
  });
}
