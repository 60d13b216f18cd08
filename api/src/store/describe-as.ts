import { Types } from 'mongoose';
import { z } from 'zod';

/** What a field of a body may be made of: texts of dates and ids as well. */
type Stored<T> = T extends string
  ? T | (string extends T ? Date | Types.ObjectId : never)
  : T extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { [Key in keyof T]: Stored<T[Key]> | (object extends Pick<T, Key> ? undefined : never) }
      : T;

type Source<T> = Omit<Stored<T>, 'id'> &
  ('id' extends keyof T ? { id: Stored<T['id']> } | { _id: Stored<T['id']> } : unknown);

/**
 * A body with the fields of its schema, from a stored document with fields of the same names; others of the document are left out. Dates and
 * ids become texts, `id` is `_id` unless it is given, and what a document lacks is null if the body has it in any case.
 */
export function describeAs<S extends z.ZodObject>(
  { shape }: S,
  source: NoInfer<Source<z.infer<S>>>,
): z.infer<S> {
  const given: Record<string, unknown> = { id: (source as { _id?: unknown })._id, ...source };
  const fields = Object.entries(shape).map(([name, schema]) => [
    name,
    toTexts(given[name] ?? (schema instanceof z.ZodNullable ? null : undefined)),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as z.infer<S>;
}

function toTexts(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Types.ObjectId) return value.toHexString();
  if (Array.isArray(value)) return value.map(toTexts);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, toTexts(one)]));
}
