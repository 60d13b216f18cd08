import { z } from 'zod';
import { createSigner } from '../../accounts/secrets.ts';

/**
 * Replaces the live composition for one visitor: by a remote from a developer's server, or by a composition that is
 * not live, named by its id or by a preview, whose composition may change.
 */
export type OverrideAim = z.infer<typeof AIM>;

export interface Override {
  aim: OverrideAim;
  expiresAt: Date;
  /** Who made the link: the name they gave, and that of their token. Missing in cookies. */
  by?: z.infer<typeof BY> | undefined;
}

const AIM = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('remote'), remote: z.string(), address: z.string() }),
  z.object({ kind: z.literal('composition'), composition: z.string() }),
  /** `composition` is the one that the preview showed when the visitor agreed to it. */
  z.object({ kind: z.literal('preview'), preview: z.string(), composition: z.string() }),
]);
const BY = z.object({ author: z.string(), token: z.string() });
const SIGNED = z.object({ aim: AIM, by: BY.exactOptional() });

/** Signed text for URLs and cookies, by the second; nothing is stored. `key` is for overrides only. */
export function createOverrideTokens(key: Buffer) {
  const { sign, isSigned } = createSigner(key);

  return {
    write({ expiresAt, ...signed }: Override): string {
      const seconds = Math.floor(expiresAt.getTime() / 1000);
      const text = `${Buffer.from(JSON.stringify(signed)).toString('base64url')}.${seconds.toString(36)}`;
      return `${text}.${sign(text)}`;
    },
    /** Returns undefined unless `token` was signed by this installation and has not expired. */
    read(token: string, now: Date): Override | undefined {
      const [, signed = '', seconds = '', signature = ''] =
        /^([\w-]{1,3000})\.([0-9a-z]{1,10})\.([\w-]{43})$/.exec(token) ?? [];
      if (!isSigned(`${signed}.${seconds}`, signature)) return undefined;
      const expiresAt = new Date(Number.parseInt(seconds, 36) * 1000);
      if (expiresAt <= now) return undefined;
      // Tokens of earlier versions, valid for a few hours, have another form.
      const { success, data } = SIGNED.safeParse(JSON.parse(Buffer.from(signed, 'base64url').toString()));
      return success ? { ...data, expiresAt } : undefined;
    },
  };
}
