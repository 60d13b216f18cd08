import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { mediaType } from '../../api/src/releases/data/release-keys.ts';

export interface FolderServer {
  /** http://127.0.0.1:<port>. */
  origin: string;
  /** Serves this content as the file `name`, a path inside the folder. */
  replace(name: string, text: string): void;
  close(): Promise<void>;
}

/** A team's own static server: serves all files in `folder` to every origin. */
export async function serveFolder(folder: string): Promise<FolderServer> {
  const replaced = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const name = new URL(request.url ?? '/', 'http://any').pathname.slice(1);
    const body = replaced.get(name) ?? (await readFile(path.join(folder, name)).catch(() => undefined));
    response.writeHead(body === undefined ? 404 : 200, {
      'Content-Type': mediaType(name),
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replace: (name, text) => replaced.set(name, text),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
