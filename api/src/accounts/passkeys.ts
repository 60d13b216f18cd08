import { Types } from 'mongoose';
import { z } from 'zod';
import { parseJson } from '../config/parse-json.ts';
import { Passkey } from '../contract/accounts.ts';
import type { NewPasskey, PasskeyOptions, PasskeySignIn } from '../contract/passkeys.ts';
import { notFound } from '../errors/errors.ts';
import { databaseDate } from '../store/database-clock.ts';
import { describeAs } from '../store/describe-as.ts';
import { toObjectId } from '../store/object-id.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import type { AccountModels, UserDocument } from './account-models.ts';
import type { Accounts, NamedSignIn, Visit } from './accounts.ts';
import type { SecondFactors } from './second-factors.ts';

/** The most passkeys of an account. */
const maxPasskeys = 20;
/** EdDSA, ES256 and RS256, as COSE numbers them. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Loaded at the first use, since a start does not need it. */
const webAuthn = () => import('@simplewebauthn/server');

const ClientData = z.object({ challenge: z.string() });

/**
 * Passkeys (WebAuthn): discoverable credentials with verification of the person, so that each counts as both factors. `origin` is the
 * origin of the page; its host name is the id of the relying party.
 */
export function createPasskeys(deps: {
  models: Pick<AccountModels, 'users' | 'passkeys'>;
  accounts: Pick<Accounts, 'startSession' | 'refuseLocal'>;
  secondFactors: Pick<SecondFactors, 'newChallenge' | 'takeChallenge'>;
}) {
  const { models, accounts, secondFactors } = deps;
  const { users, passkeys } = models;

  const newChallenge = async (of: { userId: Types.ObjectId | null; passwordHash?: string }) =>
    new Uint8Array(Buffer.from(await secondFactors.newChallenge('passkey', of), 'base64url'));

  /** The challenge that was signed, which is used up. null: it is over, or of another account. */
  async function takeChallenge(clientDataJSON: string, userId: Types.ObjectId | null) {
    const text = Buffer.from(clientDataJSON, 'base64url').toString('utf8');
    const { challenge = '' } = ClientData.safeParse(parseJson(text)).data ?? {};
    const taken = await secondFactors.takeChallenge(challenge, { kind: 'passkey', userId });
    return taken && { expectedChallenge: challenge, passwordHash: taken.passwordHash };
  }

  /** What both kinds of responses must fit; `given` is the response of the browser. */
  const expectedOf = <T>(given: T, expectedChallenge: string, origin: string) => ({
    response: { ...given, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  });

  return {
    async registrationOptions(
      { _id, username, passwordHash }: Pick<UserDocument, '_id' | 'username' | 'passwordHash'>,
      origin: string,
    ): Promise<PasskeyOptions> {
      const { generateRegistrationOptions } = await webAuthn();
      const own = await passkeys.find({ userId: _id }).lean();
      const { hostname } = new URL(origin);
      return {
        ...(await generateRegistrationOptions({
          rpName: hostname,
          rpID: hostname,
          userName: username,
          userID: new Uint8Array(Buffer.from(_id.toHexString())),
          challenge: await newChallenge({ userId: _id, passwordHash }),
          excludeCredentials: own.map(({ credentialId: id, transports }) => ({ id, transports })),
          supportedAlgorithmIDs,
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        })),
      };
    },

    /** false: it does not fit the challenge, or there are too many. */
    async add(userId: Types.ObjectId, { name, credential }: NewPasskey, origin: string): Promise<boolean> {
      const taken = await takeChallenge(credential.response.clientDataJSON, userId);
      if (!taken || (await passkeys.countDocuments({ userId })) >= maxPasskeys) return false;
      const { verifyRegistrationResponse } = await webAuthn();
      const expected = expectedOf(credential, taken.expectedChallenge, origin);
      const verified = await verifyRegistrationResponse({ ...expected, supportedAlgorithmIDs }).catch(
        () => null,
      );
      if (!verified?.verified) return false;
      const { id: credentialId, counter, transports = [], ...made } = verified.registrationInfo.credential;
      const publicKey = Buffer.from(made.publicKey).toString('base64url');
      const _id = new Types.ObjectId();
      const of = { _id, userId, name, createdAt: databaseDate() };
      const key = { credentialId, publicKey, counter, transports };
      const isAdded = await unlessDuplicate(passkeys.create({ ...of, ...key }));
      // A link of an administrator may have removed all passkeys meanwhile.
      const isSame = await users.exists({ _id: userId, passwordHash: taken.passwordHash });
      if (!isSame) await passkeys.deleteOne({ _id });
      return isAdded && isSame !== null;
    },

    /** Options for the browser to sign in. It offers the passkeys that it has for this desk. */
    async signInOptions(origin: string): Promise<PasskeyOptions> {
      const { generateAuthenticationOptions } = await webAuthn();
      const rpID = new URL(origin).hostname;
      const challenge = await newChallenge({ userId: null });
      return { ...(await generateAuthenticationOptions({ rpID, challenge, userVerification: 'required' })) };
    },

    async signIn(response: PasskeySignIn, visit: Visit, origin: string): Promise<NamedSignIn> {
      const wrong = { refusal: 'wrong_passkey', username: '' } as const;
      const taken = await takeChallenge(response.response.clientDataJSON, null);
      const passkey = await passkeys.findOne({ credentialId: response.id }).lean();
      if (!taken || !passkey) return wrong;
      const { userId, credentialId: id, publicKey, counter } = passkey;
      const handle = Buffer.from(response.response.userHandle ?? '', 'base64url').toString();
      const { verifyAuthenticationResponse } = await webAuthn();
      const credential = { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter };
      const expected = expectedOf(response, taken.expectedChallenge, origin);
      const verified = await verifyAuthenticationResponse({ ...expected, credential }).catch(() => null);
      if (!verified?.verified || handle !== userId.toHexString()) return { ...wrong, userId };
      const user = await users.findOne({ _id: userId, deletedAt: null }).lean();
      if (!user) return wrong;
      const { username } = user;
      const refusal = accounts.refuseLocal(user);
      if (refusal) return { refusal, userId, username };
      const { newCounter } = verified.authenticationInfo;
      const used = { counter: newCounter, lastUsedAt: databaseDate() };
      // It may have been removed meanwhile.
      const { matchedCount } = await passkeys.updateOne({ _id: passkey._id }, { $set: used });
      if (matchedCount === 0) return { ...wrong, userId };
      return { ...(await accounts.startSession(user, visit)), username };
    },

    async list(userId: Types.ObjectId): Promise<Passkey[]> {
      const found = await passkeys.find({ userId }).sort({ createdAt: 1 }).lean();
      return found.map((passkey) => describeAs(Passkey, passkey));
    },

    /** @throws notFound('passkey') */
    async remove(userId: Types.ObjectId, id: string): Promise<void> {
      const { deletedCount } = await passkeys.deleteOne({ _id: toObjectId(id, 'passkey'), userId });
      if (deletedCount === 0) throw notFound('passkey');
    },
  };
}
