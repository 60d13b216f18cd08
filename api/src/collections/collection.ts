import type { Model } from 'mongoose';
import { Audience, type CollectionRequest } from '../contract/collections.ts';
import { defineModel } from '../store/define-model.ts';
import { contractPart, type DocumentOf, required } from '../store/fields.ts';

const audience = contractPart(Audience);

const fields = {
  /** 24 hex digits. */
  _id: required(String),
  /** Unique. */
  name: required(String),
  access: required<CollectionRequest['access']>(String),
  readers: required(audience),
  editors: required(audience),
};

/** Who may read and change a part of the knowledge. The first collection is not stored: everyone may read it. */
export type CollectionDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<CollectionDocument>('Collection', 'collections', fields);
schema.index({ name: 1 }, { unique: true });

export type CollectionModel = Model<CollectionDocument>;
export const createCollectionModel = create;
