import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config.ts';
import { errorCode } from '../store/error-code.ts';
import { answerHttpFaults, onlyPaths } from './http-faults.ts';

/** Time limit of a request in ms: archives are read as fast as they are imported. Headers have a shorter limit. */
const requestTimeoutMs = 3_600_000;

/** Time for open connections to end when the server closes, in ms. */
const closeTimeoutMs = 1000;

/** @throws Error if the port is occupied or may not be opened. */
export async function openHttpServer(handle: RequestListener, config: Config) {
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: requestTimeoutMs, requireHostHeader: false },
    onlyPaths(handle, config),
  );
  answerHttpFaults(server, config);
  await listen(server, config);
  return {
    /** Without a trailing slash. */
    url: urlOf(config.host, (server.address() as AddressInfo).port),
    /** Stops accepting connections and waits for `stop`; connections that are still open a second later are closed. */
    async close(stop: () => Promise<void>): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await stop();
      const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Origin of the pages: that of PUBLIC_URL, otherwise of the configured host and port. */
export function originOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl === null ? urlOf(host, port) : new URL(publicUrl).origin;
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'EADDRINUSE') throw new Error(`PORT must be free, got ${port}, which another program uses`);
    if (code === 'EACCES') throw new Error(`PORT must be a port this user may open, got ${port}`);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EADDRNOTAVAIL' || code === 'EINVAL')
      throw new Error(`HOST must be an address or name of this machine, got "${host}" (${code})`);
    throw cause;
  }
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
