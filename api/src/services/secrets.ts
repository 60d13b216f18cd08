import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { SettingModel } from '../models/setting.ts';
import { isDuplicateKey } from './store-failure.ts';

/** The desk's secret: the one of the configuration, else one that is made once and shared by every process of the store. */
export async function loadSecret(config: Pick<Config, 'secret'>, settings: SettingModel): Promise<string> {
  if (config.secret) return config.secret;
  const kept = await settings.findById('secret').lean();
  if (kept) return kept.value;
  const value = randomBytes(32).toString('base64url');
  try {
    await settings.create({ _id: 'secret', value });
    return value;
  } catch (cause) {
    if (!isDuplicateKey(cause)) throw cause;
    return loadSecret(config, settings);
  }
}

/** The ops token: the one of the configuration, else the one in DATA_DIR/ops-token (mode 600), made at the first start. */
export async function loadOpsToken(config: Pick<Config, 'opsToken' | 'dataDir'>): Promise<string> {
  if (config.opsToken) return config.opsToken;
  const path = join(config.dataDir, 'ops-token');
  await mkdir(config.dataDir, { recursive: true });
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept.trim()) return kept.trim();
  const token = randomBytes(32).toString('base64url');
  const file = await open(path, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${token}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return token;
}

/** A key of its own for every use, so that one use says nothing about another. */
export function deriveKey(secret: string, use: string): Buffer {
  return createHmac('sha256', secret).update(use).digest();
}
