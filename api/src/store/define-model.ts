import { type Connection, type Model, type mongo, Schema } from 'mongoose';
import type { Fields } from './fields.ts';

/** Options of an index of the documents with these values only. */
export const onlyWhere = (partialFilterExpression: Record<string, string | boolean>) => ({
  partialFilterExpression,
});

/** Options of an index of the documents that have this field only. */
export const onlyWith = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

/** A schema, to which indexes can be added, and a model on a connection; see `createIndexes`. */
export function defineModel<T>(
  name: string,
  collection: string,
  fields: Fields | ConstructorParameters<typeof Schema<T>>[0],
): { schema: Schema<T>; create(connection: Connection): Model<T> } {
  const options = { collection, versionKey: false, autoIndex: false, autoCreate: false } as const;
  const schema = new Schema<T>(fields as ConstructorParameters<typeof Schema<T>>[0], options);
  return {
    schema,
    create: (connection) => (connection.models[name] as Model<T>) ?? connection.model<T>(name, schema),
  };
}

/** Creates the models of these definitions on a connection. */
export function modelsOf<D extends Record<string, { create(connection: Connection): unknown }>>(
  definitions: D,
) {
  return (connection: Connection) =>
    Object.fromEntries(
      Object.entries(definitions).map(([name, { create }]) => [name, create(connection)]),
    ) as { [Name in keyof D]: ReturnType<D[Name]['create']> };
}

/** Creates the indexes of all `models`, with one command for each of them; existing indexes stay unchanged. */
export async function createIndexes(models: object): Promise<void> {
  const all: Model<unknown>[] = Object.values(models);
  await Promise.all(
    all.map(async ({ schema, collection }) => {
      const defined = schema.indexes();
      const indexes = defined.map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
      if (indexes.length > 0) await collection.createIndexes(indexes);
    }),
  );
}
