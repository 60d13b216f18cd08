import { z } from 'zod';

/** A public key with which the account can be signed in to. Times are ISO 8601. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** null: not used yet. */
  lastUsedAt: z.string().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** POST /admin/register and /admin/login. Only the types are validated here; `AdminReply` says which values are refused. */
export const Credentials = z.object({ username: z.string(), password: z.string() });
export type Credentials = z.infer<typeof Credentials>;

/** POST /admin/password. */
export const PasswordChange = z.object({ current: z.string(), next: z.string() });
export type PasswordChange = z.infer<typeof PasswordChange>;

/** A code of an authenticator app, or a recovery code. */
const code = z.string().max(100);

/** POST /admin/login/code: `challenge` is that of the reply to the password. */
export const CodeAnswer = z.object({ challenge: z.string().max(100), code });
export type CodeAnswer = z.infer<typeof CodeAnswer>;

/** POST /admin/sso/link. `code` is needed if the account has a second factor. */
export const LinkCredentials = Credentials.extend({ code: code.exactOptional() });
export type LinkCredentials = z.infer<typeof LinkCredentials>;

export const PasswordProof = z.object({ password: z.string() });

/** DELETE /admin/account and POST /api/operate. Without a password: the person has signed in again at the provider, see POST /admin/sso/confirm. */
export const Proof = z.object({ password: z.string().exactOptional() });
export type Proof = z.infer<typeof Proof>;

/** What is decided after a proof. */
export const ProofPurpose = z.enum(['delete_account', 'operate']);
export type ProofPurpose = z.infer<typeof ProofPurpose>;

/** POST and DELETE /admin/second-factor, and POST /admin/second-factor/recovery-codes. */
export const SecondFactorProof = PasswordProof.extend({ code });
export type SecondFactorProof = z.infer<typeof SecondFactorProof>;

/** GET /admin/second-factor. `hasPassword`: without a password there is no second factor. `recoveryCodes`: number of unused ones. */
export const SecondFactorState = z.object({
  hasPassword: z.boolean(),
  isOn: z.boolean(),
  recoveryCodes: z.int(),
  passkeys: z.array(Passkey),
});
export type SecondFactorState = z.infer<typeof SecondFactorState>;

/** `data` of POST /admin/second-factor/secret, in base32, for codes of RFC 6238 with their usual parameters. */
export const SecondFactorSecret = z.object({ secret: z.string() });
export type SecondFactorSecret = z.infer<typeof SecondFactorSecret>;

/** `data` of POST /admin/second-factor and …/recovery-codes: shown once. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/**
 * Response of /admin/login and /admin/register: with `code` 1, success, `data` is the token; with `code` 0, a
 * refusal, `msg` is the reason.
 */
export const AdminReply = <T extends z.ZodType>(data: T) =>
  z.object({
    code: z.literal([0, 1]),
    msg: z.string(),
    /** With `code: 0`: the field that was refused, if it was one. */
    field: z.enum(['username', 'password', 'code']).exactOptional(),
    data: data.exactOptional(),
  });
export type AdminReply<T> = z.infer<ReturnType<typeof AdminReply<z.ZodType<T>>>>;

/** Response of a step of a sign-in. */
export const SignInReply = <T extends z.ZodType>(data: T) =>
  AdminReply(data).extend({
    /** With `code: 0`: the password was right, and POST /admin/login/code continues with this and a code. */
    challenge: z.string().exactOptional(),
  });
export type SignInReply<T> = z.infer<ReturnType<typeof SignInReply<z.ZodType<T>>>>;

/** A signed-in device. Times are ISO 8601. */
export const SessionInfo = z.object({
  id: z.string(),
  current: z.boolean(),
  device: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

/** GET /admin/sessions: the devices on which the account is signed in. */
export const SessionList = z.object({ sessions: z.array(SessionInfo), nextCursor: z.null() });
export type SessionList = z.infer<typeof SessionList>;

/** An account, as operators see it. */
export const AccountInfo = z.object({ id: z.string(), username: z.string(), createdAt: z.string() });
export type AccountInfo = z.infer<typeof AccountInfo>;

/** POST /ops/editors/grant and revoke, and the same of /ops/administrators. */
export const RightRequest = z.strictObject({ username: z.string().min(1).max(200) });
export type RightRequest = z.infer<typeof RightRequest>;

/**
 * An account that may change the knowledge base and answers people: GET /ops/editors, POST /ops/editors/grant and
 * revoke.
 */
export const EditorInfo = AccountInfo.extend({ isEditor: z.boolean() });
export type EditorInfo = z.infer<typeof EditorInfo>;

/**
 * An account that may change the settings: GET /ops/administrators, POST /ops/administrators/grant and revoke.
 */
export const AdministratorInfo = AccountInfo.extend({ isAdministrator: z.boolean() });
export type AdministratorInfo = z.infer<typeof AdministratorInfo>;
