import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { openTestModels } from '../testing/open-test-models.ts';
import { identityId } from './account-models.ts';
import { createProofs } from './proofs.ts';

const store = await openTestModels();
afterAll(() => store.end());

/** A session that `provider` has begun, and the person whom it signs in. */
async function session(provider: string) {
  const [sessionId, userId] = [new Types.ObjectId(), new Types.ObjectId()];
  const subject = userId.toHexString();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 3_600_000);
  const dates = { createdAt: now, lastUsedAt: now, expiresAt };
  const fields = { tokenHash: subject, userId, provider, providerSid: null, device: '', ...dates };
  await store.models.sessions.create({ _id: sessionId, ...fields });
  const person = { provider, issuer: 'https://id.example', subject, sid: null };
  const _id = identityId(person.issuer, subject);
  await store.models.identities.create({ _id, userId, createdAt: now });
  return { id: sessionId.toHexString(), sessionId, user: { _id: userId }, person };
}

const proofsOf = () => createProofs(store.models, { findByPassword: async () => null });

test('a sign-in at the provider of the session is accepted once, for its purpose', async () => {
  const proofs = proofsOf();
  const own = await session('one');
  expect(await proofs.record(own.id, 'operate', own.person)).toBe(true);
  expect(await proofs.accept(own, 'delete_account', {})).toBe(false);
  expect(await proofs.accept(own, 'operate', {})).toBe(true);
  expect(await proofs.accept(own, 'operate', {})).toBe(false);
});

test('a sign-in at another provider, or of another person, proves nothing', async () => {
  const proofs = proofsOf();
  const [own, other] = [await session('one'), await session('one')];
  expect(await proofs.record(own.id, 'operate', { ...own.person, provider: 'two' })).toBe(false);
  expect(await proofs.record(own.id, 'operate', other.person)).toBe(false);
  expect(await proofs.record(own.id, 'operate', { ...own.person, subject: 'unknown' })).toBe(false);
  expect(await proofs.accept(own, 'operate', {})).toBe(false);
});
