import { Schema } from 'mongoose';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, list, nullable, required, withDefault } from '../store/fields.ts';

const fields = {
  userId: required(Schema.Types.ObjectId),
  /** As the authenticator names it, base64url. */
  credentialId: required(String),
  /** COSE, base64url. */
  publicKey: required(String),
  /** Of its uses, for authenticators that count them; otherwise 0. */
  counter: withDefault(0),
  transports: list(String),
  name: withDefault(''),
  createdAt: required(Date),
  lastUsedAt: nullable(Date),
};

/** A public key with which an account can be signed in to. */
const { schema, create } = defineModel<DocumentOf<typeof fields>>('Passkey', 'passkeys', fields);
schema.index({ credentialId: 1 }, { unique: true });
schema.index({ userId: 1, createdAt: 1 });

export const createPasskeyModel = create;
