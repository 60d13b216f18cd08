import type { Connection, Model, Schema } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';
import type { Fields } from '../../store/fields.ts';

/** The default environment. Data of earlier versions belongs to it. */
export const PRODUCTION = 'production';

/** Format of an environment's name: it is part of the names of collections and cookies. */
const ENVIRONMENT_NAME = /^[a-z][a-z0-9-]{0,31}$/;

export function pointerId(environment: string): string {
  return environment === PRODUCTION ? 'live' : `live:${environment}`;
}

/** The environment of a pointer's id; undefined for other ids. */
export function environmentOf(id: string): string | undefined {
  if (id === 'live') return PRODUCTION;
  const name = /^live:(.+)$/.exec(id)?.[1];
  return name !== undefined && ENVIRONMENT_NAME.test(name) ? name : undefined;
}

/** Context for deriving the key of an environment for `use`. Signatures of one environment are invalid in the others. */
export function environmentKey(use: string, { environment }: { environment: string }): string {
  return environment === PRODUCTION ? use : `${use} ${environment}`;
}

/** Like `defineModel`, for a collection that each environment has: `moves`, `moves_staging`. */
export function defineModelOfEnvironments<T>(
  name: string,
  collection: string,
  fields: Fields,
): { schema: Schema<T>; create(connection: Connection, environment?: string): Model<T> } {
  const { schema } = defineModel<T>(name, collection, fields);
  return {
    schema,
    create(connection, environment = PRODUCTION) {
      const isProduction = environment === PRODUCTION;
      const key = isProduction ? name : `${name} ${environment}`;
      const own = isProduction ? collection : `${collection}_${environment}`;
      const known = connection.models[key] as Model<T> | undefined;
      return known ?? connection.model<T>(key, schema.clone(), own);
    },
  };
}
