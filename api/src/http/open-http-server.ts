import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { errorCode } from '../store/error-code.ts';
import { answerHttpFaults, onlyPaths, whileStarting } from './http-faults.ts';

const requestTimeoutMs = 3_600_000;

/** Interval at which idle connections are closed while the server closes, in ms. */
const closeIdleEveryMs = 50;

/** Time for open connections to end when the server closes, in ms. */
const closeTimeoutMs = 1000;

export type HttpServer = Awaited<ReturnType<typeof openHttpServer>>;

/**
 * Until `serve` is called, /healthz alone is answered. While `drain` is aborted, connections are closed after their response.
 * @throws Error if the port is occupied or may not be opened.
 */
export async function openHttpServer(config: Config, drain: AbortSignal) {
  let handle = whileStarting(config);
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: requestTimeoutMs, requireHostHeader: false },
    onlyPaths((request, response) => {
      if (drain.aborted) response.setHeader('Connection', 'close');
      return handle(request, response);
    }, config),
  );
  answerHttpFaults(server, config);
  await listen(server, config);
  return {
    /** Without a trailing slash. */
    url: urlOf(config.host, (server.address() as AddressInfo).port),
    serve(listener: RequestListener): void {
      handle = listener;
    },
    /** Stops accepting connections and waits for `stop`; connections that are still open a second later are closed. */
    async close(stop: () => Promise<void>): Promise<void> {
      const closed = once(server, 'close');
      await allAccepted();
      server.close();
      // Repeated, since responses that began before the drain leave their connections open.
      const closing = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
      await stop();
      const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
      await closed;
      clearTimeout(timer);
      clearInterval(closing);
    },
  };
}

/**
 * Resolves when an iteration of the event loop takes less than a millisecond: closing the socket resets connections that the kernel has
 * established and the process has not accepted, with the requests that were sent on them.
 */
async function allAccepted(): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const start = performance.now();
    await setImmediate();
    if (performance.now() - start < 1) return;
  }
}

/** Origin of the pages: that of PUBLIC_URL, otherwise of the configured host and port. */
export function originOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl === null ? urlOf(host, port) : new URL(publicUrl).origin;
}

/** @throws Error that names the variable of the port. */
export async function listen(
  server: Server,
  { host, port }: Pick<Config, 'host' | 'port'>,
  name = 'PORT',
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'EADDRINUSE')
      throw new Error(`${name} must be free, got ${port}, which another program uses`);
    if (code === 'EACCES') throw new Error(`${name} must be a port this user may open, got ${port}`);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EADDRNOTAVAIL' || code === 'EINVAL')
      throw new Error(`HOST must be an address or name of this machine, got "${host}" (${code})`);
    throw cause;
  }
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
