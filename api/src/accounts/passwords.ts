import { randomBytes } from 'node:crypto';

/**
 * argon2id with its default cost (19 MiB, 2 passes), on its own threads. Loaded at the first use, since a
 * start does not need it.
 */
const argon2 = () => import('@node-rs/argon2');

let decoy: Promise<string> | undefined;

export async function hashPassword(password: string): Promise<string> {
  return (await argon2()).hash(password);
}

/** Takes the same time for an unknown name (`hash` undefined) as for a known one. */
export async function verifyPassword(hash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'));
  const against = hash || (await decoy);
  const fits = await (await argon2()).verify(against, password);
  return fits && Boolean(hash);
}
