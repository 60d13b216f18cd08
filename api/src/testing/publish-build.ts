import type { ReleaseClaim, ReleaseDetails } from '../contract/releases.ts';
import { readBuildToSend } from '../releases/publish/read-build.ts';

/** Publishes the build in `folder` to the server at `url`, like a team, and resolves to the result. */
export async function publishBuild(url: string, token: string, folder: string): Promise<ReleaseDetails> {
  const { upload, contents } = await readBuildToSend(folder);
  const call = async <T>(method: string, path: string, body: string | Uint8Array, type: string) => {
    const response = await fetch(`${url}/ops/releases${path}`, {
      method,
      body: typeof body === 'string' ? body : Buffer.from(body),
      headers: { Authorization: `Bearer ${token}`, ...(type ? { 'Content-Type': type } : {}) },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  const claim = await call<ReleaseClaim>('POST', '', JSON.stringify(upload), 'application/json');
  const id = encodeURIComponent(claim.id);
  for (const path of claim.missing)
    await call('PUT', `/${id}/files/${path}`, contents.get(path)!, 'application/octet-stream');
  return call<ReleaseDetails>('POST', `/${id}/publish`, '', '');
}
