import { type InferRawDocType, Schema, type SchemaDefinition, type Types } from 'mongoose';
import { z } from 'zod';

/** Mongoose's definition, with the type of the value; `present` (a type only): every document has it. */
export interface Field<T, IsPresent extends boolean = true> {
  present: IsPresent;
  value: T;
}

/** A field with a value in documents that are created without it. */
export interface Defaulted<T> extends Field<T> {
  default: T;
}

export type Fields = Record<string, Field<unknown, boolean>>;

/** Parts of documents with these fields. */
export type PartOf<F extends Fields> = {
  [K in keyof F as F[K]['present'] extends true ? K : never]: F[K]['value'];
} & { [K in keyof F as F[K]['present'] extends true ? never : K]?: F[K]['value'] };

/** The documents of a model with these fields. `_id` is an ObjectId unless it is one of them. */
export type DocumentOf<F extends Fields> = PartOf<F> &
  ('_id' extends keyof F ? unknown : { _id: Types.ObjectId });

/** The parts of documents that a schema of `part` describes. */
export type Part<S> = S extends Schema<infer T> ? T : never;

type Constructor =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | DateConstructor
  | typeof Buffer
  | typeof Schema.Types.ObjectId
  // biome-ignore lint/suspicious/noExplicitAny: schemas of all documents.
  | Schema<any>;
type ValueOf<C> = InferRawDocType<{ field: { type: C; required: true } }>['field'];

// The type of a value is that of `type`, or a narrower one that is given, as in `required<Language>(String)`.

/** A field that must be given. */
export function required<C extends Constructor>(type: C): Field<ValueOf<C>>;
export function required<T>(type: unknown): Field<T>;
export function required(type: unknown): unknown {
  return { type, required: true };
}

/** A field that is null unless it is given. */
export function nullable<C extends Constructor>(type: C): Defaulted<ValueOf<C> | null>;
export function nullable<T>(type: unknown): Defaulted<T | null>;
export function nullable(type: unknown): unknown {
  return { type, default: null };
}

/** A field that some documents do not have. */
export function optional<C extends Constructor>(type: C): Field<ValueOf<C>, false>;
export function optional<T>(type: unknown): Field<T, false>;
export function optional(type: unknown): unknown {
  return Array.isArray(type) ? { type, default: undefined } : { type };
}

/** A list, empty unless it is given. */
export function list<C extends Constructor>(type: C): Defaulted<ValueOf<C>[]>;
export function list<T>(type: unknown): Defaulted<T[]>;
export function list(type: unknown): unknown {
  return { type: [type], default: [] };
}

/** A text, number or boolean with a default. */
export function withDefault(value: string): Defaulted<string>;
export function withDefault(value: number): Defaulted<number>;
export function withDefault(value: boolean): Defaulted<boolean>;
export function withDefault<T extends string>(value: T): Defaulted<T>;
export function withDefault(value: unknown): unknown {
  const type = { string: String, number: Number, boolean: Boolean }[typeof value as 'string'];
  return { type, default: value };
}

/** A field that is not checked and has no default, or another definition of Mongoose's. */
export function field<C extends Constructor>(type: C): Field<ValueOf<C>>;
export function field<T, IsPresent extends boolean = true>(definition: unknown): Field<T, IsPresent>;
export function field(definition: unknown): unknown {
  return definition;
}

/** The values of fields that are not given; those that are computed are missing. */
export function defaultsOf<F extends Fields>(fields: F) {
  const given = Object.entries(fields as Record<string, { default?: unknown }>);
  const values = given.map(([name, { default: value }]) => [name, value] as const);
  const known = values.filter(([, value]) => value !== undefined && typeof value !== 'function');
  return structuredClone(Object.fromEntries(known)) as {
    [K in keyof F as F[K] extends Defaulted<unknown> ? K : never]: F[K]['value'];
  };
}

/** A schema of parts of documents, which have no ids of their own. */
export function part<F extends Fields>(fields: F): Schema<PartOf<F>> {
  const schema: unknown = new Schema(fields as SchemaDefinition, { _id: false, id: false });
  return schema as Schema<PartOf<F>>;
}

/** A schema of parts of documents that are stored as a body of the contract has them. */
export function contractPart<S extends z.ZodObject>({ shape }: S): Schema<z.infer<S>> {
  const types = Object.entries(shape).map(([name, schema]) => [name, storedType(schema)]);
  return part(Object.fromEntries(types)) as unknown as Schema<z.infer<S>>;
}

function storedType(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodExactOptional) return storedType(schema.unwrap());
  if (schema instanceof z.ZodArray) return { type: [storedType(schema.element)], default: undefined };
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return String;
  if (schema instanceof z.ZodNumber) return Number;
  return schema instanceof z.ZodBoolean ? Boolean : Schema.Types.Mixed;
}
