import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { languages } from '../contract/language.ts';
import { ApiError, errorBody, invalidRequest, notFound } from '../errors/errors.ts';
import { errorCode } from '../store/store-failure.ts';
import { basePathOf } from './base-path.ts';
import { alwaysSent } from './security-headers.ts';

const requestTimeoutMs = 3_600_000;

/** Interval at which idle connections are closed while the server closes, in ms. */
const closeIdleEveryMs = 50;

/** Time for open connections to end when the server closes, in ms. */
const closeTimeoutMs = 1000;

export type HttpServer = Awaited<ReturnType<typeof openHttpServer>>;

/**
 * Until `serve` is called, only /healthz is answered. Once `drain` is aborted, connections are closed after their response.
 * @throws Error if the port is occupied or may not be opened.
 */
export async function openHttpServer(config: Config, drain: AbortSignal) {
  const headers = headersOf(config.publicUrl);
  let handle = whileStarting(config, headers);
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: requestTimeoutMs, requireHostHeader: false },
    onlyPaths((request, response) => {
      if (drain.aborted) response.setHeader('Connection', 'close');
      return handle(request, response);
    }, headers),
  );
  answerHttpFaults(server, headers);
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
 * Waits until an iteration of the event loop takes less than a millisecond. Closing the server's socket would reset
 * connections, and requests sent on them, that the kernel has established and the process has not accepted.
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
export async function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>, name = 'PORT') {
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

/** Refuses what Node does not pass on as a request: malformed HTTP, headers that are too large, CONNECT and Expect. */
function answerHttpFaults(server: Server, headers: Headers): void {
  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    if (cause.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (cause.code === 'HPE_HEADER_OVERFLOW') refuse(socket, new ApiError('headers_too_large'), headers);
    else refuse(socket, invalidRequest('http', 'invalid_http'), headers);
  });
  server.on('connect', (_request, socket) => refuse(socket, notFound('page'), headers));
  server.on('checkExpectation', (_request, response) => {
    refuseRequest(response, invalidRequest('Expect', 'invalid_http'), headers);
  });
}

/**
 * Reduces absolute URLs, which proxies send, to their path, and refuses invalid ones: Koa parses the URL of every
 * request and would throw outside its middleware.
 */
function onlyPaths(handle: RequestListener, headers: Headers): RequestListener {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    if (path === null) {
      refuseRequest(response, invalidRequest('url', 'invalid_url'), headers);
      return;
    }
    request.url = path;
    return handle(request, response);
  };
}

/** Answers /healthz, and refuses everything else with 503 until the server is ready. */
function whileStarting(config: Pick<Config, 'publicUrl'>, headers: Headers): RequestListener {
  const health = `${basePathOf(config)}/healthz`;
  return (request, response) => {
    if (request.url === '/healthz' || request.url === health)
      response.writeHead(200, headers).end(JSON.stringify({ status: 'ok' }));
    else refuseRequest(response, new ApiError('unavailable'), headers);
  };
}

function pathOf(target: string): string | null {
  if (target.startsWith('/')) return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

type Headers = Readonly<Record<string, string>>;

function headersOf(publicUrl: string | null): Headers {
  return {
    ...alwaysSent(publicUrl?.startsWith('https:') === true),
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    Connection: 'close',
  };
}

function bodyOf(failure: ApiError): string {
  return JSON.stringify(errorBody(failure, languages[0], randomUUID()));
}

function refuseRequest(response: ServerResponse, failure: ApiError, headers: Headers): void {
  const body = bodyOf(failure);
  response.writeHead(failure.status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function refuse(socket: Duplex, failure: ApiError, headers: Headers): void {
  const body = bodyOf(failure);
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
