import type { Types } from 'mongoose';
import type { Proof, ProofPurpose } from '../contract/accounts.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import { type AccountModels, identityId } from './account-models.ts';
import type { Accounts } from './accounts.ts';
import type { ProvidedPerson } from './providers.ts';
import type { SignedIn } from './sessions.ts';

/** Time in which a sign-in at a provider can be used as a proof, in ms. */
const proofMs = 300_000;

/**
 * Decides whether somebody has just proven to own the account, by its password or by signing in again at the provider. A session
 * alone is no proof. See decision 140.
 */
export function createProofs(
  { sessions, identities }: Pick<AccountModels, 'sessions' | 'identities'>,
  accounts: Pick<Accounts, 'findByPassword'>,
) {
  return {
    /** Records that a provider has signed in `person` again, for this session and purpose. false: the session is over, or of another account. */
    async record(
      sessionId: string,
      purpose: ProofPurpose,
      { provider, issuer, subject, sid }: Pick<ProvidedPerson, 'provider' | 'issuer' | 'subject' | 'sid'>,
    ): Promise<boolean> {
      const identity = await identities.findById(identityId(issuer, subject)).lean();
      if (!identity) return false;
      const { matchedCount } = await sessions.updateOne(
        { _id: sessionId, userId: identity.userId, provider, expiresAt: { $gt: databaseDate() } },
        { $set: { proof: { purpose, at: databaseDate() }, providerSid: sid } },
      );
      return matchedCount > 0;
    },

    /** A sign-in at the provider is accepted once, within 5 minutes, in the session that asked for it. */
    async accept(
      { sessionId, user }: { sessionId: Types.ObjectId; user: Pick<SignedIn['user'], '_id'> },
      purpose: ProofPurpose,
      { password }: Proof,
    ): Promise<boolean> {
      if (password !== undefined) return (await accounts.findByPassword(user._id, password)) !== null;
      const isFresh = { $gt: new Date(databaseNow() - proofMs) };
      const proven = { _id: sessionId, 'proof.purpose': purpose, 'proof.at': isFresh };
      return (await sessions.updateOne(proven, { $set: { proof: null } })).matchedCount > 0;
    },
  };
}
