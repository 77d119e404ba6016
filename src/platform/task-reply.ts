import { ServiceError, type ErrorCode } from '../kernel/errors.ts';
import { expectedFailure } from './failures.ts';

/** The answer to a task as it crosses over. */
export type Reply = { id: number; value: unknown } | { id: number; error: SentError };

export interface SentError {
  name: string;
  message: string;
  stack: string | undefined;
  code?: ErrorCode;
  fix?: string;
}

/** Does the work and puts what becomes of it so that it can cross over. */
export async function answer(id: number, work: () => Promise<unknown>): Promise<Reply> {
  try {
    return { id, value: await work() };
  } catch (error) {
    return { id, error: packError(error) };
  }
}

/** Own fields of an error do not survive a structured clone, so they travel by name. */
export function packError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined };
  const serviceError = expectedFailure(error);
  const { name, message, stack } = serviceError ?? error;
  return {
    name,
    message,
    stack,
    ...(serviceError !== undefined && { code: serviceError.code, fix: serviceError.fix }),
  };
}

/** The error that was thrown at the other end. */
export function unpackError({ name, message, stack, code, fix }: SentError): Error {
  const error = code === undefined ? new Error(message) : new ServiceError(code, message, { fix: fix ?? 'Try again.' });
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
