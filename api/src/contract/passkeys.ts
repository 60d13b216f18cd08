import { z } from 'zod';
import { PasswordProof } from './accounts.ts';

const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);
const transports = z.array(z.string().max(20)).max(10).exactOptional();

/** POST /admin/passkeys/challenge. `code` is needed if the account has a second factor. */
export const PasskeyProof = PasswordProof.extend({ code: z.string().max(100).exactOptional() });
export type PasskeyProof = z.infer<typeof PasskeyProof>;

/**
 * What the browser needs: PublicKeyCredentialCreationOptionsJSON to add a passkey, PublicKeyCredentialRequestOptionsJSON to sign in
 * (https://www.w3.org/TR/webauthn-3/). The challenge works once and for 5 minutes.
 */
export const PasskeyOptions = z.looseObject({ challenge: base64url });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

const credential = { id: base64url, rawId: base64url, type: z.literal('public-key') };

/** POST /admin/passkeys: RegistrationResponseJSON of WebAuthn. An empty name becomes that of the device. */
export const NewPasskey = z.object({
  name: z.string().trim().max(60),
  credential: z.object({
    ...credential,
    response: z.object({ clientDataJSON: base64url, attestationObject: base64url, transports }),
  }),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

/** POST /admin/passkeys/sign-in: AuthenticationResponseJSON of WebAuthn. */
export const PasskeySignIn = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.exactOptional(),
  }),
});
export type PasskeySignIn = z.infer<typeof PasskeySignIn>;
