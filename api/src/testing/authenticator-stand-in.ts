import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Flags of authenticator data: a person is present, is verified, and a credential is included. */
const present = 1;
const verified = 4;
const included = 64;

interface Ceremony {
  challenge: string;
  /** Of the page, as the browser says. */
  origin: string;
  isVerified?: boolean;
}

/** An authenticator with one passkey (ES256, no attestation), which speaks the protocol of WebAuthn. `rpId` is the host name of the desk. */
export function createAuthenticatorStandIn(rpId: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const idText = id.toString('base64url');
  const credential = { id: idText, rawId: idText, type: 'public-key' as const };
  let userHandle = '';
  let counter = 0;

  const authData = (flags: number, rest: Buffer = Buffer.alloc(0)): Buffer => {
    counter += 1;
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counted, rest]);
  };
  const clientData = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  return {
    id: idText,
    /** RegistrationResponseJSON. */
    register(ceremony: Ceremony & { userId: string }) {
      userHandle = ceremony.userId;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const [keyX, keyY] = [x, y].map((one) => Buffer.from(one, 'base64url'));
      // COSE_Key: EC2, ES256, P-256.
      const key = Buffer.concat([hex('a5010203262001215820'), keyX!, hex('225820'), keyY!]);
      const attested = Buffer.concat([Buffer.alloc(16), hex('0010'), id, key]);
      const flags = present + included + (ceremony.isVerified === false ? 0 : verified);
      const data = authData(flags, attested);
      // A CBOR map of `fmt`, `attStmt` and `authData`.
      const head = [hex('a363'), 'fmt', hex('64'), 'none', hex('67'), 'attStmt', hex('a068'), 'authData'];
      const length = Buffer.from([0x58, data.length]);
      const attestation = Buffer.concat([...head.map((one) => Buffer.from(one)), length, data]);
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
        },
      };
    },
    /** AuthenticationResponseJSON. */
    signIn(ceremony: Ceremony) {
      const data = authData(present + (ceremony.isVerified === false ? 0 : verified));
      const client = clientData('webauthn.get', ceremony);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle,
        },
      };
    },
  };
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
