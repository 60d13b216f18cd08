import { expect, test } from '@jest/globals';
import mongoose, { Schema, Types } from 'mongoose';
import { defineModel } from './define-model.ts';
import { type DocumentOf, field, list, nullable, optional, part, required, withDefault } from './fields.ts';

const fields = {
  name: required(String),
  state: required<'open' | 'closed'>(String),
  by: nullable(Schema.Types.ObjectId),
  note: withDefault(''),
  count: withDefault(0),
  isDone: withDefault(false),
  words: list(String),
  terms: optional<string[]>([String]),
  place: optional(part({ page: field(Number) })),
};

test('documents have the fields that are given and the defaults of the others, and omit optional ones', () => {
  const model = defineModel<DocumentOf<typeof fields>>('Example', 'examples', fields).create(
    mongoose.createConnection(),
  );
  const document = new model({ name: 'a', state: 'open' });
  expect(document.validateSync()).toBeUndefined();
  expect(document.toObject()).toEqual({
    _id: document._id,
    name: 'a',
    state: 'open',
    by: null,
    note: '',
    count: 0,
    isDone: false,
    words: [],
  });
  expect(new model({ state: 'open' }).validateSync()?.errors).toHaveProperty('name');
});

test('the type of a document follows from its fields', () => {
  const document: DocumentOf<typeof fields> = {
    _id: new Types.ObjectId(),
    name: 'a',
    state: 'closed',
    by: new Types.ObjectId(),
    note: '',
    count: 1,
    isDone: true,
    words: ['b'],
    place: { page: 2 },
  };
  // @ts-expect-error: a state that is not one of the two.
  document.state = 'other';
  // @ts-expect-error: a field that every document has.
  document.note = undefined;
  expect(document.terms).toBeUndefined();
});
