import { createHmac, randomBytes } from 'node:crypto';
import type { Connection, Types } from 'mongoose';
import { Secret, TOTP } from 'otpauth';
import type { SecondFactorState } from '../contract/accounts.ts';
import { ApiError } from '../errors/errors.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import { hashOf, randomToken } from '../store/random-token.ts';
import type { AccountModels, ChallengeDocument, UserDocument } from './account-models.ts';
import { createCounter } from './rate-limit.ts';

/** Time for entering the code after the password, or for using a passkey, in ms. */
const challengeMs = 300_000;
/** Duration of the period of a code, in seconds. Codes of the periods before and after are accepted, too. */
const period = 30;
const recoveryCodeCount = 10;
/** Wrong codes of an account in an hour, after which only recovery codes are accepted: who knows the password cannot try all codes. */
const maxWrongCodes = 20;
/** 80 random bits, so that their hashes cannot be reversed by trying. */
const recoveryCodeBytes = 10;

type Owner = Pick<UserDocument, '_id' | 'secondFactor'>;

export type SecondFactors = ReturnType<typeof createSecondFactors>;

/** Codes of authenticator apps (RFC 6238: SHA-1, 6 digits, 30 s) and recovery codes. `key` derives the secrets. */
export function createSecondFactors(
  connection: Connection,
  { users, challenges }: Pick<AccountModels, 'users' | 'challenges'>,
  key: Buffer,
) {
  const wrongCodes = createCounter(connection, 'wrong_code', maxWrongCodes, 3600);

  function secretOf(userId: Types.ObjectId, salt: string): Secret {
    const bytes = createHmac('sha256', key).update(`${userId.toHexString()}\n${salt}`).digest();
    return new Secret({ buffer: new Uint8Array(bytes.subarray(0, 20)).buffer });
  }

  /** The period to which the code belongs; null: it is wrong. */
  function stepOf(userId: Types.ObjectId, salt: string, token: string): number | null {
    const timestamp = databaseNow();
    const codes = new TOTP({ secret: secretOf(userId, salt), period });
    const delta = codes.validate({ token, timestamp, window: 1 });
    return delta === null ? null : TOTP.counter({ period, timestamp }) + delta;
  }

  /** A random token, which works once and for 5 minutes. Only its hash is stored. */
  async function newChallenge(
    kind: ChallengeDocument['kind'],
    of: Pick<ChallengeDocument, 'userId'> & Partial<ChallengeDocument>,
  ): Promise<string> {
    const token = randomToken();
    const expiresAt = new Date(databaseNow() + challengeMs);
    await challenges.create({ _id: hashOf(token), kind, ...of, expiresAt });
    return token;
  }

  return {
    isOn: ({ secondFactor }: Owner): boolean => Boolean(secondFactor?.since),

    async state(userId: Types.ObjectId): Promise<Omit<SecondFactorState, 'passkeys'>> {
      const user = await users.findById(userId, { passwordHash: 1, secondFactor: 1 }).lean();
      const factor = user?.secondFactor;
      return {
        hasPassword: Boolean(user?.passwordHash),
        isOn: Boolean(factor?.since),
        recoveryCodes: factor?.since ? factor.recoveryHashes.length : 0,
      };
    },

    /** A new secret in base32, which `confirm` puts in use. null: a second factor is in use. */
    async begin(_id: Types.ObjectId): Promise<string | null> {
      const salt = randomBytes(16).toString('base64url');
      const { matchedCount } = await users.updateOne(
        { _id, deletedAt: null, 'secondFactor.since': null },
        { $set: { secondFactor: { salt, since: null, lastStep: 0, recoveryHashes: [] } } },
      );
      return matchedCount === 0 ? null : secretOf(_id, salt).base32;
    },

    /** Puts the secret of `begin` in use and returns recovery codes. null: the code is wrong. */
    async confirm({ _id, secondFactor }: Owner, code: string): Promise<string[] | null> {
      const salt = secondFactor?.salt ?? '';
      const lastStep = stepOf(_id, salt, digitsOf(code));
      if (lastStep === null) return null;
      const { codes, hashes } = newRecoveryCodes();
      const { matchedCount } = await users.updateOne(
        { _id, 'secondFactor.salt': salt, 'secondFactor.since': null },
        { $set: { secondFactor: { salt, since: databaseDate(), lastStep, recoveryHashes: hashes } } },
      );
      return matchedCount === 0 ? null : codes;
    },

    /**
     * Accepts a code, or a recovery code, once in all processes. null: it is wrong, or was accepted before.
     * @throws rate_limited after 20 wrong codes in an hour, unless it is a recovery code.
     */
    async accept({ _id, secondFactor }: Owner, written: string): Promise<'code' | 'recovery_code' | null> {
      if (!secondFactor?.since) return null;
      const code = digitsOf(written);
      const wrong = await wrongCodes.get(_id.toHexString());
      const isLimited = wrong !== null && wrong.consumedPoints >= maxWrongCodes;
      const step = isLimited ? null : stepOf(_id, secondFactor.salt, code);
      const hash = hashOf(code);
      const same = { _id, 'secondFactor.salt': secondFactor.salt };
      const recovery = { 'secondFactor.recoveryHashes': hash };
      const { matchedCount } =
        step === null
          ? await users.updateOne({ ...same, ...recovery }, { $pull: recovery })
          : await users.updateOne(
              { ...same, 'secondFactor.lastStep': { $lt: step } },
              { $set: { 'secondFactor.lastStep': step } },
            );
      if (matchedCount > 0) return step === null ? 'recovery_code' : 'code';
      if (isLimited) throw new ApiError('rate_limited', { retryAfter: Math.ceil(wrong.msBeforeNext / 1000) });
      await wrongCodes.penalty(_id.toHexString());
      return null;
    },

    async renewCodes({ _id, secondFactor }: Owner): Promise<string[]> {
      const { codes, hashes } = newRecoveryCodes();
      const same = { _id, 'secondFactor.salt': secondFactor?.salt ?? '' };
      await users.updateOne(same, { $set: { 'secondFactor.recoveryHashes': hashes } });
      return codes;
    },

    async turnOff({ _id }: Owner): Promise<void> {
      await users.updateOne({ _id }, { $set: { secondFactor: null } });
    },

    newChallenge,

    /** A token for the second step of a sign-in. */
    challenge: ({ _id: userId, passwordHash }: UserDocument): Promise<string> =>
      newChallenge('code', { userId, passwordHash }),

    /** The account of a challenge, unless it is over. */
    async challenged(token: string): Promise<UserDocument | null> {
      const lasting = { _id: hashOf(token), kind: 'code', expiresAt: { $gt: databaseDate() } } as const;
      const challenge = await challenges.findOne(lasting).lean();
      if (!challenge) return null;
      const { userId: _id, passwordHash } = challenge;
      return users.findOne({ _id, passwordHash, deletedAt: null, disabledAt: null }).lean();
    },

    /** Uses a challenge up. null: it is over, or not for this. */
    takeChallenge: (token: string, expected: Pick<ChallengeDocument, 'kind' | 'userId'>) =>
      challenges
        .findOneAndDelete({ _id: hashOf(token), ...expected, expiresAt: { $gt: databaseDate() } })
        .lean()
        .exec(),
  };
}

/** A code without the spaces and hyphens that group it; full-width digits are the same. */
function digitsOf(written: string): string {
  return written.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
}

function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const newCode = () => new Secret({ size: recoveryCodeBytes }).base32;
  const plain = Array.from({ length: recoveryCodeCount }, newCode);
  return { codes: plain.map((code) => code.match(/.{4}/g)!.join('-')), hashes: plain.map(hashOf) };
}
