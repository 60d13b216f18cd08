import { Types } from 'mongoose';
import { z } from 'zod';

/** The stored values from which a field of a body can be made: for a text also a date or an id. */
type Stored<T> = T extends string
  ? T | (string extends T ? Date | Types.ObjectId : never)
  : T extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { [Key in keyof T]: Stored<T[Key]> | (object extends Pick<T, Key> ? null | undefined : never) }
      : T;

type Source<T> = Omit<Stored<T>, 'id'> &
  ('id' extends keyof T ? { id: Stored<T['id']> } | { _id: Stored<T['id']> } : unknown);

/**
 * A body with the fields of its schema, from a stored document with fields of the same names; other fields are left out, also
 * in nested parts. Dates and ids become texts, `id` is `_id` unless it is given, and a missing value is null if the field is
 * nullable.
 */
export function describeAs<S extends z.ZodObject>(
  schema: S,
  source: NoInfer<Source<z.infer<S>>>,
): z.infer<S> {
  return describePart(schema, source) as z.infer<S>;
}

function describePart(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return schema instanceof z.ZodNullable ? null : undefined;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodExactOptional)
    return describePart(schema.unwrap(), value);
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).map((one) => describePart(schema.element, one));
  if (!(schema instanceof z.ZodObject)) return toText(value);
  const given: Record<string, unknown> = { id: (value as { _id?: unknown })._id, ...value };
  const fields = Object.entries(schema.shape).map(([name, part]) => [name, describePart(part, given[name])]);
  return Object.fromEntries(fields.filter(([, described]) => described !== undefined));
}

function toText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return value instanceof Types.ObjectId ? value.toHexString() : value;
}
