import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReleaseClaim, ReleaseUpload } from '../../api/src/contract.ts';

const root = path.join(import.meta.dirname, '../..');

interface Changed {
  remote: string;
  version: string;
  /** Words of the build, and what this release says instead. */
  from: string;
  to: string;
}

/** Publishes the build of a remote as another version, with other words in it, as its team would: by the calls of /ops/releases. */
export async function publishRelease(
  desk: { url: string },
  opsToken: string,
  { remote, version, from, to }: Changed,
): Promise<string> {
  const folder = path.join(root, remote, 'dist');
  const build = JSON.parse(await readFile(path.join(folder, 'release.json'), 'utf8'));
  const other = (text: string) => text.replaceAll(`${remote}@${build.version}+`, `${remote}@${version}+`);
  const files = new Map<string, Buffer>();
  let changed = 0;
  for (const name of (build.files as string[]).filter((file) => file !== 'release.json')) {
    const bytes = await readFile(path.join(folder, name));
    if (!name.endsWith('.js')) {
      files.set(name, bytes);
      continue;
    }
    const text = bytes.toString('utf8');
    if (text.includes(from)) changed++;
    files.set(name, Buffer.from(other(text.replaceAll(from, to))));
  }
  if (!changed) throw new Error(`no script of ${remote} says ${from}`);
  // Another chunk registry, in the scripts and where the page tells of their style sheets, as a build of that version would have.
  const { files: _, ...description } = JSON.parse(other(JSON.stringify(build)));
  const upload: ReleaseUpload = {
    ...description,
    version,
    commit: description.commit ?? null,
    routes: description.routes ?? {},
    template: '',
    files: [...files].map(([name, bytes]) => ({
      path: name,
      size: bytes.length,
      integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
    })),
  };
  const call = async (method: string, address: string, body?: string | Buffer) => {
    const response = await fetch(`${desk.url}${address}`, {
      method,
      headers: {
        Authorization: `Bearer ${opsToken}`,
        ...(body
          ? { 'Content-Type': typeof body === 'string' ? 'application/json' : 'application/octet-stream' }
          : {}),
      },
      ...(body ? { body: typeof body === 'string' ? body : new Uint8Array(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`);
    return text;
  };
  const claim: ReleaseClaim = JSON.parse(await call('POST', '/ops/releases', JSON.stringify(upload)));
  for (const name of claim.missing)
    await call('PUT', `/ops/releases/${claim.id}/files/${name}`, files.get(name)!);
  await call('POST', `/ops/releases/${claim.id}/publish`);
  return claim.id;
}
