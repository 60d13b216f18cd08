import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, field, part, required, withDefault } from '../store/fields.ts';

/** A contact as part of other documents. */
export const contactPart = part({ id: field(String), name: field(String) });

const fields = {
  owner: required(String),
  /** The normalised phone number, e-mail address or text, see `contactId`. */
  contactId: required(String),
  /** '' if none was given. */
  name: withDefault(''),
  lastUsedAt: required(Date),
};

/** A person on whose behalf an owner has asked. It exists while a record that is not deleted names it. */
export type ContactDocument = DocumentOf<typeof fields>;

export const contactModel = defineModel<ContactDocument>('Contact', 'contacts', fields);
contactModel.schema.index({ owner: 1, contactId: 1 }, { unique: true });
contactModel.schema.index({ owner: 1, name: 1, contactId: 1 });
contactModel.schema.index({ owner: 1, lastUsedAt: -1, _id: -1 });
