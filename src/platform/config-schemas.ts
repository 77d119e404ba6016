import { z } from 'zod';
import { readBytes } from './memory.ts';

/** The parts of a text between commas, without blanks around them. */
export function splitList(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}

/** A whole number from `least` to `most`, written in digits. */
export function wholeNumber(least: number, most: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most);
}

/** A size in bytes, at least `least`: `1GB`, `900MB` or a number of bytes. */
export function byteSize(least: number): z.ZodType<number, string> {
  return z
    .string()
    .transform((text) => readBytes(text) ?? Number.NaN)
    .refine((value) => value >= least);
}
