import { createHmac } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { isSameSecret } from '../http/bearer.ts';
import { randomToken } from '../store/random-token.ts';
import type { SettingModel } from '../store/setting.ts';
import { unlessDuplicate } from '../store/store-failure.ts';

/** The secret of the configuration; otherwise one that is generated once and shared by every process on the store. */
export async function loadSecret(config: Pick<Config, 'secret'>, settings: SettingModel): Promise<string> {
  return config.secret ?? storedSetting(settings, 'secret', randomToken());
}

/** The stored setting with that name; stores `value` if there is none. */
async function storedSetting(settings: SettingModel, name: string, value: string): Promise<string> {
  const kept = await settings.findById(name).lean();
  if (kept) return kept.value;
  const isStored = await unlessDuplicate(settings.create({ _id: name, value }));
  return isStored ? value : storedSetting(settings, name, value);
}

/** Derives a separate key for every purpose, so that none reveals another. */
export function deriveKey(secret: string, use: string): Buffer {
  return createHmac('sha256', secret).update(use).digest();
}

/** HMAC-SHA-256 of tokens and cookies. `key` belongs to one kind of token, see `deriveKey`. */
export function createSigner(key: Buffer) {
  /** 43 characters of base64url. */
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign,
    /** Compares in constant time. */
    isSigned: (text: string, signature: string): boolean => isSameSecret(signature, sign(text)),
  };
}
