import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { SettingModel } from '../store/setting.ts';
import { unlessDuplicate } from '../store/store-failure.ts';

/**
 * The server's secret: from the configuration, otherwise generated once and shared by every process on the
 * store.
 */
export async function loadSecret(config: Pick<Config, 'secret'>, settings: SettingModel): Promise<string> {
  return config.secret ?? storedSetting(settings, 'secret', newSecret());
}

/**
 * The ops token: from the configuration, otherwise generated once and shared by every process on the store.
 * It is written to DATA_DIR/ops-token (mode 600) for the command line. A token in that file at the first
 * start becomes the shared one.
 */
export async function loadOpsToken(
  config: Pick<Config, 'opsToken' | 'dataDir'>,
  settings: SettingModel,
): Promise<string> {
  if (config.opsToken) return config.opsToken;
  const path = join(config.dataDir, 'ops-token');
  const written = (await readFile(path, 'utf8').catch(() => '')).trim();
  const token = await storedSetting(settings, 'ops_token', written || newSecret());
  if (token !== written) await writeForOwner(path, `${token}\n`);
  return token;
}

/** The stored setting with that name; stores `value` if there is none. */
async function storedSetting(settings: SettingModel, name: string, value: string): Promise<string> {
  const kept = await settings.findById(name).lean();
  if (kept) return kept.value;
  const isStored = await unlessDuplicate(settings.create({ _id: name, value }));
  return isStored ? value : storedSetting(settings, name, value);
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

async function writeForOwner(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Derives a separate key for every purpose, so that none reveals another. */
export function deriveKey(secret: string, use: string): Buffer {
  return createHmac('sha256', secret).update(use).digest();
}
